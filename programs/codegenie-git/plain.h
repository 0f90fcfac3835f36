// What stands in a git folder: files and folders, and nothing that would make us wait.
#pragma once

#include <string>

#include "refuse.h"

namespace cg::git {

/// libgit2 opens whatever has the right name, and opening a pipe waits for whoever writes into
/// it. So before it looks, every name beneath `folder` is: a pipe, a socket or a device anywhere
/// is refused, and so is a symbolic link where git keeps what we read, since it leads elsewhere.
/// A name that is put there later still meets the time limit of an order.
[[nodiscard]] Result<Done, Error> check_plain(const std::string& folder);

}  // namespace cg::git
