// A copy of a folder with everything in it, that nothing in it can lead astray.
//
// Links are copied as links and never followed; devices, sockets and pipes are refused.
// Set-user-id bits are left behind, and what is copied can be written by its owner.
#pragma once

#include <cstdint>
#include <string>

#include "base/base/result.h"
#include "base/os/fd.h"

namespace cg::inside {

struct CopyLimits {
  std::uint64_t bytes = 4ULL << 30U;
  std::uint64_t entries = 2'000'000;
  unsigned depth = 200;  // folders inside each other
};

/// The error is one printable line.
[[nodiscard]] Result<Done, std::string> copy_tree(const os::Fd& from, const os::Fd& to,
                                                  const CopyLimits& limits);

}  // namespace cg::inside
