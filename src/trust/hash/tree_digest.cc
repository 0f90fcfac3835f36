#include "trust/hash/tree_digest.h"

#include <algorithm>

#include "trust/hash/blake3.h"

namespace cg::hash {

Digest tree_digest(std::vector<TreeEntry> entries) {
  std::sort(entries.begin(), entries.end(),
            [](const TreeEntry& a, const TreeEntry& b) { return a.path < b.path; });
  Blake3 hasher("codegenie 2026 tree digest v1");
  hasher.update(to_le64(entries.size()));
  for (const TreeEntry& entry : entries) {
    const auto kind = static_cast<Byte>(entry.kind);
    hasher.update(to_le64(entry.path.size())).update(as_bytes(entry.path));
    hasher.update({&kind, 1}).update(entry.content);
  }
  return hasher.finish();
}

}  // namespace cg::hash
