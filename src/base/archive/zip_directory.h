// The central directory of a zip: what the archive says of itself, and whether the
// bytes agree.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/archive/error.h"
#include "base/base/result.h"

namespace cg::archive {

/// One entry after every check that needs no unpacking.
struct ZipRecord {
  std::string_view name;
  std::string_view packed;
  std::uint64_t size = 0;    // unpacked
  std::uint64_t offset = 0;  // of its local header
  std::uint32_t crc = 0;
  bool deflated = false;
  bool folder = false;
};

/// The records in the order of the directory. Refuses encrypted entries, other
/// methods than stored and deflate, several disks, unsafe and repeated names, local
/// headers that contradict the directory, and entries that share bytes with each
/// other or with the directory. Nothing may stand between the directory and its end
/// record, nor after that: then every reader finds the same directory.
[[nodiscard]] Result<std::vector<ZipRecord>, Error> read_zip_directory(std::string_view bytes,
                                                                       const Limits& limits);

}  // namespace cg::archive
