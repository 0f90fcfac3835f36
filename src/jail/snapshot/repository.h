// A folder made into a git repository: one branch, one commit of files that lie in it.
//
// Suites call git. They get a repository that was made for them: nothing of the user's is in it, no
// remote, no hook, no history. It is written directly, since git itself, run over files of others,
// would be one more program to keep from obeying them; and every object is of that one commit, so
// that nothing in it tells which file is new.
#pragma once

#include <string>
#include <vector>

#include "base/base/result.h"

namespace cg::snapshot {

/// A file or link that the commit has.
struct Tracked {
  std::string path;  // in the folder, relative
  std::string at;    // where it lies now; absolute
};

struct Limits {
  std::uint64_t bytes = 512ULL << 20U;  // of all files together
  std::size_t files = 200'000;
};

/// Makes `folder`/.git, in place of whatever is there. What else lies in the folder becomes
/// something that git ignores. `branch` is "main" if it is no plain name of a branch. What has a
/// part called .git in its path, or is neither file nor link, is left out. The error is one
/// printable line; there is no .git then.
[[nodiscard]] Result<Done, std::string> make_repository(const std::string& folder,
                                                        std::vector<Tracked> files,
                                                        const std::string& branch,
                                                        const Limits& limits = {});

}  // namespace cg::snapshot
