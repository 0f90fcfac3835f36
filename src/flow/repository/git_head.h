// GitHead: which commit is checked out, read from git's files by hand.
//
// No git is run and no library asked, so nothing in the repository's configuration can
// act. What cannot be told from HEAD, a loose ref and packed-refs is said to be so.
#pragma once

#include <string>
#include <string_view>

#include "base/os/dir.h"
#include "flow/repository/files.h"

namespace cg::repository {

struct GitHead {
  enum class State {
    none,      // no .git here
    branch,    // `ref` and `commit`
    detached,  // `commit` alone
    unborn,    // `ref` without a commit yet
    linked,    // .git is a file, as in worktrees and submodules; `what` is where it points
    unknown,   // `what` says why
  };
  State state = State::none;
  std::string ref;     // "refs/heads/main"
  std::string commit;  // 40 or 64 hexadecimal digits
  std::string what;
};
[[nodiscard]] std::string_view name(GitHead::State state);

[[nodiscard]] GitHead read_git_head(const os::Dir& dir, RepoFiles::Git git);

}  // namespace cg::repository
