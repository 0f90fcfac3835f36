// What the editors of both kinds of yarn.lock share. Not for others.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "edit/blocks.h"
#include "edit/flat_tree.h"

namespace cg::edit {

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
