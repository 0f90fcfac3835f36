// One digest for a whole folder, from the digests of its files.
#pragma once

#include <string>
#include <vector>

#include "trust/hash/digest.h"

namespace cg::hash {

struct TreeEntry {
  enum class Kind : unsigned char { file = 'f', executable = 'x' };
  std::string path;  // relative, forward slashes
  Kind kind = Kind::file;
  Digest content{};  // BLAKE3 of the bytes
};

/// Depends on paths, kinds and contents, not on the order given, and no two
/// different folders are written to the hash as the same bytes.
[[nodiscard]] Digest tree_digest(std::vector<TreeEntry> entries);

}  // namespace cg::hash
