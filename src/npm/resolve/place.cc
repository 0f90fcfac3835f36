// Placing what a changed copy needs, as npm does.
//
// For each need of the copy: what it finds, walking up from its own folder, either fits or does
// not. If it does not fit, and everybody who has that other copy takes the new version too, the
// copy moves to the new version; otherwise there will be two. If nothing is found, a version is
// added in the folder furthest up where it disturbs nobody: nothing of that name is there, and
// nobody beneath would now find it and not take it. Then the needs of what was put are settled in
// the same way.
//
// Example: `a` moves to a version that needs `n ^2`, while the root holds `n 1.0.0` for `b`. `b`
// does not take `n 2`, so `n 2` is added in the folder of `a`. Without `b`, the root's copy would
// have moved.
//
// A version whose own needs cannot be settled is taken back and the next candidate tried, so the
// search branches. It ends: depth is bounded by kMaxNested, copies by kMaxAdded, and since bounded
// depth and width still multiply, the number of copies settled altogether by kMaxSettled. Who runs
// into a bound fails with its name.
#include "npm/resolve/place.h"

#include <algorithm>

#include "npm/resolve/reach.h"

namespace cg::resolve {

namespace {

using npm::EdgeKind;
using npm::is_peer;

class Settling {
 public:
  Settling(Tree& tree, Choice& choice) : tree_(tree), choice_(choice), first_(tree.size()) {}

  Result<Done, Failure> settle(CopyId id, std::size_t depth) {
    if (depth > kMaxNested) {
      limit_ = "more than " + std::to_string(kMaxNested) +
               " packages, each for the next, would be added";
    } else if (tree_.size() - first_ > kMaxAdded) {
      limit_ = "more than " + std::to_string(kMaxAdded) + " packages would be added";
    } else if (++settled_ > kMaxSettled) {
      limit_ = "more than " + std::to_string(kMaxSettled) + " placements were tried";
    } else {
      return meet_all(id, depth);
    }
    return fail(Failure{Failure::Kind::limit, limit_});
  }

 private:
  Result<Done, Failure> meet_all(CopyId id, std::size_t depth) {
    const auto* needs = tree_.copy(id).needs;
    for (const Need& need : *needs) CG_TRY(meet(id, need, depth));
    return Done{};
  }

  std::string describe(CopyId from, const Need& need) const {
    const Copy& copy = tree_.copy(from);
    std::string out = std::string(tree_.name(need.name)) + " " + std::string(need.spec) + " for " +
                      std::string(copy.package);
    if (copy.version != nullptr) out += " " + copy.version->str();
    return out;
  }

  Result<Done, Failure> meet(CopyId from, const Need& need, std::size_t depth) {
    const CopyId now = tree_.resolve(from, need);
    if (now != kNone && tree_.fits(from, need, now)) return Done{};
    if (need.kind == EdgeKind::peer_optional) {
      if (now == kNone) return Done{};
      return fail(Failure{Failure::Kind::peer, describe(from, need)});
    }
    if (tree_.ranges().get(need.spec).kind == Want::Kind::fixed) {
      return fail(Failure{Failure::Kind::source, describe(from, need)});
    }
    const Tree::Mark mark = tree_.mark();
    // As npm does: where everybody who has the copy takes the new version too, it moves;
    // otherwise there will be two.
    auto placed = now == kNone ? place(from, need, depth) : replace(from, need, now, depth);
    if (!placed && now != kNone && !is_peer(need.kind) && !is_own(from, now)) {
      tree_.roll_back(mark);
      placed = place(from, need, depth);
    }
    if (placed) return Done{};
    // An optional dependency may be missing, but not wrong.
    if (need.kind == EdgeKind::optional && now == kNone) {
      tree_.roll_back(mark);
      return Done{};
    }
    return placed;
  }

  [[nodiscard]] bool is_own(CopyId from, CopyId id) const { return tree_.copy(id).holder == from; }

  const Want& want_of(CopyId from, const Need& need) {
    const Rule* rule = tree_.rules().empty() ? nullptr : tree_.rule_for(from, need);
    return tree_.ranges().get(rule != nullptr && !rule->value.starts_with('$')
                                  ? std::string_view(rule->value)
                                  : need.spec);
  }

  std::vector<Candidate> candidates(CopyId from, const Need& need) {
    const Want& want = want_of(from, need);
    return choice_.candidates(want.name.empty() ? tree_.name(need.name) : want.name, want);
  }

  /// After so many candidates.
  Result<Done, Failure> none(CopyId from, const Need& need, std::size_t tried) const {
    Failure failure{is_peer(need.kind) ? Failure::Kind::peer : Failure::Kind::range,
                    describe(from, need)};
    if (tried >= choice_.most()) {
      failure.what += "; no more than " + std::to_string(tried) + " versions are tried";
    }
    if (!limit_.empty()) {
      failure.kind = Failure::Kind::limit;
      failure.what += "; " + limit_;
    }
    return fail(std::move(failure));
  }

  /// The copy that stands in the place is wrong for `from`.
  Result<Done, Failure> replace(CopyId from, const Need& need, CopyId now, std::size_t depth) {
    const std::vector<Asker> askers = tree_.askers(now);
    const bool alone = std::all_of(askers.begin(), askers.end(),
                                   [&](const Asker& asker) { return asker.from == from; });
    const Tree::Mark mark = tree_.mark();
    if (alone && is_own(from, now)) {
      // Without it, one further up may do.
      tree_.remove(now);
      const CopyId above = tree_.resolve(from, need);
      if (above != kNone && tree_.fits(from, need, above)) return Done{};
      tree_.roll_back(mark);
    }
    if (tree_.copy(now).source != npm::Source::registry || tree_.copy(now).dictated)
      return none(from, need, 0);
    const std::vector<Candidate> offered = candidates(from, need);
    for (const Candidate& candidate : offered) {
      const bool all = std::all_of(askers.begin(), askers.end(), [&](const Asker& asker) {
        return tree_.takes(asker.from, tree_.need(asker), candidate.release->name,
                           *candidate.version);
      });
      const Copy& copy = tree_.copy(now);
      if (!all || (copy.version != nullptr && *candidate.version < *copy.version)) continue;
      tree_.put(now, *candidate.release, *candidate.version);
      if (settle(now, depth + 1)) return Done{};
      tree_.roll_back(mark);
    }
    return none(from, need, offered.size());
  }

  Result<Done, Failure> place(CopyId from, const Need& need, std::size_t depth) {
    const Tree::Mark mark = tree_.mark();
    const std::vector<Candidate> offered = candidates(from, need);
    for (const Candidate& candidate : offered) {
      const CopyId holder = highest(from, need, candidate);
      if (holder == kNone) continue;
      const CopyId id = tree_.add(holder, need.name, *candidate.release, *candidate.version);
      if (settle(id, depth + 1)) return Done{};
      tree_.roll_back(mark);
    }
    return none(from, need, offered.size());
  }

  /// The folder furthest up where the candidate disturbs nobody; kNone if there is none.
  CopyId highest(CopyId from, const Need& need, const Candidate& candidate) {
    const std::vector<Asker> all = tree_.askers_named(need.name);
    CopyId best = kNone;
    for (CopyId at = tree_.seeks_from(from, need); at != kNone; at = tree_.copy(at).holder) {
      if (tree_.child(at, need.name) != kNone || disturbs(at, all, candidate)) break;
      best = at;
    }
    return best;
  }

  /// Somebody beneath `holder` would get the candidate and not take it.
  bool disturbs(CopyId holder, const std::vector<Asker>& all, const Candidate& candidate) {
    return std::any_of(all.begin(), all.end(), [&](const Asker& asker) {
      const Need& need = tree_.need(asker);
      if (!tree_.is_within(tree_.seeks_from(asker.from, need), holder)) return false;
      const CopyId now = tree_.resolve(asker.from, need);
      if (now != kNone && tree_.is_within(tree_.copy(now).holder, holder)) return false;
      return !tree_.takes(asker.from, need, candidate.release->name, *candidate.version);
    });
  }

  Tree& tree_;
  Choice& choice_;
  std::size_t first_;
  std::size_t settled_ = 0;
  std::string limit_;  // the one that was met, in words
};

bool was_needed(const Tree& tree, CopyId id) {
  const Copy& copy = tree.copy(id);
  return copy.origin == npm::kNoNode || !tree.graph().edges_to(copy.origin).empty();
}

bool may_go(const Tree& tree, CopyId id) {
  const Copy& copy = tree.copy(id);
  return !copy.gone && !copy.is_importer() && !copy.dictated && copy.source != npm::Source::link &&
         was_needed(tree, id);
}

}  // namespace

Result<Done, Failure> settle(Tree& tree, CopyId id, Choice& choice) {
  return Settling(tree, choice).settle(id, 0);
}

void prune(Tree& tree, Tree::Mark mark) {
  // Ends, as every round but the last removes a copy.
  for (bool changed = true; changed;) {
    changed = false;
    for (const NameId name : tree.needed_before(mark)) {
      const std::vector<CopyId> copies = tree.copies_named(name);
      for (const CopyId id : copies) {
        if (id >= tree.size() || tree.copy(id).folder != name || !may_go(tree, id)) continue;
        if (!tree.askers(id).empty()) continue;
        tree.remove(id);
        changed = true;
      }
    }
  }
}

void prune_unreachable(Tree& tree) {
  const std::vector<bool> seen = reach(tree, [](const Need&) { return true; });
  for (CopyId id = 0; id < seen.size(); ++id) {
    if (seen[id] || !may_go(tree, id)) continue;
    if (tree.copy(id).origin != npm::kNoNode &&
        tree.graph().node(tree.copy(id).origin).flags.extraneous)
      continue;
    tree.remove(id);
  }
}

std::vector<std::string> unmet(Tree& tree) {
  std::vector<std::string> out;
  for (CopyId id = 0; id < tree.size(); ++id) {
    const Copy& copy = tree.copy(id);
    if (copy.gone || copy.dictated) continue;
    const auto* needs = copy.needs;
    for (const Need& need : *needs) {
      const CopyId to = tree.resolve(id, need);
      if (to == kNone ? npm::is_optional(need.kind) : tree.fits(id, need, to)) continue;
      out.push_back(tree.location(id) + " " + std::string(tree.name(need.name)) + " " +
                    std::string(need.spec));
    }
  }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace cg::resolve
