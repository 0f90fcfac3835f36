// Where a copy in an npm, yarn or pnpm lockfile comes from.
//
// Paths is computed once per graph, in time and memory of its edges; classifying a copy
// afterwards costs the length of its chain.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "npm/npm/graph.h"
#include "npm/npm/manifest.h"
#include "vuln/provenance/provenance.h"

namespace cg::provenance {

/// For each node, who asks for it on a shortest way from an importer.
class Paths {
 public:
  explicit Paths(const npm::Graph& graph);

  /// Counted in edges that count: those through links do not. kUnreached if no importer
  /// leads there; 0 for importers.
  static constexpr std::uint32_t kUnreached = UINT32_MAX;
  [[nodiscard]] std::uint32_t distance(npm::NodeId id) const { return hops_[id].distance; }
  /// Index into edges() of the edge by which the node was reached; kNoEdge for
  /// importers and what is not reached.
  static constexpr std::uint32_t kNoEdge = UINT32_MAX;
  [[nodiscard]] std::uint32_t edge(npm::NodeId id) const { return hops_[id].edge; }
  /// From the importer to the node itself, without links.
  [[nodiscard]] std::vector<npm::NodeId> way(const npm::Graph& graph, npm::NodeId id) const;
  /// Whether any package of the graph dictates its subtree.
  [[nodiscard]] bool has_shrinkwrap() const { return has_shrinkwrap_; }

 private:
  struct Hop {
    std::uint32_t distance = kUnreached;
    std::uint32_t edge = kNoEdge;
  };
  std::vector<Hop> hops_;
  bool has_shrinkwrap_ = false;
};

/// What a classification looks at. All of it must outlive the call only.
struct NpmTree {
  const npm::Graph& graph;
  const Paths& paths;
  /// The lockfile's folder in the repository; "" for the top.
  std::string_view lock_folder;
  /// Those at hand, with paths relative to the repository: they give line numbers.
  const std::vector<npm::Manifest>& manifests;
};

/// Never fails: what cannot be decided is Unknown with its reason. A copy inside a
/// bundle or dictated by a dependency's shrinkwrap is AppVendored, even where somebody
/// also asks for it by name, because only a release of the holder can change it.
[[nodiscard]] Provenance classify(const NpmTree& tree, npm::NodeId id);

/// Who dictates a copy: nothing but a release of that package can change it.
struct Dictated {
  enum class How { bundled, shrinkwrap };
  How how;
  std::string holder;  // label()
};
[[nodiscard]] std::optional<Dictated> dictated(const npm::Graph& graph, const Paths& paths,
                                               npm::NodeId id);

/// "express@4.17.1"; the name alone where there is no version.
[[nodiscard]] std::string label(const npm::Node& node);

}  // namespace cg::provenance
