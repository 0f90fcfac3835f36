// Placing: where the hunks of a loose diff belong in a file, and the diff of two texts.
//
// Models copy lines well and count them badly. So the numbers of a hunk say nothing, and its
// old lines, those of context and those that go, say all: they must stand in the file, line
// by line to the last byte, in one place only.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/base/result.h"
#include "base/json/diff.h"

namespace cg::json {

inline constexpr std::size_t kMaxPlacesTold = 4;

/// Why a hunk belongs nowhere, or nobody can say where.
struct Misplaced {
  enum class Kind {
    absent,        // its old lines do not stand in the file in this order
    out_of_order,  // they do, but above the hunk before it, or where that changes lines
    ambiguous,     // they stand in several places, and the hunks around it leave more than one
  };
  Kind kind;
  std::size_t hunk = 1;  // of the file's, from 1
  /// First lines, from 1, of where its old lines stand, the first few; absent: of the place
  /// that is most like them, if any is.
  std::vector<std::size_t> places;
};

/// The new text of a file that is changed by hunks of parse_loose_diff(), each with an old line.
/// Each hunk is placed where its old lines stand in `original`, so that all of them come in
/// their order and no two change the same line or the same gap between lines; they may share
/// context. If there is more than one way to do so, it is refused.
///
/// Line ends are the file's: old lines are compared without them, a new line ends like the old
/// one above it in its hunk, or below it if it is the first, and a newline at the end of the
/// file is there afterwards if it was there before. So is a byte order mark; old lines are compared
/// without it.
[[nodiscard]] Result<std::string, Misplaced> place(const FilePatch& loose,
                                                   std::string_view original);

/// The change of a file from one text to another, strict, with three lines of context: what
/// apply_patch() makes of `before` is `after`. No hunks if they are the same. The same texts give
/// the same patch; it is as short as can be, unless more than about a thousand lines differ.
[[nodiscard]] FilePatch difference(std::string path, std::string_view before,
                                   std::string_view after);

}  // namespace cg::json
