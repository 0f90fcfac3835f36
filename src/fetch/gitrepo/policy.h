// What codegenie-git gives up before it opens a repository, as a value.
#pragma once

#include <string>

#include "base/base/result.h"
#include "fetch/gitrepo/locate.h"
#include "fetch/gitrepo/orders.h"
#include "jail/seal/seal.h"

namespace cg::gitrepo {

/// Reading: the work tree and the repository. Writing a branch: objects/ and refs/ of
/// the repository too, so neither HEAD, index, config nor a file of the work tree can
/// be changed, whatever a hostile repository makes of the program. Exporting: the one
/// folder. No socket, no program, no process, no signal, no executable memory; anything
/// else ends it.
[[nodiscard]] Result<seal::Policy, seal::Error> git_policy(const Location& location,
                                                           const Order& order);

}  // namespace cg::gitrepo
