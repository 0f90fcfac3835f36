// Graph: what a lockfile says is installed, and who asked for it.
//
// One shape for npm, yarn and pnpm. The graph owns the text of its lockfile; every
// view in it points into that text or into the graph's own store, so a graph moves
// but is not copied, and nothing in it outlives it.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/value.h"
#include "npm/npm/kinds.h"

namespace cg::npm {

using NodeId = std::uint32_t;
inline constexpr NodeId kNoNode = UINT32_MAX;

/// Bytes of the lockfile: [begin, end).
struct Span {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  friend bool operator==(const Span&, const Span&) = default;
};

/// As the lock records them; for yarn, which records none, as the graph gives them.
struct Flags {
  bool dev : 1 = false;           // only development needs it
  bool optional : 1 = false;      // only optional dependencies need it
  bool dev_optional : 1 = false;  // development or optional dependencies need it
  bool peer : 1 = false;          // only peer dependencies need it
  bool bundled : 1 = false;       // inside the tarball of an ancestor
  bool install_script : 1 = false;
  bool shrinkwrap : 1 = false;  // the package dictates its own subtree
  bool extraneous : 1 = false;  // nobody asks for it
};

/// One installed copy.
struct Node {
  std::string_view location;  // "node_modules/a/node_modules/b"; yarn and pnpm: the lock's own key
  std::string_view name;      // the package's real name, also behind an alias
  std::string_view alias;     // what dependents call it where that differs; else empty
  std::string_view version;   // empty where the lock has none
  std::string_view resolved;
  std::string_view integrity;
  Source source = Source::registry;
  Flags flags;
  NodeId target = kNoNode;  // of a link
  Span entry;               // from the first byte of its key to the last of its value
  Span version_at;          // the version as written, without quotes; empty if there is none
};

/// `from` asks for `name` in `range`; `to` is the copy it gets. A missing copy is kNoNode:
/// normal for optional and optional peer dependencies, a disagreement otherwise.
struct Edge {
  NodeId from = kNoNode;
  NodeId to = kNoNode;
  std::string_view name;   // as the dependent calls it
  std::string_view range;  // as written: a range, tag, alias, URL
  EdgeKind kind = EdgeKind::prod;
};

class Graph {
 public:
  [[nodiscard]] LockKind kind() const { return kind_; }
  /// "3"; for pnpm "5.4", "6.0", "9.0"; yarn classic "1", berry its __metadata.version.
  [[nodiscard]] std::string_view lock_version() const { return lock_version_; }
  [[nodiscard]] std::string_view text() const { return *text_; }

  [[nodiscard]] const std::vector<Node>& nodes() const { return nodes_; }
  [[nodiscard]] const Node& node(NodeId id) const { return nodes_[id]; }
  /// Grouped by `from`, in the lock's order within it.
  [[nodiscard]] const std::vector<Edge>& edges() const { return edges_; }
  [[nodiscard]] std::span<const Edge> edges_of(NodeId from) const;
  /// Indexes into edges() of those that lead to `to`.
  [[nodiscard]] std::span<const std::uint32_t> edges_to(NodeId to) const;
  /// Root first, then workspaces: the nodes whose manifests people write.
  [[nodiscard]] const std::vector<NodeId>& importers() const { return importers_; }
  /// kNoNode if there is none.
  [[nodiscard]] NodeId at(std::string_view location) const;

  /// Of a byte of text(). Counts lines from the start: for messages, not for loops.
  [[nodiscard]] json::Position position(std::uint32_t offset) const;

 private:
  friend class GraphBuilder;
  Graph() = default;

  LockKind kind_ = LockKind::package_lock;
  std::string_view lock_version_;
  // On the heap, so that views survive a move of the graph.
  std::unique_ptr<std::string> text_;
  std::unique_ptr<std::deque<std::string>> kept_;
  std::vector<Node> nodes_;
  std::vector<Edge> edges_;
  std::vector<std::uint32_t> first_edge_;  // per node, and one past the end
  std::vector<std::uint32_t> incoming_;
  std::vector<std::uint32_t> first_incoming_;
  std::vector<NodeId> importers_;
};

/// Collects nodes and edges in any order. Importers are the nodes of source root and
/// workspace, in the order they were added.
class GraphBuilder {
 public:
  GraphBuilder(LockKind kind, std::string text);

  [[nodiscard]] std::string_view text() const { return *graph_.text_; }
  /// A view that lives as long as the graph, for names that are not in the text as such.
  [[nodiscard]] std::string_view keep(std::string made);
  void set_lock_version(std::string_view version) { graph_.lock_version_ = version; }
  void reserve(std::size_t nodes, std::size_t edges);

  NodeId add(const Node& node);
  void add(const Edge& edge) { graph_.edges_.push_back(edge); }
  [[nodiscard]] Node& node(NodeId id) { return graph_.nodes_[id]; }
  [[nodiscard]] std::vector<Edge>& edges() { return graph_.edges_; }
  [[nodiscard]] std::size_t size() const { return graph_.nodes_.size(); }

  /// Indexes edges both ways.
  [[nodiscard]] Graph finish() &&;

 private:
  Graph graph_;
};

}  // namespace cg::npm
