// Tiles: the Merkle tree of the log in files of 256 hashes, as C2SP tlog-tiles
// lays them out, and the tree that a writer grows leaf by leaf.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/base/result.h"
#include "trust/hash/digest.h"

namespace cg::record {

constexpr std::size_t kTileWidth = 256;
constexpr std::uint64_t kMaxTreeSize = 1ULL << 40U;

/// One tile: `hashes` of `level`, the `index`-th of that level; full if it has
/// kTileWidth hashes, partial otherwise.
struct Tile {
  std::uint64_t level = 0;
  std::uint64_t index = 0;
  std::vector<hash::Digest> hashes;
};

/// "tile/0/x001/x234/067" or "tile/0/000.p/5".
[[nodiscard]] std::string tile_path(std::uint64_t level, std::uint64_t index, std::size_t width);
[[nodiscard]] std::string tile_bytes(const Tile& tile);

/// The partial tiles that a tree of `size` leaves has: one per level at most.
struct TilePlace {
  std::uint64_t level;
  std::uint64_t index;
  std::size_t width;
};
[[nodiscard]] std::vector<TilePlace> partial_tiles(std::uint64_t size);

/// A tree that grows at its right edge and remembers nothing else.
class TileTree {
 public:
  TileTree() = default;
  /// Continues a tree of `size` leaves from the bytes of its partial tiles, in the
  /// order of partial_tiles(). Nothing if a tile has the wrong length.
  [[nodiscard]] static std::optional<TileTree> resume(std::uint64_t size,
                                                      const std::vector<std::string>& partials);

  /// Adds a leaf; tiles that became full go to `full`, if it is given.
  void push(const hash::Digest& leaf, std::vector<Tile>* full);
  [[nodiscard]] std::uint64_t size() const { return size_; }
  [[nodiscard]] hash::Digest root() const;
  [[nodiscard]] std::vector<Tile> partials() const;

 private:
  std::uint64_t size_ = 0;
  std::vector<Tile> levels_;  // the tile in progress of each level
};

}  // namespace cg::record
