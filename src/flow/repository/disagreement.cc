#include "flow/repository/disagreement.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>

#include "base/json/parsing.h"
#include "flow/repository/files.h"

namespace cg::repository {

namespace {

using npm::EdgeKind;
using npm::LockKind;
using npm::NodeId;

bool is_npm(LockKind kind) {
  return kind == LockKind::package_lock || kind == LockKind::npm_shrinkwrap;
}

/// Whether the lock itself says what the manifests ask for. Where it does not, the
/// graph has it from the manifests, and comparing the two would prove nothing.
bool records_importers(const npm::Graph& graph) {
  if (graph.kind() == LockKind::yarn_classic) return false;
  return !is_npm(graph.kind()) || graph.lock_version() != "1";
}

/// yarn berry writes "npm:^1.0.0" where the manifest has "^1.0.0".
std::string_view plain(std::string_view spec) {
  constexpr std::string_view kPrefix = "npm:";
  if (spec.starts_with(kPrefix)) spec.remove_prefix(kPrefix.size());
  return spec;
}

/// The folder of an importer in the repository. yarn berry calls importers
/// "name@workspace:folder"; the others have nothing but the folder.
std::string folder_of_importer(std::string_view lock_folder, const npm::Node& importer) {
  constexpr std::string_view kWorkspace = "@workspace:";
  const std::size_t at = importer.resolved.find(kWorkspace);
  const std::string_view folder = at == std::string_view::npos
                                      ? importer.location
                                      : importer.resolved.substr(at + kWorkspace.size());
  return folder.empty() || folder == "." ? std::string(lock_folder) : join(lock_folder, folder);
}

class Comparer {
 public:
  explicit Comparer(const Comparison& what) : what_(what) {
    for (const NodeId id : what.graph.importers()) {
      importers_.emplace(folder_of_importer(what.lock_folder, what.graph.node(id)), id);
    }
    for (const npm::Manifest& manifest : what.manifests) manifests_.insert(manifest.folder());
  }

  std::vector<Disagreement> run() {
    if (records_importers(what_.graph) && !what_.manifests.empty()) {
      for (const npm::Manifest& manifest : what_.manifests) compare_manifest(manifest);
      for (const auto& [folder, id] : importers_) find_manifest(folder, id);
    }
    find_gaps();
    return std::move(out_);
  }

 private:
  Disagreement& add(Disagreement::Kind kind, std::string_view manifest, std::string_view name) {
    Disagreement made{
        kind, std::string(what_.lockfile), std::string(manifest), std::string(name), {}, {}, 0, {},
        {}};
    return out_.emplace_back(std::move(made));
  }

  void compare_manifest(const npm::Manifest& manifest) {
    const auto importer = importers_.find(manifest.folder());
    if (importer == importers_.end()) {
      add(Disagreement::Kind::manifest_unknown, manifest.path, manifest.name);
      return;
    }
    const auto edges = what_.graph.edges_of(importer->second);
    std::vector<const npm::Edge*> by_name;
    by_name.reserve(edges.size());
    for (const npm::Edge& edge : edges) by_name.push_back(&edge);
    const auto less = [](const npm::Edge* a, const npm::Edge* b) { return a->name < b->name; };
    std::stable_sort(by_name.begin(), by_name.end(), less);
    for (const npm::Dependency& dependency : manifest.dependencies) {
      npm::Edge wanted;
      wanted.name = dependency.name;
      const auto [first, last] = std::equal_range(by_name.begin(), by_name.end(), &wanted, less);
      compare_dependency(manifest, dependency, {first, last});
    }
    find_extra(manifest, by_name);
  }

  void compare_dependency(const npm::Manifest& manifest, const npm::Dependency& dependency,
                          const std::vector<const npm::Edge*>& edges) {
    // Only npm records the peers of the repository's own packages as the manifest has them.
    if (npm::is_peer(dependency.kind) && !is_npm(what_.graph.kind())) return;
    const auto same = [&](const npm::Edge* edge) {
      return edge->range.empty() || plain(edge->range) == plain(dependency.spec);
    };
    if (std::any_of(edges.begin(), edges.end(), same)) return;
    if (edges.empty() && may_be_left_out(dependency)) return;
    if (!edges.empty() && is_overridden(dependency.name)) return;
    Disagreement& made = add(
        edges.empty() ? Disagreement::Kind::missing_in_lock : Disagreement::Kind::different_spec,
        manifest.path, dependency.name);
    made.manifest_spec = dependency.spec;
    if (!edges.empty()) made.lock_spec = edges.front()->range;
    made.line = dependency.at.line;
    made.edge = dependency.kind;
  }

  /// pnpm leaves out optional dependencies that the repository tells it to ignore.
  [[nodiscard]] bool may_be_left_out(const npm::Dependency& dependency) const {
    return is_overridden(dependency.name) ||
           (dependency.kind == EdgeKind::optional && what_.graph.kind() == LockKind::pnpm);
  }

  [[nodiscard]] bool is_overridden(const std::string& name) const {
    return std::find(what_.overridden.begin(), what_.overridden.end(), name) !=
           what_.overridden.end();
  }

  void find_extra(const npm::Manifest& manifest, const std::vector<const npm::Edge*>& edges) {
    std::vector<std::string_view> asked;
    asked.reserve(manifest.dependencies.size());
    for (const npm::Dependency& dependency : manifest.dependencies) {
      asked.push_back(dependency.name);
    }
    std::sort(asked.begin(), asked.end());
    for (const npm::Edge* edge : edges) {
      if (std::binary_search(asked.begin(), asked.end(), edge->name)) continue;
      // pnpm locks the node of `devEngines`, which is no dependency.
      if (edge->range.starts_with("runtime:")) continue;
      Disagreement& made = add(Disagreement::Kind::missing_in_manifest, manifest.path, edge->name);
      made.lock_spec = edge->range;
      made.edge = edge->kind;
    }
  }

  void find_manifest(const std::string& folder, NodeId id) {
    if (manifests_.contains(folder)) return;
    add(Disagreement::Kind::manifest_gone, join(folder, "package.json"), what_.graph.node(id).name);
  }

  /// Required dependencies without a copy.
  void find_gaps() {
    json::Position reached;
    NodeId last = npm::kNoNode;
    for (const npm::Edge& edge : what_.graph.edges()) {
      if (edge.to != npm::kNoNode || !is_required(edge)) continue;
      const npm::Node& from = what_.graph.node(edge.from);
      const bool importer =
          from.source == npm::Source::root || from.source == npm::Source::workspace;
      Disagreement& made = add(Disagreement::Kind::leads_nowhere, "", edge.name);
      if (importer)
        made.manifest = join(folder_of_importer(what_.lock_folder, from), "package.json");
      made.lock_spec = edge.range;
      made.asked_by = from.location;
      made.edge = edge.kind;
      if (from.entry == npm::Span{}) continue;
      // Nodes come in the order of the text: count lines on from the last one.
      if (edge.from != last) {
        const bool ahead = from.entry.begin >= reached.offset;
        reached =
            json::locate(what_.graph.text(), from.entry.begin, ahead ? reached : json::Position{});
        last = edge.from;
      }
      made.line = reached.line;
    }
  }

  [[nodiscard]] bool is_required(const npm::Edge& edge) const {
    switch (edge.kind) {
      case EdgeKind::prod:
      case EdgeKind::dev:
        return true;
      case EdgeKind::peer:
        return is_npm(what_.graph.kind());
      case EdgeKind::optional:
      case EdgeKind::peer_optional:
        return false;
    }
    std::abort();
  }

  const Comparison& what_;
  std::map<std::string, NodeId, std::less<>> importers_;  // by folder in the repository
  std::set<std::string_view> manifests_;                  // their folders
  std::vector<Disagreement> out_;
};

}  // namespace

std::string_view name(Disagreement::Kind kind) {
  switch (kind) {
    case Disagreement::Kind::missing_in_lock:
      return "missing_in_lock";
    case Disagreement::Kind::missing_in_manifest:
      return "missing_in_manifest";
    case Disagreement::Kind::different_spec:
      return "different_spec";
    case Disagreement::Kind::leads_nowhere:
      return "leads_nowhere";
    case Disagreement::Kind::manifest_unknown:
      return "manifest_unknown";
    case Disagreement::Kind::manifest_gone:
      return "manifest_gone";
  }
  std::abort();
}

std::vector<Disagreement> compare(const Comparison& comparison) {
  return Comparer(comparison).run();
}

}  // namespace cg::repository
