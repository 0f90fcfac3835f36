// Excerpts: a few lines of a file as they stand in the tree, so that whoever copied them badly
// can copy them well. Text of the repository: to be fenced.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace cg::proposal {

inline constexpr std::size_t kMaxExcerpts = 2;
inline constexpr std::size_t kMaxExcerptLines = 16;
inline constexpr std::size_t kMaxExcerptText = 1200;  // bytes

struct Excerpt {
  std::size_t line = 0;  // the first, from 1
  std::string text;      // lines without what ends the last
};

/// The lines of `text` from each of the first places on (from 1), `lines` of them and some around.
[[nodiscard]] std::vector<Excerpt> excerpts_at(const std::vector<std::size_t>& places,
                                               std::size_t lines, std::string_view text);

}  // namespace cg::proposal
