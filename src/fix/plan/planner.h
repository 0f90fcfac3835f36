// The planner for npm's trees: every vulnerable copy gets a fix or the name of what
// stands in its way.
#pragma once

#include "fix/plan/input.h"
#include "fix/plan/plan.h"

namespace cg::plan {

/// For package-lock.json and npm-shrinkwrap.json. Equal inputs give equal plans.
[[nodiscard]] Plan plan_npm(const Input& input);

}  // namespace cg::plan
