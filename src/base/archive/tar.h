// tar: read as POSIX ustar with pax paths and sizes, written as plain ustar.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/archive/error.h"
#include "base/base/result.h"

namespace cg::archive {

/// Headers and contents each fill whole blocks.
inline constexpr std::size_t kTarBlock = 512;

/// Hands out the regular files in their order; contents are views into `bytes`, so
/// nothing is copied. Long names come from pax `path` or GNU's `L` entries, sizes
/// from pax `size`. Folders, links and devices are counted as skipped; a sparse file
/// is refused because its bytes are not its content.
///
/// An archive ends with a block of zeros; what follows must be zeros too. One that
/// stops without it is truncated: tar would accept it, but so would we a download
/// that was cut off.
[[nodiscard]] Result<Counts, Error> read_tar(std::string_view bytes, const Limits& limits,
                                             const OnEntry& on_entry);

/// Builds a tar whose bytes depend on names, contents and `mtime` alone: owner 0,
/// mode 0644, no user names. Add files in the order that is to be kept.
class TarWriter {
 public:
  /// `mtime` is in seconds since 1970.
  explicit TarWriter(std::uint64_t mtime) : mtime_(mtime) {}

  /// Refuses an unsafe name, one that ustar cannot hold (up to 100 bytes, or up to
  /// 155 more before a slash), and content of 8 GiB or more.
  [[nodiscard]] Result<Done, Error> add(std::string_view name, std::string_view content);
  [[nodiscard]] std::string finish() &&;

 private:
  std::uint64_t mtime_;
  std::string out_;
};

}  // namespace cg::archive
