// Learning: a person's own fix of what recipes leave, proven like any other and remembered.
#pragma once

#include "flow/handmade/fix.h"
#include "flow/remediate/workshop.h"

namespace cg::remediate {

/// The fix that the request names, signed by somebody who may. The base becomes the commit before
/// it, unless another one is named.
[[nodiscard]] Result<handmade::Fix, Problem> read_handmade(const workspace::Access& access,
                                                           job::Request& request, Time now);

/// Each group of copies that is asked for as Remediation::taught, and the exit code. No branch is
/// made, and what fails is no example of anything. The end of the workflow.
[[nodiscard]] Result<Done, Problem> learn_from(const handmade::Fix& fix, const Given& given,
                                               propose::Situation& situation,
                                               const std::vector<propose::LockPlan>& plans);

}  // namespace cg::remediate
