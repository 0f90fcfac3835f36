#include "trust/record/tile.h"

#include <algorithm>
#include <bit>
#include <optional>

#include "base/base/assert.h"
#include "trust/hash/merkle.h"

namespace cg::record {

std::string tile_path(std::uint64_t level, std::uint64_t index, std::size_t width) {
  const auto three = [](std::uint64_t n) {
    std::string digits = std::to_string(n % 1000);
    return std::string(3 - digits.size(), '0') + digits;
  };
  std::string path = three(index);
  for (index /= 1000; index > 0; index /= 1000) path = "x" + three(index) + "/" + path;
  path = "tile/" + std::to_string(level) + "/" + path;
  return width == kTileWidth ? path : path + ".p/" + std::to_string(width);
}

std::string tile_bytes(const Tile& tile) {
  std::string out;
  out.reserve(tile.hashes.size() * sizeof(hash::Digest));
  for (const hash::Digest& h : tile.hashes) out += as_text(h);
  return out;
}

std::vector<TilePlace> partial_tiles(std::uint64_t size) {
  std::vector<TilePlace> places;
  for (std::uint64_t level = 0; size > 0; ++level, size /= kTileWidth) {
    const auto width = static_cast<std::size_t>(size % kTileWidth);
    if (width > 0) places.push_back({level, size / kTileWidth, width});
  }
  return places;
}

std::optional<TileTree> TileTree::resume(std::uint64_t size,
                                         const std::vector<std::string>& partials) {
  const std::vector<TilePlace> places = partial_tiles(size);
  CG_ASSERT(places.size() == partials.size());
  TileTree tree;
  tree.size_ = size;
  std::uint64_t count = size;
  for (std::uint64_t level = 0; count > 0; ++level, count /= kTileWidth) {
    tree.levels_.push_back({level, count / kTileWidth, {}});
  }
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (partials[i].size() != places[i].width * sizeof(hash::Digest)) return std::nullopt;
    std::vector<hash::Digest>& hashes = tree.levels_[places[i].level].hashes;
    hashes.resize(places[i].width);
    for (std::size_t k = 0; k < hashes.size(); ++k) {
      std::copy_n(partials[i].begin() + static_cast<std::ptrdiff_t>(k * sizeof(hash::Digest)),
                  sizeof(hash::Digest), hashes[k].begin());
    }
  }
  return tree;
}

void TileTree::push(const hash::Digest& leaf, std::vector<Tile>* full) {
  ++size_;
  hash::Digest hash = leaf;
  for (std::uint64_t level = 0;; ++level) {
    if (level == levels_.size()) levels_.push_back({level, 0, {}});
    Tile& tile = levels_[level];
    tile.hashes.push_back(hash);
    if (tile.hashes.size() < kTileWidth) return;
    hash = hash::tree_root(tile.hashes);
    if (full != nullptr) full->push_back(tile);
    ++tile.index;
    tile.hashes.clear();
  }
}

hash::Digest TileTree::root() const {
  // Right to left over the complete subtrees: each level's hashes fall into runs
  // of powers of two, the largest first, and all of them lie left of lower levels.
  std::optional<hash::Digest> right;
  for (const Tile& tile : levels_) {
    std::span<const hash::Digest> left = tile.hashes;
    while (!left.empty()) {
      const std::size_t run = std::size_t{1}
                              << static_cast<unsigned>(std::countr_zero(left.size()));
      const hash::Digest subtree = hash::tree_root(left.last(run));
      right = right ? hash::node_hash(subtree, *right) : subtree;
      left = left.first(left.size() - run);
    }
  }
  return right ? *right : hash::tree_root({});
}

std::vector<Tile> TileTree::partials() const {
  std::vector<Tile> out;
  std::copy_if(levels_.begin(), levels_.end(), std::back_inserter(out),
               [](const Tile& tile) { return !tile.hashes.empty(); });
  return out;
}

}  // namespace cg::record
