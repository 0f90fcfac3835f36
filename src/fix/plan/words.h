// What both planners say about a copy in the same words. Private to this module.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "fix/plan/input.h"
#include "fix/plan/market.h"
#include "fix/plan/plan.h"

namespace cg::plan {

/// What became of the last try to fix a copy.
struct Attempt {
  std::vector<Considered> considered;
  Fate fate = Fate::blocked;
  Blocker blocker = Blocker::none;
  std::string reason;
  std::string passed_over;  // why not the best safe version, where another may be chosen
};

/// The versions above `version` that may be chosen, best first. None: `attempt` says why, but
/// for the reason where no version at all would do (Fate::no_fix).
[[nodiscard]] std::vector<std::size_t> choose_safe(Offers& offers, const semver::Version& version,
                                                   bool had_script, const Options& options,
                                                   Attempt& attempt);

/// The copy that a hit speaks of, and the ways that were looked at; not yet its fate.
[[nodiscard]] Copy copy_of(const Input& input, const findings::Hit& hit, const Attempt& attempt);
/// It is as it was: why.
void leave(const findings::Hit& hit, const Attempt& attempt, Copy& out);
/// It is as it was, and planning ended while something still moved.
void say_passes(int passes, Copy& out);
/// Why not the best version, and the bounds at which the search for a fix ended.
void say_bounds(const std::set<std::string>& bounds, Attempt& attempt);

/// The edit of an importer's manifest; made if there is none. The lock may lie in a folder
/// of the repository, and its importers beneath it.
[[nodiscard]] edit::ManifestEdit& manifest_edit(const Input& input, const std::string& importer,
                                                Plan& plan);

}  // namespace cg::plan
