// Which files of interest differ from HEAD, told by their bytes.
//
// Not by git's status: that obeys filters, attributes and file system monitors, which
// are programs. Here a file is read, hashed and compared; line ends that a checkout
// may have changed do not count.
#pragma once

#include <vector>

#include "fetch/gitrepo/types.h"
#include "repository.h"

namespace cg::git {

/// `head` is null while there is no commit yet.
[[nodiscard]] Result<std::vector<gitrepo::DirtyFile>, Error> find_dirty(
    git_repository* repo, const Location& location, const git_tree* head,
    const gitrepo::Filter& interest);

}  // namespace cg::git
