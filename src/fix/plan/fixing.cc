// Fixing one copy.
//
// Strategies are tried in the order of how little they change: let another copy do that is there
// already (dedupe), another version inside everybody's range (relock), a new range in a manifest of
// the repository (direct bump), newer dependents (parent bump, parents.cc), and last a rule that
// forces a range (override, overrides.cc). Within a strategy the lowest safe version comes first.
//
// A try changes the tree for real: put the version, settle what it needs (npm/resolve/place.h),
// look whether everybody can live with it. If not, the tree is rolled back to the mark that was set
// before, and the next one is tried. What succeeds becomes a Fix, with every entry that it
// touched: two fixes that share one go to the same branch.
//
// "Safe" is decided once per copy (choose_safe): no advisory of the index speaks of it, policy
// and engines do not refuse it, and it is newer than what is installed. Who stands in the way when
// all has failed is named for the lowest of these versions (name_blocker).
#include "fix/plan/fixing.h"

#include <algorithm>

namespace cg::plan {

using resolve::CopyId;
using resolve::kNone;

bool Fixing::is_vulnerable(CopyId id) {
  const resolve::Copy& copy = tree_.copy(id);
  return !copy.gone && copy.version != nullptr && market_.affected(copy.package, *copy.version);
}

std::size_t Fixing::fix_of(CopyId id) const {
  const auto found = fix_of_.find(id);
  return found == fix_of_.end() ? 0 : found->second;
}

bool Fixing::allowed(Strategy strategy) const {
  const auto& list = input_.options.strategies;
  return list.empty() || std::find(list.begin(), list.end(), strategy) != list.end();
}

std::string Fixing::who(CopyId id) const {
  const resolve::Copy& copy = tree_.copy(id);
  if (copy.source == npm::Source::root) return "package.json";
  if (copy.is_importer()) return tree_.location(id) + "/package.json";
  std::string out(copy.package);
  if (copy.version != nullptr) out += " " + copy.version->str();
  return out;
}

std::string Fixing::asks(const Asker& asker) const {
  const resolve::Need& need = tree_.need(asker);
  return who(asker.from) + " asks for " + std::string(tree_.name(need.name)) + " " +
         std::string(need.spec);
}

bool Fixing::takes(const Asker& asker, const Offer& offer) {
  return tree_.takes(asker.from, tree_.need(asker), offer.of->packument().name(), offer.version());
}

std::vector<resolve::Asker> Fixing::refusing(CopyId id, const Offer& offer) {
  std::vector<Asker> out = tree_.askers(id);
  std::erase_if(out, [&](const Asker& asker) { return takes(asker, offer); });
  return out;
}

void Fixing::note(Attempt& attempt, Strategy strategy, std::string target, std::string answer) {
  attempt.considered.push_back({strategy, std::move(target), std::move(answer), false});
}

/// Copies that no version can be chosen for.
bool Fixing::stands_aside(CopyId id, Attempt& attempt) {
  const resolve::Copy& copy = tree_.copy(id);
  const auto block = [&](Blocker blocker, std::string reason) {
    attempt.blocker = blocker;
    attempt.reason = std::move(reason);
    return true;
  };
  for (CopyId above = copy.holder; above != kNone; above = tree_.copy(above).holder) {
    if (tree_.copy(above).flags.shrinkwrap) {
      return block(Blocker::shrinkwrap, "dictated by the shrinkwrap of " + who(above));
    }
  }
  if (copy.source == npm::Source::git)
    return block(Blocker::source, "comes from git: there is no version to choose");
  if (copy.source != npm::Source::registry)
    return block(Blocker::source, "comes from a URL of its own: there is no version to choose");
  for (const Asker& asker : tree_.askers(id)) {
    if (tree_.ranges().get(tree_.need(asker).spec).kind == resolve::Want::Kind::fixed) {
      return block(Blocker::source, asks(asker) + ", which is no version");
    }
  }
  offers_ = market_.offers(copy.package);
  if (offers_ == nullptr)
    return block(Blocker::registry,
                 "the registry's versions of " + std::string(copy.package) + " are not to be had");
  return false;
}

bool Fixing::find_safe(CopyId id, Attempt& attempt) {
  const resolve::Copy& copy = tree_.copy(id);
  safe_ = choose_safe(*offers_, *copy.version, copy.flags.install_script, input_.options, attempt);
  if (attempt.fate == Fate::no_fix) {
    const std::string name(copy.package);
    attempt.reason =
        offers_->safe_below(*copy.version)
            ? "no newer version of " + name + " is safe; going back to an older one is not done"
            : "no published version of " + name + " is safe";
  }
  return !safe_.empty();
}

bool Fixing::move(CopyId id, const Offer& offer, Attempt& attempt, Strategy strategy) {
  const resolve::Candidate candidate = offer.of->candidate(offer.at);
  // What the old tarball carried inside goes with it; the new one carries nothing.
  const std::vector<CopyId> children = tree_.copy(id).children;
  for (const CopyId child : children) {
    if (tree_.copy(child).dictated) tree_.remove(child);
  }
  tree_.put(id, *candidate.release, *candidate.version);
  const auto settled = resolve::settle(tree_, id, market_);
  if (settled) return true;
  note(attempt, strategy, candidate.release->name + " " + candidate.release->version,
       (settled.error().kind == resolve::Failure::Kind::peer ? "a peer dependency is not met: "
                                                             : "cannot get ") +
           settled.error().what);
  if (settled.error().kind == resolve::Failure::Kind::peer) {
    attempt.blocker = Blocker::peer;
    std::string what = settled.error().what;  // perhaps with a bound that was met behind it
    what.insert(std::min(what.find("; "), what.size()), " as a peer");
    attempt.reason = candidate.release->name + " " + candidate.release->version + " needs " + what;
  }
  return false;
}

void Fixing::accept(resolve::Tree::Mark mark, CopyId id, Strategy strategy, const char* recipe,
                    std::string why) {
  const npm::NodeId origin = tree_.copy(id).origin;
  resolve::prune(tree_, mark);
  Fix fix;
  fix.strategy = strategy;
  fix.recipe = recipe;
  fix.why = std::move(why);
  const resolve::Copy& copy = tree_.copy(id);
  fix.package = copy.package;
  fix.from = origin == npm::kNoNode ? "" : std::string(input_.graph.node(origin).version);
  if (!copy.gone && copy.version != nullptr) fix.to = copy.version->str();
  for (const CopyId changed : tree_.touched(mark)) {
    const resolve::Copy& now = tree_.copy(changed);
    if (now.is_importer()) {
      touch_manifest(changed, fix);
    } else {
      fix.touched.push_back(tree_.location(changed));
    }
    fix_of_[changed] = fixes_.size() + 1;
  }
  for (std::size_t i = first_note_; i < notes_.size(); ++i) {
    fix.touched.push_back("override " + notes_[i].path.back());
    // Two branches that both add rules could not be merged one after the other.
    fix.touched.emplace_back(kTouchesRules);
  }
  std::sort(fix.touched.begin(), fix.touched.end());
  fix.touched.erase(std::unique(fix.touched.begin(), fix.touched.end()), fix.touched.end());
  fixes_.push_back(std::move(fix));
}

void Fixing::touch_manifest(CopyId id, Fix& fix) {
  const auto edges = input_.graph.edges_of(tree_.copy(id).origin);
  const auto& needs = *tree_.copy(id).needs;
  for (std::size_t i = 0; i < needs.size(); ++i) {
    if (needs[i].spec == edges[i].range) continue;
    std::string key = "manifest " + tree_.location(id) + " " + std::string(edges[i].name);
    if (asked_.insert(key).second) fix.touched.push_back(std::move(key));
  }
}

bool Fixing::fix(CopyId id, Force force) {
  Attempt attempt;
  bool fixed = false;
  const std::size_t before = fixes_.size();
  first_note_ = notes_.size();
  bounds_.clear();
  too_far_ = false;
  if (tree_.copy(id).dictated) {
    fixed = replace_bundler(id, attempt);
  } else if (!stands_aside(id, attempt) && find_safe(id, attempt)) {
    const Target* target = input_.options.target_for(tree_.copy(id).package);
    if (target == nullptr) {
      fixed = dedupe(id) || relock(id, attempt) || bump_direct(id, attempt) ||
              bump_parents(id, attempt) ||
              (force == Force::overrides && override_range(id, attempt));
    } else if (target->strategy == Strategy::override_rule) {
      fixed = force == Force::overrides && override_range(id, attempt);
    } else {
      fixed = bump_direct(id, attempt);
    }
    if (!fixed) name_blocker(id, attempt);
  }
  if (fixed) {
    const Fix& fix = fixes_[before];
    attempt.considered.push_back(
        {fix.strategy, fix.to.empty() ? "" : fix.package + " " + fix.to, fix.why, true});
    attempt.fate = Fate::fixed;
    attempt.blocker = Blocker::none;
    attempt.reason = fix.why;
  } else {
    say_bounds(bounds_, attempt);
  }
  attempts_[id] = std::move(attempt);
  return fixed;
}

}  // namespace cg::plan
