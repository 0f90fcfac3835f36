// self-check sandbox: what a chamber on this machine really has.
#pragma once

#include <vector>

#include "checks.h"

namespace cg::program {

/// Opens a jail, asks it what is in force and closes it again. A layer that is missing is a
/// warning, so that --strict decides.
[[nodiscard]] std::vector<Finding> check_sandbox();

}  // namespace cg::program
