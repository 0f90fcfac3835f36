// What must hold of every graph, whatever lockfile it was read from.
#pragma once

#include <cstddef>
#include <string_view>

#include "base/base/assert.h"
#include "npm/npm/graph.h"

namespace cg::fuzz {

/// Spans lie in the text and say what the node says; edges are grouped, and lead to nodes.
inline void check_graph(const npm::Graph& graph) {
  const std::string_view text = graph.text();
  std::size_t edges = 0;
  for (npm::NodeId id = 0; id < graph.nodes().size(); ++id) {
    const npm::Node& node = graph.node(id);
    CG_ASSERT(node.entry.begin <= node.entry.end && node.entry.end <= text.size());
    CG_ASSERT(node.version_at.begin <= node.version_at.end && node.version_at.end <= text.size());
    if (node.version_at.end > 0) {
      const std::string_view written =
          text.substr(node.version_at.begin, node.version_at.end - node.version_at.begin);
      const bool escaped = written.find('\\') != std::string_view::npos;
      CG_ASSERT(escaped || written.find(node.version) != std::string_view::npos);
    }
    for (const npm::Edge& edge : graph.edges_of(id)) {
      CG_ASSERT(edge.from == id);
      CG_ASSERT(edge.to == npm::kNoNode || edge.to < graph.nodes().size());
      ++edges;
    }
  }
  CG_ASSERT(edges == graph.edges().size());
}

}  // namespace cg::fuzz
