// The difference between two trees as text that `git apply` takes.
#pragma once

#include <string>
#include <vector>

#include "fetch/gitrepo/types.h"
#include "repository.h"

namespace cg::git {

struct TreeDiff {
  std::string text;
  std::vector<gitrepo::LineCount> counts;  // of its files, in their order
};

/// As `git diff --full-index --binary --no-renames` writes it without configuration: no
/// attribute, driver or filter of the repository is asked. `from` may be null.
[[nodiscard]] Result<TreeDiff, Error> diff_trees(git_repository* repo, git_tree* from,
                                                 git_tree* to);

}  // namespace cg::git
