// Parent bump: a dependent's range is in the way, and a newer dependent has another.
//
// For each dependent that takes none of the safe versions, its own newer releases are looked at:
// one will do that needs the package no more or takes a safe version of it. That release has to
// land in the tree, which its own dependents may refuse; then they are raised in the same way, one
// level further up. Example: `a` is vulnerable, `p 1` pins it, `q 1` pins `p 1`. `p 2` takes a safe
// `a` but `q 1` refuses `p 2`, so `q 2` is looked for, which takes `p 2`.
//
// It ends: every level costs one of `max_parents`, at most kMaxAcceptable releases are looked at
// and kMaxLandings of them put into the tree. Whatever does not free the copy is rolled back whole.
#include <algorithm>

#include "fix/plan/fixing.h"

namespace cg::plan {

using resolve::CopyId;

namespace {

constexpr std::size_t kMaxAcceptable = 40;  // versions of a dependent that are looked into
constexpr std::size_t kMaxLandings = 4;     // of them tried

}  // namespace

/// True of a release that does not need `name`, or takes one of the offers.
Fixing::Good Fixing::needs_any(resolve::NameId name, const std::vector<Offer>& offers) {
  return [this, name, offers](const registry::Release& release) {
    for (const registry::Need& need : release.needs) {
      if (need.name != tree_.name(name)) continue;
      const resolve::Want& want = tree_.ranges().get(need.range);
      const std::string_view asked = want.name.empty() ? std::string_view(need.name) : want.name;
      return std::any_of(offers.begin(), offers.end(), [&](const Offer& offer) {
        return asked == offer.of->packument().name() && want.takes(offer.version());
      });
    }
    return true;
  };
}

/// Puts the first acceptable version that everybody takes, importers after a change of
/// their manifests if need be.
bool Fixing::land(CopyId id, const std::vector<Offer>& acceptable) {
  std::size_t tries = 0;
  for (const Offer& offer : acceptable) {
    const resolve::Tree::Mark mark = tree_.mark();
    if (!let_importers_take(id, offer)) {
      tree_.roll_back(mark);
      continue;
    }
    if (++tries > kMaxLandings) {
      tree_.roll_back(mark);
      bounds_.insert("no more than " + std::to_string(kMaxLandings) + " versions of " +
                     std::string(tree_.copy(id).package) + " are tried");
      break;
    }
    Attempt unused;
    if (move(id, offer, unused, Strategy::parent_bump)) return true;
    tree_.roll_back(mark);
  }
  return false;
}

bool Fixing::raise_askers(CopyId id, const std::vector<Offer>& acceptable, int depth) {
  const Good good = needs_any(tree_.copy(id).folder, acceptable);
  // Raising one dependent may change or remove others: each is looked at as it is then.
  std::vector<CopyId> dependents;
  for (const Asker& asker : tree_.askers(id)) dependents.push_back(asker.from);
  for (const CopyId from : dependents) {
    if (tree_.copy(id).gone) return true;
    const std::vector<Asker> askers = tree_.askers(id);
    const auto still = std::find_if(askers.begin(), askers.end(),
                                    [&](const Asker& asker) { return asker.from == from; });
    if (still == askers.end()) continue;
    const Asker asker = *still;
    const bool takes_one = std::any_of(acceptable.begin(), acceptable.end(),
                                       [&](const Offer& offer) { return takes(asker, offer); });
    if (takes_one) continue;
    if (tree_.copy(asker.from).is_importer()) continue;  // land() may change its manifest
    if (!raise(asker.from, good, depth)) return false;
  }
  return true;
}

bool Fixing::raise(CopyId id, const Good& good, int depth) {
  const resolve::Copy& copy = tree_.copy(id);
  too_far_ = too_far_ || depth <= 0;
  if (depth <= 0 || copy.is_importer() || copy.dictated || copy.version == nullptr ||
      copy.source != npm::Source::registry) {
    return false;
  }
  Offers* offers = market_.offers(copy.package);
  if (offers == nullptr) return false;
  const Target* target = input_.options.target_for(copy.package);
  const std::string chosen = target == nullptr ? std::string() : target->version;
  std::vector<Offer> acceptable;
  std::size_t looked = 0;
  for (const std::size_t at : offers->safe_above(*copy.version)) {
    if (!chosen.empty() && offers->packument().version(at).str() != chosen) continue;
    if (++looked > kMaxAcceptable) {
      bounds_.insert("no more than " + std::to_string(kMaxAcceptable) + " versions of " +
                     std::string(copy.package) + " are looked at");
      break;
    }
    if (offers->refused(at, copy.flags.install_script) != Blocker::none) continue;
    if (good(offers->packument().release(at))) acceptable.push_back({offers, at});
  }
  if (acceptable.empty()) return false;
  if (land(id, acceptable)) return true;
  const resolve::Tree::Mark mark = tree_.mark();
  if (raise_askers(id, acceptable, depth - 1)) {
    resolve::prune(tree_, mark);
    if (tree_.copy(id).gone || land(id, acceptable)) return true;
  }
  tree_.roll_back(mark);
  return false;
}

/// A copy inside another package goes when that one is replaced by a release that carries
/// nothing inside.
bool Fixing::replace_bundler(CopyId id, Attempt& attempt) {
  CopyId bundler = tree_.copy(id).holder;
  while (tree_.copy(bundler).dictated) bundler = tree_.copy(bundler).holder;
  const std::string carrier = who(bundler);
  const resolve::Tree::Mark mark = tree_.mark();
  const Good any = [](const registry::Release&) { return true; };
  if (allowed(Strategy::parent_bump) && raise(bundler, any, input_.options.max_parents)) {
    accept(mark, id, Strategy::parent_bump, "npm-parent-bump",
           carrier + " carried it inside; " + who(bundler) + " carries nothing");
    return true;
  }
  tree_.roll_back(mark);
  attempt.blocker = Blocker::bundled;
  attempt.reason = "inside the package of " + carrier +
                   "; only a release of that one that carries nothing vulnerable can change it";
  note(attempt, Strategy::parent_bump, "",
       "no newer " + std::string(tree_.copy(bundler).package) +
           " within reach is known to carry nothing inside");
  return false;
}

bool Fixing::bump_parents(CopyId id, Attempt& attempt) {
  if (!allowed(Strategy::parent_bump)) return false;
  std::vector<Offer> offers;
  for (const std::size_t at : safe_) offers.push_back(offer(at));
  const resolve::Tree::Mark mark = tree_.mark();
  if (!raise_askers(id, offers, input_.options.max_parents)) {
    note(attempt, Strategy::parent_bump, "",
         "no newer dependent within reach takes a safe version" +
             (too_far_ ? "; no more than " + std::to_string(input_.options.max_parents) +
                             " one above the other are raised"
                       : std::string()));
    tree_.roll_back(mark);
    return false;
  }
  resolve::prune(tree_, mark);
  if (!tree_.copy(id).gone && is_vulnerable(id) && !land(id, offers)) {
    note(attempt, Strategy::parent_bump, "", "raising dependents does not free the copy");
    tree_.roll_back(mark);
    return false;
  }
  const auto touched = tree_.touched(mark);
  if (touched.empty()) return false;
  if (touched.size() > input_.options.max_moved) {
    note(attempt, Strategy::parent_bump, "",
         "would change " + std::to_string(touched.size()) + " entries, more than the " +
             std::to_string(input_.options.max_moved) + " that are worth it");
    tree_.roll_back(mark);
    return false;
  }
  // Nothing vulnerable may come in with the new dependents.
  for (const CopyId changed : touched) {
    if (tree_.copy(changed).release == nullptr || !is_vulnerable(changed)) continue;
    note(attempt, Strategy::parent_bump, "",
         "would bring in " + who(changed) + ", which is vulnerable");
    tree_.roll_back(mark);
    return false;
  }
  std::string moved;
  for (const CopyId changed : touched) {
    const resolve::Copy& copy = tree_.copy(changed);
    if (changed == id || copy.gone || copy.release == nullptr || copy.origin == npm::kNoNode)
      continue;
    if (moved.size() < 120) moved += (moved.empty() ? "" : ", ") + who(changed);
  }
  accept(mark, id, Strategy::parent_bump, "npm-parent-bump",
         moved.empty() ? "dependents were raised" : moved + " asks for a safe version");
  return true;
}

}  // namespace cg::plan
