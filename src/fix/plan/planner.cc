// How a package-lock is planned for.
//
// The lock is a tree of folders that can be changed and taken back (npm/resolve/tree.h). Vulnerable
// copies are fixed one after the other on that one tree, so that each fix sees what the ones before
// it did: a package that a fix brought may serve the next, and a copy that lost its last dependent
// needs none. Copies near the manifests come first, since raising a dependent often does away with
// what is vulnerable beneath it.
//
// One round over all copies is not enough: a copy may be stuck until another has moved. So rounds
// are repeated as long as one of them moved something, in two phases. In the first only strategies
// are tried that speak of one copy; an override speaks of every copy in its range, and comes in the
// second, for what is still stuck then.
//
// Example: `p` asks for `a ~1.0.0`, which is vulnerable up to 1.2.0, and a newer `p` asks for `a
// ^1.2.0`. No version of `a` is in range, so `p` is raised; `a` moves along, and what the old `p`
// alone had needed is pruned.
//
// It ends: each phase has at most kMaxPasses rounds over a fixed list of copies, and each fix tries
// a bounded number of versions (the k… constants of fixing, parents and overrides). A copy that is
// left says which of these bounds was met, since more patience might have found a way.
#include "fix/plan/planner.h"

#include <algorithm>
#include <set>

#include "fix/plan/fixing.h"

namespace cg::plan {

namespace {

using resolve::CopyId;
using resolve::kNone;

constexpr int kMaxPasses = 6;

/// From the importers outwards: what a fixed dependent drops needs no fix of its own.
std::vector<CopyId> by_distance(const resolve::Tree& tree) {
  std::vector<CopyId> order;
  std::vector<bool> seen(tree.size(), false);
  const auto take = [&](CopyId id) {
    if (id == kNone || seen[id]) return;
    seen[id] = true;
    order.push_back(id);
  };
  for (CopyId id = 0; id < tree.size(); ++id) {
    if (tree.copy(id).is_importer()) take(id);
  }
  for (std::size_t i = 0; i < order.size(); ++i) {
    take(tree.copy(order[i]).target);
    const auto* needs = tree.copy(order[i]).needs;
    for (const resolve::Need& need : *needs) take(tree.resolve(order[i], need));
  }
  for (CopyId id = 0; id < tree.size(); ++id) take(id);
  return order;
}

bool same(const npm::Flags& a, const npm::Flags& b) {
  return a.dev == b.dev && a.optional == b.optional && a.dev_optional == b.dev_optional &&
         a.peer == b.peer;
}

class Writing {
 public:
  Writing(const Input& input, resolve::Tree& tree, const std::vector<npm::Flags>& flags_before)
      : input_(input), tree_(tree), before_(flags_before) {}

  void lock(Plan& plan) {
    const std::vector<npm::Flags> after = resolve::flags_of(tree_);
    std::set<std::string> put;
    for (CopyId id = 0; id < tree_.size(); ++id) {
      const resolve::Copy& copy = tree_.copy(id);
      if (copy.gone) continue;
      if (copy.release != nullptr) {
        put.insert(tree_.location(id));
        plan.lock.put.push_back({tree_.location(id), copy.release, after[id]});
      } else if (id < before_.size() && !copy.is_importer() && !same(before_[id], after[id]) &&
                 !copy.dictated) {
        plan.lock.reflagged.push_back({tree_.location(id), after[id]});
      }
    }
    for (CopyId id = 0; id < before_.size(); ++id) {
      if (tree_.copy(id).gone && !put.contains(tree_.location(id))) {
        plan.lock.removed.push_back(tree_.location(id));
      }
    }
  }

  void manifests(const std::vector<OverrideNote>& notes, Plan& plan) {
    for (CopyId id = 0; id < before_.size(); ++id) {
      if (tree_.copy(id).respecced) asks_of(id, plan);
    }
    for (const OverrideNote& note : notes) {
      manifest_edit(input_, "", plan).overrides.push_back({note.path, note.value});
    }
    plan.overrides = notes;
    for (OverrideNote& note : plan.overrides) {
      note.days = input_.options.override_days;
      name_advisories(note);
    }
    for (const auto& path : plan.redundant)
      manifest_edit(input_, "", plan).overrides.push_back({path, ""});
  }

 private:
  void name_advisories(OverrideNote& note) const {
    const std::string_view target = resolve::split_key(note.path.back()).name;
    std::set<std::string> ids;
    for (const findings::Hit& hit : input_.hits) {
      const npm::Node& node = input_.graph.node(hit.node);
      if ((node.alias.empty() ? node.name : node.alias) == target) ids.insert(hit.advisory);
    }
    note.advisories.assign(ids.begin(), ids.end());
  }

  void asks_of(CopyId id, Plan& plan) {
    const auto edges = input_.graph.edges_of(tree_.copy(id).origin);
    const auto& needs = *tree_.copy(id).needs;
    for (std::size_t i = 0; i < needs.size(); ++i) {
      if (needs[i].spec == edges[i].range) continue;
      const edit::Ask ask{tree_.location(id), std::string(edges[i].name),
                          std::string(edges[i].range), std::string(needs[i].spec), edges[i].kind};
      plan.lock.asks.push_back(ask);
      manifest_edit(input_, tree_.location(id), plan).asks.push_back(ask);
    }
  }

  const Input& input_;
  resolve::Tree& tree_;
  const std::vector<npm::Flags>& before_;
};

Copy fate_of(const Input& input, const findings::Hit& hit, resolve::Tree& tree, Fixing& fixing) {
  const resolve::Copy& now = tree.copy(hit.node);
  const Attempt& attempt = fixing.attempt(hit.node);
  Copy out = copy_of(input, hit, attempt);
  const bool moved = now.release != nullptr && !fixing.is_vulnerable(hit.node);
  if (!now.gone && !moved) {
    leave(hit, attempt, out);
    return out;
  }
  out.fate = Fate::fixed;
  out.fix = fixing.fix_of(hit.node);
  if (out.fix > 0) {
    out.strategy = fixing.fixes()[out.fix - 1].strategy;
    out.reason = fixing.fixes()[out.fix - 1].why;
  }
  if (!now.gone) out.to = now.version->str();
  return out;
}

/// Overrides of earlier plans without which every need is met by a safe copy (trap 11).
std::vector<std::vector<std::string>> drop_redundant(const Input& input, resolve::Tree& tree,
                                                     Fixing& fixing) {
  std::vector<std::vector<std::string>> out;
  for (const auto& path : input.noted) {
    const auto rule = std::find_if(tree.rules().begin(), tree.rules().end(),
                                   [&](const resolve::Rule& r) { return r.path == path; });
    if (rule == tree.rules().end() || rule->own) continue;
    const resolve::NameId name = tree.intern(rule->target);
    const resolve::Tree::Mark mark = tree.mark();
    tree.drop_rule(path);
    const auto askers = tree.askers_named(name);
    const bool needed = std::any_of(askers.begin(), askers.end(), [&](const resolve::Asker& asker) {
      const CopyId now = tree.resolve(asker.from, tree.need(asker));
      return now != kNone &&
             (!tree.fits(asker.from, tree.need(asker), now) || fixing.is_vulnerable(now));
    });
    if (needed) {
      tree.roll_back(mark);
    } else {
      out.push_back(path);
    }
  }
  return out;
}

}  // namespace

Plan plan_npm(const Input& input) {
  const json::Value none;
  resolve::Tree tree(
      input.graph,
      resolve::read_rules(input.manifests.empty() ? none : input.manifests.front().overrides));
  const std::vector<npm::Flags> flags_before = resolve::flags_of(tree);
  Fixing fixing(input, tree);

  // Copies in the order of their distance, again and again until nothing moves.
  std::set<CopyId> wanted;
  for (const findings::Hit& hit : input.hits) {
    if (!hit.malware) wanted.insert(hit.node);
  }
  std::vector<CopyId> order = by_distance(tree);
  std::erase_if(order, [&](CopyId id) { return !wanted.contains(id); });
  bool moved = true;
  const auto settle_down = [&](Force force) {
    moved = true;
    for (int pass = 0; pass < kMaxPasses && moved; ++pass) {
      moved = false;
      for (const CopyId id : order) {
        if (fixing.is_vulnerable(id) && fixing.fix(id, force)) moved = true;
      }
    }
  };
  settle_down(Force::none);
  settle_down(Force::overrides);
  const auto redundant = drop_redundant(input, tree, fixing);
  const bool changed = !fixing.fixes().empty() || !redundant.empty();
  if (changed) resolve::prune_unreachable(tree);

  Plan plan;
  plan.lockfile = input.lockfile;
  for (const findings::Hit& hit : input.hits) {
    plan.copies.push_back(fate_of(input, hit, tree, fixing));
    if (moved) say_passes(kMaxPasses, plan.copies.back());
  }
  plan.fixes = fixing.fixes();
  plan.redundant = redundant;
  if (changed) {
    Writing writing(input, tree, flags_before);
    writing.lock(plan);
    writing.manifests(fixing.notes(), plan);
  }
  return plan;
}

}  // namespace cg::plan
