// The planner for locks of yarn and pnpm, where one entry stands for every installed
// copy of a version. No package can be added to such a lock: a fix that needs one is
// refused by its name.
#pragma once

#include "fix/plan/input.h"
#include "fix/plan/plan.h"

namespace cg::plan {

/// For yarn.lock and pnpm-lock.yaml. Equal inputs give equal plans, and what the plan
/// says of the lock can be written: it was tried.
[[nodiscard]] Plan plan_flat(const Input& input);

}  // namespace cg::plan
