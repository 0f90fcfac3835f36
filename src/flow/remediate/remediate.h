// The remediation of a repository, top to bottom.
#pragma once

#include "flow/job/request.h"
#include "flow/remediate/remediation.h"
#include "flow/supplies/surroundings.h"

namespace cg::remediate {

/// Does what `request` asks for and records it as a workflow. The user's checkout, index
/// and stash are not touched.
[[nodiscard]] Result<Remediation, Problem> remediate(const job::Request& request,
                                                     const supplies::Surroundings& surroundings,
                                                     supplies::Watcher& watcher);

}  // namespace cg::remediate
