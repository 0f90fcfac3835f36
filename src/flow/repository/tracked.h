// Tracked: the lockfiles that git knows of in a repository, wherever they lie.
//
// What discover() finds is what is read. A lock that git tracks and that is not among it is
// skipped, and said to be: whoever could put one into a folder that nobody looks into would
// otherwise have a repository that is found clean.
#pragma once

#include <string>
#include <vector>

#include "base/os/dir.h"
#include "flow/repository/files.h"

namespace cg::repository {

struct TrackedLock {
  std::string path;  // from the folder of the repository
  std::string why;   // it cannot be read, as far as whoever lists them knows; else empty
};

struct Tracked {
  enum class State {
    listed,
    no_git,   // a plain folder: nothing is
    unknown,  // `what` says why
  };
  State state = State::no_git;
  std::vector<TrackedLock> locks;
  std::string what;
};

/// From the index of the repository that `folder` is in, or is; no git runs.
[[nodiscard]] Tracked read_tracked(const std::string& folder);

/// discover(), and into RepoFiles::skipped what git tracks of all that is not looked at. Where it
/// cannot be told what is tracked, every lock in a folder that tools fill may be, and counts.
[[nodiscard]] RepoFiles discover_tracked(const os::Dir& dir, const Tracked& tracked);

}  // namespace cg::repository
