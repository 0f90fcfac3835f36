// The Merkle tree of RFC 6962: hashes, roots, inclusion proofs.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trust/hash/digest.h"

namespace cg::hash {

[[nodiscard]] Digest leaf_hash(ByteView entry);
[[nodiscard]] Digest node_hash(const Digest& left, const Digest& right);
/// The root of the tree with these leaf hashes; of none, SHA-256 of nothing.
[[nodiscard]] Digest tree_root(std::span<const Digest> leaves);

/// The audit path of leaf `index`, lowest sibling first. `index` must be inside.
[[nodiscard]] std::vector<Digest> inclusion_path(std::span<const Digest> leaves,
                                                 std::uint64_t index);
/// True if `path` proves that `leaf` is number `index` of the tree of `size`
/// leaves with `root`. A path that is too long or too short proves nothing.
[[nodiscard]] bool proves_inclusion(const Digest& leaf, std::uint64_t index, std::uint64_t size,
                                    std::span<const Digest> path, const Digest& root);

}  // namespace cg::hash
