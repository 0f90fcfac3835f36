// Where the parts of a repository are, found by hand.
//
// Run before codegenie-git shuts itself in, because what it may reach is decided by
// this: so it follows nothing that the other side does not confirm. A `.git` that is a
// symbolic link, or a file that points to a folder which does not point back, is
// refused, and a repository in a folder above must be ours.
#pragma once

#include <string>

#include "base/base/result.h"
#include "fetch/gitrepo/error.h"

namespace cg::gitrepo {

/// Absolute, symbolic links resolved.
struct Location {
  std::string work_tree;   // "" for a bare repository
  std::string git_dir;     // HEAD and index of this work tree
  std::string common_dir;  // objects and refs
  std::string prefix;      // from work_tree to the folder named, "" or without slashes at its ends
  bool linked = false;
};

[[nodiscard]] Result<Location, Error> locate(const std::string& folder);

/// Whether a branch could be written. codegenie-git gives up root's powers over the files of
/// others, so root too has to own the repository, or be let in by its modes.
[[nodiscard]] Result<Done, Error> check_writable(const Location& location);

}  // namespace cg::gitrepo
