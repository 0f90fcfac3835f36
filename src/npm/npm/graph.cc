#include "npm/npm/graph.h"

#include <algorithm>
#include <numeric>

#include "base/base/assert.h"
#include "base/json/parsing.h"

namespace cg::npm {

namespace {

/// Starts of the groups that `count[i]` items each form, and one past the end.
std::vector<std::uint32_t> starts(std::vector<std::uint32_t> count) {
  std::uint32_t sum = 0;
  for (std::uint32_t& entry : count) sum += std::exchange(entry, sum);
  count.push_back(sum);
  return count;
}

}  // namespace

std::string_view name(LockKind kind) {
  switch (kind) {
    case LockKind::package_lock:
      return "package-lock";
    case LockKind::npm_shrinkwrap:
      return "npm-shrinkwrap";
    case LockKind::yarn_classic:
      return "yarn classic";
    case LockKind::yarn_berry:
      return "yarn berry";
    case LockKind::pnpm:
      return "pnpm";
  }
  return {};
}

std::span<const Edge> Graph::edges_of(NodeId from) const {
  return {edges_.data() + first_edge_[from], edges_.data() + first_edge_[from + 1]};
}

std::span<const std::uint32_t> Graph::edges_to(NodeId to) const {
  return {incoming_.data() + first_incoming_[to], incoming_.data() + first_incoming_[to + 1]};
}

NodeId Graph::at(std::string_view location) const {
  const auto found = std::find_if(nodes_.begin(), nodes_.end(),
                                  [&](const Node& node) { return node.location == location; });
  return found == nodes_.end() ? kNoNode : static_cast<NodeId>(found - nodes_.begin());
}

json::Position Graph::position(std::uint32_t offset) const { return json::locate(*text_, offset); }

GraphBuilder::GraphBuilder(LockKind kind, std::string text) {
  graph_.kind_ = kind;
  graph_.text_ = std::make_unique<std::string>(std::move(text));
  graph_.kept_ = std::make_unique<std::deque<std::string>>();
}

std::string_view GraphBuilder::keep(std::string made) {
  return graph_.kept_->emplace_back(std::move(made));
}

void GraphBuilder::reserve(std::size_t nodes, std::size_t edges) {
  graph_.nodes_.reserve(nodes);
  graph_.edges_.reserve(edges);
}

NodeId GraphBuilder::add(const Node& node) {
  const auto id = static_cast<NodeId>(graph_.nodes_.size());
  graph_.nodes_.push_back(node);
  return id;
}

Graph GraphBuilder::finish() && {
  auto& edges = graph_.edges_;
  const std::size_t nodes = graph_.nodes_.size();
  const auto by_from = [](const Edge& a, const Edge& b) { return a.from < b.from; };
  // A few edges from links may follow a long run that is in order.
  const auto sorted = std::is_sorted_until(edges.begin(), edges.end(), by_from);
  std::stable_sort(sorted, edges.end(), by_from);
  std::inplace_merge(edges.begin(), sorted, edges.end(), by_from);
  std::vector<std::uint32_t> out(nodes, 0);
  std::vector<std::uint32_t> in(nodes, 0);
  for (const Edge& edge : edges) {
    CG_ASSERT(edge.from < nodes);
    ++out[edge.from];
    if (edge.to != kNoNode) ++in[edge.to];
  }
  graph_.first_edge_ = starts(std::move(out));
  graph_.first_incoming_ = starts(std::move(in));
  graph_.incoming_.resize(graph_.first_incoming_.back());
  std::vector<std::uint32_t> next = graph_.first_incoming_;
  for (std::uint32_t i = 0; i < edges.size(); ++i) {
    if (edges[i].to != kNoNode) graph_.incoming_[next[edges[i].to]++] = i;
  }
  for (NodeId id = 0; id < nodes; ++id) {
    const Source source = graph_.nodes_[id].source;
    if (source == Source::root || source == Source::workspace) graph_.importers_.push_back(id);
  }
  return std::move(graph_);
}

}  // namespace cg::npm
