// Align: what of one file is still there in another, by syntax.
#pragma once

#include <map>
#include <vector>

#include "learn/carry/source.h"

namespace cg::carry {

/// Nodes that became others. Both sides stand beneath nodes that go together.
struct Region {
  Index parent_before = kNone;
  Index parent_after = kNone;
  std::vector<Index> before;
  std::vector<Index> after;
};

struct Alignment {
  std::vector<Index> partner;          // by node of the old file; kNone if it is gone
  std::vector<std::uint32_t> spelled;  // by node of the old file: alike are those of one number
  std::vector<std::uint32_t> spelled_after;  // of the new one
  std::vector<Region> regions;               // in the order of the text
  [[nodiscard]] bool is_kept(Index before) const {
    return partner[before] != kNone && spelled[before] == spelled_after[partner[before]];
  }
};

/// Of a piece and what became of it: which node of the new one is one of the old one.
class Twins {
 public:
  Twins(const Alignment& alignment, const Source& before, const Span& old_piece,
        const Source& after, const Span& new_piece);
  /// It goes with it and is spelled alike; or both pieces have one that is spelled so, and no more.
  [[nodiscard]] Index of(Index before) const;

 private:
  struct Alike {
    std::size_t before = 0;
    std::size_t after = 0;
    Index last = kNone;
  };
  const Alignment& alignment_;
  std::map<std::uint32_t, Alike> alike_;
};

[[nodiscard]] Result<Alignment, Refusal> align(const Source& before, const Source& after);

}  // namespace cg::carry
