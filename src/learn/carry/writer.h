// Writer: the new text of a file whose uses have found their rules.
#pragma once

#include <utility>
#include <vector>

#include "learn/carry/check.h"
#include "learn/carry/match.h"

namespace cg::carry {

/// A piece of the file, and the rules that fit it: by number, at least one.
struct Place {
  Span span;
  std::vector<std::pair<std::size_t, Match>> fits;
};

/// What of a file the text of a template follows.
struct Hand {
  const Source& source;
  const Template& from;
  Layout layout;
};

/// `places` stand in the order of the text, a wider one before those within it; of each the first
/// that fits is written.
[[nodiscard]] Result<Written, Refusal> write_all(const Hand& hand,
                                                 const std::vector<Place>& places);
/// Of one of them alone.
[[nodiscard]] Result<Written, Refusal> write_one(const Hand& hand, const std::vector<Place>& places,
                                                 std::size_t place, const Match& match);

}  // namespace cg::carry
