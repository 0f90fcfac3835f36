// Align: what of one file is still there in another, by syntax.
#pragma once

#include <string>
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

[[nodiscard]] Result<Alignment, Refusal> align(const Source& before, const Source& after);

}  // namespace cg::carry
