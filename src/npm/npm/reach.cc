#include "npm/npm/reach.h"

#include <algorithm>
#include <vector>

namespace cg::npm {

namespace {

class Walk {
 public:
  explicit Walk(GraphBuilder& builder) : builder_(builder), first_(builder.size() + 1, 0) {
    const std::vector<Edge>& edges = builder.edges();
    for (const Edge& edge : edges) ++first_[edge.from];
    std::uint32_t sum = 0;
    for (std::uint32_t& first : first_) sum += std::exchange(first, sum);
    order_.resize(edges.size());
    std::vector<std::uint32_t> next = first_;
    for (std::uint32_t i = 0; i < edges.size(); ++i) order_[next[edges[i].from]++] = i;
  }

  /// What importers reach over the edges that `follows` accepts.
  template <class Follows>
  std::vector<bool> reach(const Follows& follows) {
    std::vector<bool> seen(builder_.size(), false);
    std::vector<NodeId> open;
    for (NodeId id = 0; id < builder_.size(); ++id) {
      if (!is_importer(builder_.node(id).source)) continue;
      seen[id] = true;
      open.push_back(id);
    }
    while (!open.empty()) {
      const NodeId from = open.back();
      open.pop_back();
      for (std::uint32_t i = first_[from]; i < first_[from + 1]; ++i) {
        const Edge& edge = builder_.edges()[order_[i]];
        if (edge.to == kNoNode || seen[edge.to] || !follows(edge)) continue;
        seen[edge.to] = true;
        open.push_back(edge.to);
      }
    }
    return seen;
  }

 private:
  GraphBuilder& builder_;
  std::vector<std::uint32_t> first_;  // per node, into order_
  std::vector<std::uint32_t> order_;  // edges by `from`
};

bool is_dev(const Edge& edge) { return edge.kind == EdgeKind::dev; }
bool is_optional(const Edge& edge) { return npm::is_optional(edge.kind); }

}  // namespace

void mark_reach(GraphBuilder& builder) {
  Walk walk(builder);
  const auto all = walk.reach([](const Edge&) { return true; });
  if (std::find(all.begin(), all.end(), true) == all.end()) return;
  const auto needed =
      walk.reach([](const Edge& edge) { return !is_dev(edge) && !is_optional(edge); });
  const auto without_dev = walk.reach([](const Edge& edge) { return !is_dev(edge); });
  const auto without_optional = walk.reach([](const Edge& edge) { return !is_optional(edge); });
  for (NodeId id = 0; id < builder.size(); ++id) {
    Node& node = builder.node(id);
    if (is_importer(node.source)) continue;
    Flags& flags = node.flags;
    flags.extraneous = !all[id];
    flags.dev = all[id] && !without_dev[id];
    flags.optional = all[id] && !without_optional[id];
    flags.dev_optional = without_dev[id] && without_optional[id] && !needed[id];
  }
}

}  // namespace cg::npm
