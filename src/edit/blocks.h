// Blocks: the entries of a lock as pieces of its text. Not for others.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "edit/flat_tree.h"
#include "lockfile/rewrite.h"

namespace cg::edit {

/// One entry, in the order of the text.
struct Block {
  npm::Span at;                      // without the line end behind it
  std::string key;                   // by which the format sorts
  std::optional<std::string> text;   // if it changes
  std::optional<std::string> rekey;  // likewise
  bool removed = false;
};

/// From the first block to the last, with what stands between them. If the keys were in
/// order they are so afterwards, otherwise every block stays where it is.
[[nodiscard]] std::string arrange(std::string_view text, const std::vector<Block>& blocks);

/// The part `at` of `text` with those of the changes that lie within; they must be
/// sorted and not overlap.
[[nodiscard]] std::string patched(std::string_view text, npm::Span at,
                                  const std::vector<lockfile::Change>& changes);

/// "\n", or "\r\n" where the text has it.
[[nodiscard]] std::string_view line_end(std::string_view text);

/// Lines without their ends.
[[nodiscard]] std::vector<std::string_view> lines_of(std::string_view text);

/// The release named by `removed` and the tree must agree: a lock that keeps what
/// nobody asks for, or loses what somebody does, is not written.
[[nodiscard]] Result<Done, EditError> check_removed(const FlatTree& tree, const LockEdit& edit);

}  // namespace cg::edit
