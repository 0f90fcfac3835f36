// Beginning: what must hold before anything is done.
#pragma once

#include <string>

#include "flow/job/request.h"
#include "flow/supplies/surroundings.h"
#include "flow/workspace/access.h"

namespace cg::remediate {

/// That branches can be written into the repository: not found out when a proof is there.
[[nodiscard]] Result<Done, Problem> check_owner(const job::Request& request,
                                                const std::string& repo);
/// That the log holds.
[[nodiscard]] Result<Done, Problem> check_log(const workspace::Access& access,
                                              supplies::Watcher& watcher);

}  // namespace cg::remediate
