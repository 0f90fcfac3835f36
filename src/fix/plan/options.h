// Options: what policy, recipes and flags say about which fixes may be chosen.
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/base/time.h"
#include "fix/plan/plan.h"
#include "npm/semver/range.h"

namespace cg::plan {

enum class Prefer { lowest, highest };

/// Whether a fix may bring a script that runs when it is installed, where the copy it
/// replaces had none.
enum class NewScripts { allow, refuse };

/// Whether an override may force a version that breaks with the one asked for.
enum class AcrossMajor { allow, refuse };

/// A version that an earlier attempt brought, and that did not pass the gates.
struct Tried {
  std::string package;
  std::string version;
  friend auto operator<=>(const Tried&, const Tried&) = default;
};

/// What another tier chose for a package: the recipes of the planner stand back for it, and
/// a direct dependency may cross a breaking version.
struct Target {
  std::string package;
  std::string version;                             // empty: the best one that is safe
  Strategy strategy = Strategy::callsite_rewrite;  // that, direct_bump or override_rule
};

struct Options {
  Prefer prefer = Prefer::lowest;
  /// The nodes that the repository says it runs on: a fix has to run on all of them that
  /// count (nodes.h). Nothing: engines are not looked at.
  std::optional<semver::Range> node;
  Time now{};
  int cooldown_days = 0;  // a version younger than this is not chosen, where the age is known
  NewScripts new_scripts = NewScripts::allow;
  AcrossMajor across_major = AcrossMajor::allow;
  int max_parents = 3;         // how many dependents one above the other may be raised
  std::size_t max_moved = 12;  // entries that a parent bump may change before an override is better
  std::size_t max_forced = 40;  // entries that an override may change before a person should look
  int override_days = 180;      // until an override should be looked at again
  std::vector<Strategy> strategies;  // in the order to try; empty: all
  std::vector<Tried> tried;          // not to be chosen again
  std::vector<Target> targets;       // by package, at most one for each
  /// Null: recipes decide.
  [[nodiscard]] const Target* target_for(std::string_view package) const {
    for (const Target& target : targets) {
      if (target.package == package) return &target;
    }
    return nullptr;
  }
};

}  // namespace cg::plan
