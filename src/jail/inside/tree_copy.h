// A copy of a folder with everything in it, that nothing in it can lead astray.
//
// Links are copied as links and never followed; devices, sockets and pipes are refused.
// Set-user-id bits are left behind, and what is copied can be written by its owner.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/base/result.h"
#include "base/os/fd.h"

namespace cg::inside {

struct CopyLimits {
  std::uint64_t bytes = 4ULL << 30U;
  std::uint64_t entries = 2'000'000;
  unsigned depth = 200;  // folders inside each other
};

/// What a copy may find where it goes: nothing, or files that it takes the place of. What would
/// have to become a folder, or is a link, is left as it is.
enum class Onto { nothing, what_is_there };

/// How a copy differs from what it is a copy of.
struct Changes {
  std::string left_out;                        // folders of this name are made and stay empty
  std::map<std::string, std::string> planted;  // relative path -> what the file holds instead
  Onto onto = Onto::nothing;
};

/// The folders that were left empty, relative. The error is one printable line.
[[nodiscard]] Result<std::vector<std::string>, std::string> copy_tree(const os::Fd& from,
                                                                      const os::Fd& to,
                                                                      const CopyLimits& limits,
                                                                      const Changes& changes = {});

/// Makes links, relative path -> target, and the folders that they are in. Where something is
/// already, or the way leads through something else than folders, it stays as it is.
[[nodiscard]] Result<Done, std::string> add_links(const os::Fd& to,
                                                  const std::map<std::string, std::string>& links);

}  // namespace cg::inside
