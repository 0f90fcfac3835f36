#include "trust/hash/merkle.h"

#include <bit>

#include "base/base/assert.h"
#include "trust/hash/sha256.h"

namespace cg::hash {

namespace {

constexpr Byte kLeaf = 0;
constexpr Byte kNode = 1;

/// The largest power of two below `size` (RFC 6962's k). `size` is at least 2.
std::uint64_t left_size(std::uint64_t size) { return std::bit_floor(size - 1); }

}  // namespace

Digest leaf_hash(ByteView entry) { return sha256({&kLeaf, 1}, entry); }

Digest node_hash(const Digest& left, const Digest& right) {
  return sha256({&kNode, 1}, left, right);
}

Digest tree_root(std::span<const Digest> leaves) {
  if (leaves.empty()) return sha256({});
  if (leaves.size() == 1) return leaves[0];
  const std::uint64_t k = left_size(leaves.size());
  return node_hash(tree_root(leaves.first(k)), tree_root(leaves.subspan(k)));
}

std::vector<Digest> inclusion_path(std::span<const Digest> leaves, std::uint64_t index) {
  CG_ASSERT(index < leaves.size());
  if (leaves.size() == 1) return {};
  const std::uint64_t k = left_size(leaves.size());
  const bool left = index < k;
  std::vector<Digest> path =
      left ? inclusion_path(leaves.first(k), index) : inclusion_path(leaves.subspan(k), index - k);
  path.push_back(tree_root(left ? leaves.subspan(k) : leaves.first(k)));
  return path;
}

bool proves_inclusion(const Digest& leaf, std::uint64_t index, std::uint64_t size,
                      std::span<const Digest> path, const Digest& root) {
  if (index >= size) return false;
  std::uint64_t node = index;
  std::uint64_t last = size - 1;
  Digest hash = leaf;
  for (const Digest& sibling : path) {
    if (last == 0) return false;
    if ((node & 1U) != 0 || node == last) {
      hash = node_hash(sibling, hash);
      while ((node & 1U) == 0 && node != 0) {
        node >>= 1U;
        last >>= 1U;
      }
    } else {
      hash = node_hash(hash, sibling);
    }
    node >>= 1U;
    last >>= 1U;
  }
  return last == 0 && hash == root;
}

}  // namespace cg::hash
