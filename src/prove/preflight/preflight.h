// Preflight: what stands in the way of proving a fix, from files alone, before anything is run.
//
// Facts in, obstacles out. Only what can be seen is told: that tests talk to a server which
// nobody started shows in no file, and whether a script that does not run is missed shows when
// the base is tested. So an obstacle ends nothing unless it is known that the packages cannot be
// installed with it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "prove/preflight/facts.h"
#include "prove/preflight/obstacle.h"

namespace cg::preflight {

/// The worst first, then by kind; bounded.
[[nodiscard]] std::vector<Obstacle> look(const Facts& facts);

/// Why nothing of this lock can be installed, with what to do; empty if nothing blocks.
[[nodiscard]] std::string why_blocked(const std::vector<Obstacle>& all, std::string_view lockfile);

/// For who has a base that does not run: which packages would have run something when they were
/// installed, what, and the line of policy that lets them; empty if there are none.
[[nodiscard]] std::string scripts_hint(const std::vector<Obstacle>& all, std::string_view lockfile);

}  // namespace cg::preflight
