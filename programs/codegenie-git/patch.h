// The difference between two trees as text that `git apply` takes.
#pragma once

#include <string>

#include "repository.h"

namespace cg::git {

/// As `git diff --full-index --binary --no-renames` writes it without configuration: no
/// attribute, driver or filter of the repository is asked. `from` may be null.
[[nodiscard]] Result<std::string, Error> diff_text(git_repository* repo, git_tree* from,
                                                   git_tree* to);

}  // namespace cg::git
