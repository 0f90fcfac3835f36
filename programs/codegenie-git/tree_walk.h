// Every file of a tree, in its order, bounded.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "repository.h"

namespace cg::git {

/// `id` of a file, link or submodule, by `mode`.
struct TreeFile {
  std::string path;
  git_filemode_t mode;
  git_oid id;
};

using Visit = std::function<Result<Done, Error>(const TreeFile&)>;

/// Folders with a name in `without` are not entered. A tree that is too deep, too large
/// or has a name that no honest git makes ends the walk.
[[nodiscard]] Result<Done, Error> walk(git_repository* repo, const git_tree* top,
                                       const std::vector<std::string>& without, const Visit& visit);

}  // namespace cg::git
