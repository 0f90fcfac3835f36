#include <algorithm>

#include "base/base/text.h"
#include "npm/edit/blocks.h"

namespace cg::edit {

using npm::kNoNode;
using npm::NodeId;

namespace {

bool asked_for(const FlatTree& tree, NodeId id, std::string_view descriptor) {
  const std::vector<FlatEdge> users = tree.users(id);
  return std::any_of(users.begin(), users.end(), [&](const FlatEdge& edge) {
    return tree.index().descriptor(edge.name, edge.range) == descriptor;
  });
}

bool in_lock(const FlatTree& tree, NodeId id) {
  const npm::Source source = tree.node(id).source;
  const bool berry = tree.index().graph().kind() == npm::LockKind::yarn_berry;
  return berry || (source != npm::Source::root && source != npm::Source::workspace);
}

}  // namespace

/// Descriptors of requests that are no more leave, those of new ones come. What was
/// unused before stays as it was.
Result<YarnKeys, EditError> changed_keys(const FlatTree& tree) {
  const std::vector<npm::Node>& nodes = tree.index().graph().nodes();
  YarnKeys out;
  const auto keys_of = [&](NodeId id) -> std::vector<std::string>& {
    const auto [at, added] = out.try_emplace(id);
    if (added) {
      for (const std::string_view key : split_descriptors(nodes[id].location)) {
        at->second.emplace_back(key);
      }
    }
    return at->second;
  };
  for (NodeId id = 0; id < nodes.size(); ++id) {
    const NodeId to = tree.stands_for(id);
    if (to == id || tree.gone(to)) continue;
    for (const std::string_view key : split_descriptors(nodes[id].location)) {
      keys_of(to).emplace_back(key);
    }
  }
  for (const FlatEdge& edge : tree.fresh()) {
    if (edge.to == kNoNode || edge.ruled) continue;
    keys_of(edge.to).push_back(tree.index().descriptor(edge.name, edge.range));
  }
  for (const FlatEdge& edge : tree.dropped()) {
    if (edge.to == kNoNode || tree.gone(edge.to) || !in_lock(tree, edge.to)) continue;
    const std::string descriptor = tree.index().descriptor(edge.name, edge.range);
    if (asked_for(tree, edge.to, descriptor)) continue;
    std::vector<std::string>& keys = keys_of(edge.to);
    keys.erase(std::remove(keys.begin(), keys.end(), descriptor), keys.end());
  }
  for (auto& [id, keys] : out) {
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    if (!keys.empty()) continue;
    return fail(EditError{EditError::Kind::shape, printable("`" + std::string(nodes[id].location) +
                                                            "` would be left without a key")});
  }
  return out;
}

YarnBlocks yarn_blocks(const FlatTree& tree, std::string (*sort_key)(std::string_view)) {
  const npm::Graph& graph = tree.index().graph();
  YarnBlocks out;
  for (NodeId id = 0; id < graph.nodes().size(); ++id) {
    if (in_lock(tree, id) && graph.node(id).entry.end > 0) out.nodes.push_back(id);
  }
  std::sort(out.nodes.begin(), out.nodes.end(), [&](NodeId a, NodeId b) {
    return graph.node(a).entry.begin < graph.node(b).entry.begin;
  });
  for (const NodeId id : out.nodes) {
    Block block;
    block.at = graph.node(id).entry;
    block.key = sort_key(graph.node(id).location);
    block.removed = tree.gone(id);
    out.blocks.push_back(std::move(block));
  }
  return out;
}

std::string with_blocks(std::string_view text, const std::vector<Block>& blocks) {
  if (blocks.empty()) return std::string(text);
  std::string out(text.substr(0, blocks.front().at.begin));
  out += arrange(text, blocks);
  out += text.substr(blocks.back().at.end);
  return out;
}

Result<std::string, EditError> edit_yarn_lock(const npm::Graph& graph, const LockEdit& edit,
                                              std::string_view) {
  if (edit.empty()) return std::string(graph.text());
  const FlatIndex index(graph);
  FlatTree tree(index);
  CG_TRY(tree.apply(edit));
  CG_TRY(check_removed(tree, edit));
  return graph.kind() == npm::LockKind::yarn_berry ? edit_berry(tree, edit) : edit_classic(tree);
}

}  // namespace cg::edit
