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

void collect_consistency(std::span<const Digest> leaves, std::uint64_t old_size, bool whole,
                         std::vector<Digest>& path) {
  if (old_size == leaves.size()) {
    if (!whole) path.push_back(tree_root(leaves));
    return;
  }
  const std::uint64_t k = left_size(leaves.size());
  if (old_size <= k) {
    collect_consistency(leaves.first(k), old_size, whole, path);
    path.push_back(tree_root(leaves.subspan(k)));
  } else {
    collect_consistency(leaves.subspan(k), old_size - k, false, path);
    path.push_back(tree_root(leaves.first(k)));
  }
}

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

std::vector<Digest> consistency_path(std::span<const Digest> leaves, std::uint64_t old_size) {
  CG_ASSERT(old_size > 0 && old_size <= leaves.size());
  std::vector<Digest> path;
  collect_consistency(leaves, old_size, true, path);
  return path;
}

bool proves_consistency(std::uint64_t old_size, const Digest& old_root, std::uint64_t size,
                        const Digest& root, std::span<const Digest> path) {
  if (old_size == 0 || old_size > size) return false;
  if (old_size == size) return path.empty() && old_root == root;
  // RFC 9162, 2.1.4.2: a whole left subtree is its own first proof element.
  std::vector<Digest> steps(path.begin(), path.end());
  if (std::has_single_bit(old_size)) steps.insert(steps.begin(), old_root);
  if (steps.empty()) return false;
  std::uint64_t node = old_size - 1;
  std::uint64_t last = size - 1;
  while ((node & 1U) != 0) {
    node >>= 1U;
    last >>= 1U;
  }
  Digest from_old = steps[0];
  Digest from_new = steps[0];
  for (std::size_t i = 1; i < steps.size(); ++i) {
    if (last == 0) return false;
    if ((node & 1U) != 0 || node == last) {
      from_old = node_hash(steps[i], from_old);
      from_new = node_hash(steps[i], from_new);
      while ((node & 1U) == 0 && node != 0) {
        node >>= 1U;
        last >>= 1U;
      }
    } else {
      from_new = node_hash(from_new, steps[i]);
    }
    node >>= 1U;
    last >>= 1U;
  }
  return last == 0 && from_old == old_root && from_new == root;
}

}  // namespace cg::hash
