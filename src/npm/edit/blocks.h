// Blocks: the entries of a lock as pieces of its text. Private to this module.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "npm/edit/flat_tree.h"
#include "npm/lockfile/rewrite.h"

namespace cg::edit {

inline constexpr auto kNone = std::string_view::npos;

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

// --- shared by both kinds of yarn.lock ---

/// The descriptors, sorted, of the entries whose keys the edit changes.
using YarnKeys = std::map<npm::NodeId, std::vector<std::string>>;
[[nodiscard]] Result<YarnKeys, EditError> changed_keys(const FlatTree& tree);

/// A block for every entry, in the order of the text, and the node of each.
struct YarnBlocks {
  std::vector<Block> blocks;
  std::vector<npm::NodeId> nodes;
};
/// `sort_key` of a location.
[[nodiscard]] YarnBlocks yarn_blocks(const FlatTree& tree,
                                     std::string (*sort_key)(std::string_view));

/// All of the text, with the blocks arranged.
[[nodiscard]] std::string with_blocks(std::string_view text, const std::vector<Block>& blocks);

// edit_classic.cc and edit_berry.cc.
[[nodiscard]] Result<std::string, EditError> edit_classic(const FlatTree& tree);
[[nodiscard]] Result<std::string, EditError> edit_berry(const FlatTree& tree, const LockEdit& edit);

}  // namespace cg::edit
