// Segments: what became of each text on its way into a prompt.
//
// The events of the fence say it, and the prompt itself has the labels, so a prompt that was sent
// long ago is told of in the same words as one that is yet to be.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/domain/source_kind.h"
#include "trust/record/event.h"

namespace cg::prompt {

struct Segment {
  /// A dropped one is not in the prompt: no room, or too many of its kind.
  enum class Fate { whole, cut, dropped };
  SourceKind kind = SourceKind::source_snippet;
  std::string label;  // as it stands above the fence, "src/a.js:12"; may be empty
  Fate fate = Fate::whole;
  std::size_t given = 0;    // bytes that were handed in
  std::size_t bytes = 0;    // that stand in the prompt
  std::size_t secrets = 0;  // taken out
  std::size_t orders = 0;   // to the reader that were found; what gives them was taken out
  std::string pattern;      // that found the first of them
  friend bool operator==(const Segment&, const Segment&) = default;
};

/// Something of it is not in the prompt.
[[nodiscard]] bool is_marked(const Segment& segment);
/// "cut from 9 120 bytes, 2 secrets withheld, gives orders (override-1)"; empty for one that is
/// whole.
[[nodiscard]] std::string words(const Segment& segment);
/// "whole", "cut", "dropped"
[[nodiscard]] std::string_view name(Segment::Fate fate);

/// `events` of making one prompt, in their order, others among them are passed over; `body` as it
/// was made.
[[nodiscard]] std::vector<Segment> segments_of(const record::Events& events, std::string_view body);

}  // namespace cg::prompt
