// The strategies that need no dependent to change: dedupe, relock, direct bump.
#include <algorithm>

#include "fix/plan/fixing.h"
#include "fix/plan/spec_style.h"
#include "npm/semver/caret.h"

namespace cg::plan {

using resolve::CopyId;
using resolve::kNone;

namespace {

constexpr std::size_t kMaxTries = 8;  // versions per strategy
std::string tries_bound() {
  return "no more than " + std::to_string(kMaxTries) + " versions are tried";
}

}  // namespace

/// A nested copy may be superfluous: one further up is safe and does for everybody.
bool Fixing::dedupe(CopyId id) {
  if (!allowed(Strategy::relock) || tree_.copy(id).holder == tree_.root()) return false;
  const std::vector<Asker> askers = tree_.askers(id);
  const resolve::Tree::Mark mark = tree_.mark();
  tree_.remove(id);
  std::string other;
  for (const Asker& asker : askers) {
    if (tree_.copy(asker.from).gone) continue;
    const resolve::Need& need = tree_.need(asker);
    const CopyId now = tree_.resolve(asker.from, need);
    if (now == kNone || !tree_.fits(asker.from, need, now) || is_vulnerable(now) ||
        tree_.copy(now).source != npm::Source::registry) {
      tree_.roll_back(mark);
      return false;
    }
    other = who(now);
  }
  if (other.empty()) {
    tree_.roll_back(mark);
    return false;
  }
  accept(mark, id, Strategy::relock, "npm-dedupe",
         other + " is there already and does for everybody who asks");
  return true;
}

bool Fixing::relock(CopyId id, Attempt& attempt) {
  if (!allowed(Strategy::relock)) return false;
  const std::vector<Asker> askers = tree_.askers(id);
  std::size_t tries = 0;
  for (const std::size_t at : safe_) {
    const Offer version = offer(at);
    if (!std::all_of(askers.begin(), askers.end(),
                     [&](const Asker& asker) { return takes(asker, version); })) {
      continue;
    }
    if (++tries > kMaxTries) {
      bounds_.insert(tries_bound());
      break;
    }
    // Asked before the move, which may move those who ask.
    const bool forced = std::any_of(askers.begin(), askers.end(), [&](const Asker& asker) {
      const resolve::Rule* rule = tree_.rule_for(asker.from, tree_.need(asker));
      return rule != nullptr && rule->own;
    });
    const resolve::Tree::Mark mark = tree_.mark();
    if (move(id, version, attempt, Strategy::relock)) {
      if (forced) {
        accept(mark, id, Strategy::override_rule, "npm-override",
               "an override of this plan asks for it");
      } else {
        accept(mark, id, Strategy::relock, "npm-relock", "every dependent's range takes it");
      }
      return true;
    }
    tree_.roll_back(mark);
  }
  if (tries == 0) {
    const auto refusers = refusing(id, offer(safe_.front()));
    note(attempt, Strategy::relock, "",
         refusers.empty() ? "nobody asks for it"
                          : "no safe version is in range: " + asks(refusers.front()));
  }
  return false;
}

/// Lets importers ask for the offer, as long as that breaks nothing by its number, or another
/// tier chose it. True if everybody takes it then.
bool Fixing::let_importers_take(CopyId id, const Offer& offer) {
  const semver::Version* current = tree_.copy(id).version;
  if (current == nullptr) return false;
  for (const Asker& asker : refusing(id, offer)) {
    const resolve::Need& need = tree_.need(asker);
    if (!tree_.copy(asker.from).is_importer()) continue;
    // A rule that refers to the manifest follows it.
    const resolve::Rule* rule = tree_.rule_for(asker.from, need);
    if (rule != nullptr && rule->value != "$" + std::string(tree_.name(need.name))) return false;
    if (tree_.ranges().get(need.spec).kind != resolve::Want::Kind::range) return false;
    if (semver::is_breaking(*current, offer.version()) &&
        input_.options.target_for(tree_.copy(id).package) == nullptr) {
      return false;
    }
    tree_.respec(asker, restyle(need.spec, offer.version()));
  }
  return refusing(id, offer).empty();
}

bool Fixing::bump_direct(CopyId id, Attempt& attempt) {
  const Target* target = input_.options.target_for(tree_.copy(id).package);
  if (target == nullptr && !allowed(Strategy::direct_bump)) return false;
  const Strategy strategy = target == nullptr ? Strategy::direct_bump : target->strategy;
  const std::vector<Asker> askers = tree_.askers(id);
  const bool direct = std::any_of(askers.begin(), askers.end(), [&](const Asker& asker) {
    return tree_.copy(asker.from).is_importer();
  });
  if (!direct) return false;
  std::size_t tries = 0;
  for (const std::size_t at : safe_) {
    const Offer version = offer(at);
    const resolve::Tree::Mark mark = tree_.mark();
    if (!let_importers_take(id, version)) {
      tree_.roll_back(mark);
      continue;
    }
    if (++tries > kMaxTries) {
      tree_.roll_back(mark);
      bounds_.insert(tries_bound());
      break;
    }
    if (move(id, version, attempt, strategy)) {
      accept(mark, id, strategy, target == nullptr ? "npm-direct-bump" : kModelRecipe,
             "the manifest asks for it now");
      return true;
    }
    tree_.roll_back(mark);
  }
  if (tries == 0) {
    note(attempt, strategy, "",
         target == nullptr ? "not without a breaking change, or others refuse it"
                           : "others refuse it");
  }
  return false;
}

/// After everything failed: who stood in the way of the lowest safe version.
void Fixing::name_blocker(CopyId id, Attempt& attempt) {
  if (attempt.blocker == Blocker::peer) return;
  const std::vector<Asker> refusers = refusing(id, offer(safe_.front()));
  const std::string target = offer(safe_.front()).text();
  const auto importer = std::find_if(refusers.begin(), refusers.end(), [&](const Asker& asker) {
    return tree_.copy(asker.from).is_importer();
  });
  if (importer != refusers.end()) {
    attempt.fate = Fate::handed_on;
    attempt.blocker = Blocker::major;
    attempt.reason =
        "major bump needed: " + asks(*importer) + ", the lowest safe version is " + target;
    return;
  }
  attempt.blocker = Blocker::range;
  if (refusers.empty()) {
    attempt.reason = target + " is in range, but what it needs cannot be had";
    return;
  }
  const resolve::Rule* rule = tree_.rule_for(refusers.front().from, tree_.need(refusers.front()));
  if (rule != nullptr && !rule->own) {
    attempt.blocker = Blocker::override_rule;
    attempt.reason = "the override `" + rule->path.back() + "`: `" + rule->value +
                     "` of package.json refuses " + target;
    return;
  }
  attempt.reason = asks(refusers.front()) + ", the lowest safe version is " + target;
}

}  // namespace cg::plan
