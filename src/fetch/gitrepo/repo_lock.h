// RepoLock: one remediation at a time per repository.
//
// A flock(2) on a small file in the workspace, named after the repository: the kernel
// lets go of it when the process dies, however it dies. All work trees of a repository
// share one lock, because they share its branches. Two workspaces do not.
#pragma once

#include <optional>
#include <string>

#include "base/base/result.h"
#include "base/domain/error.h"
#include "base/os/dir.h"

namespace cg::gitrepo {

class RepoLock {
 public:
  /// Does not wait: a repository that is locked is a Problem git_busy, exit 8, which
  /// names the process that holds it. `folder` is any folder, with git or without.
  [[nodiscard]] static Result<RepoLock, Problem> acquire(const os::Dir& home,
                                                         const std::string& folder);
  RepoLock(RepoLock&&) noexcept = default;
  RepoLock& operator=(RepoLock&&) noexcept = default;
  RepoLock(const RepoLock&) = delete;
  RepoLock& operator=(const RepoLock&) = delete;
  ~RepoLock() = default;  // the descriptor closes, and with it the lock

 private:
  explicit RepoLock(os::Fd fd) : fd_(std::move(fd)) {}
  os::Fd fd_;
};

/// "locks/<digest>" for `folder`: of its repository's common folder, or of itself.
[[nodiscard]] std::optional<std::string> lock_name(const std::string& folder);

}  // namespace cg::gitrepo
