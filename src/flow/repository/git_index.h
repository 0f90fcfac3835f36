// GitIndex: which files git tracks, read from its index by hand.
//
// A scan runs no git and asks no library, so nothing in a repository's configuration can act; and
// which lockfiles are tracked it must know, or a folder that is not looked into could hide one.
// Versions 2 to 4 are read, with names by SHA-1 or SHA-256. An index that keeps its entries
// elsewhere (split) or leaves folders whole (sparse) does not tell all, and is not read.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/base/result.h"

namespace cg::repository {

inline constexpr std::size_t kMaxIndexBytes = 256U << 20U;
inline constexpr std::size_t kMaxIndexPath = 4096;

struct IndexEntry {
  std::string_view path;  // from the top of the work tree; holds while `each` runs
  bool absent = false;    // a sparse checkout leaves it out of the work tree
};

/// Calls `each` for every entry in its order. The error is one printable line; entries before
/// the damage may have been told.
[[nodiscard]] Result<Done, std::string> read_git_index(
    std::string_view bytes, const std::function<void(const IndexEntry&)>& each);

}  // namespace cg::repository
