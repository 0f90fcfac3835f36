#include "vuln/provenance/npm_adapter.h"

#include <algorithm>
#include <deque>
#include <optional>

namespace cg::provenance {

namespace {

using npm::Graph;
using npm::kNoNode;
using npm::Manifest;
using npm::Node;
using npm::NodeId;
using npm::Source;

constexpr std::string_view kModules = "/node_modules/";

bool is_importer(const Node& node) { return npm::is_importer(node.source); }

/// The folder of an importer, as seen from the lockfile. yarn berry calls them
/// "name@workspace:folder"; the others have nothing but the folder.
std::string_view folder_of(const Node& importer) {
  constexpr std::string_view kWorkspace = "@workspace:";
  const std::size_t at = importer.resolved.find(kWorkspace);
  const std::string_view folder = at == std::string_view::npos
                                      ? importer.location
                                      : importer.resolved.substr(at + kWorkspace.size());
  return folder == "." ? std::string_view() : folder;
}

std::string manifest_path(std::string_view lock_folder, const Node& importer) {
  std::string out(lock_folder);
  for (const std::string_view part : {folder_of(importer), std::string_view("package.json")}) {
    if (part.empty()) continue;
    if (!out.empty()) out += '/';
    out += part;
  }
  return out;
}

AppDirect direct(const NpmTree& tree, const npm::Edge& edge) {
  AppDirect out;
  out.manifest = manifest_path(tree.lock_folder, tree.graph.node(edge.from));
  const auto manifest =
      std::find_if(tree.manifests.begin(), tree.manifests.end(),
                   [&](const Manifest& each) { return each.path == out.manifest; });
  if (manifest == tree.manifests.end()) return out;
  const npm::Dependency* dependency = manifest->find(edge.name);
  if (dependency != nullptr) out.line = dependency->at.line;
  return out;
}

/// The copy whose folder `location` lies in; nothing at the top level.
std::optional<std::string_view> folder_around(std::string_view location) {
  const std::size_t at = location.rfind(kModules);
  if (at == std::string_view::npos) return std::nullopt;
  return location.substr(0, at);
}

/// The bundled package's holder is the nearest copy around it that is not bundled
/// itself. If the root bundles its own dependencies, nobody else holds them.
NodeId bundle_holder(const Graph& graph, NodeId id) {
  auto folder = folder_around(graph.node(id).location);
  while (folder) {
    const NodeId holder = graph.at(*folder);
    if (holder != kNoNode && !graph.node(holder).flags.bundled) {
      return is_importer(graph.node(holder)) ? kNoNode : holder;
    }
    folder = folder_around(*folder);
  }
  return kNoNode;
}

/// The copy around this one that dictates its subtree.
NodeId shrinkwrap_holder(const Graph& graph, NodeId id) {
  for (auto folder = folder_around(graph.node(id).location); folder;
       folder = folder_around(*folder)) {
    const NodeId holder = graph.at(*folder);
    if (holder != kNoNode && graph.node(holder).flags.shrinkwrap) return holder;
  }
  return kNoNode;
}

/// "vendor/a" of "vendor/a/node_modules/b": a folder of the repository that is no
/// workspace. Empty if there is none.
std::string_view vendored_folder(const Graph& graph, std::string_view location) {
  std::string_view top = location;
  if (top.starts_with("node_modules/")) return {};
  if (const std::size_t at = top.find(kModules); at != std::string_view::npos)
    top = top.substr(0, at);
  const NodeId id = graph.at(top);
  if (id == kNoNode || graph.node(id).source != Source::directory) return {};
  return top;
}

/// "plugins" for "../plugins" as seen from "web"; what leads out of the repository keeps
/// its dots.
std::string folder_in_repository(std::string_view lock_folder, std::string_view location) {
  constexpr std::string_view kUp = "../";
  while (!lock_folder.empty() && location.starts_with(kUp)) {
    location.remove_prefix(kUp.size());
    const std::size_t slash = lock_folder.rfind('/');
    lock_folder =
        slash == std::string_view::npos ? std::string_view() : lock_folder.substr(0, slash);
  }
  if (lock_folder.empty()) return std::string(location);
  return std::string(lock_folder) + "/" + std::string(location);
}

/// Only npm's locations are folders.
bool has_folders(const Graph& graph) {
  return graph.kind() == npm::LockKind::package_lock ||
         graph.kind() == npm::LockKind::npm_shrinkwrap;
}

std::optional<Provenance> vendored(const NpmTree& tree, NodeId id) {
  if (!has_folders(tree.graph)) return std::nullopt;
  if (auto by = dictated(tree.graph, tree.paths, id)) return AppVendored{std::move(by->holder)};
  const std::string_view folder = vendored_folder(tree.graph, tree.graph.node(id).location);
  if (folder.empty()) return std::nullopt;
  return AppVendored{folder_in_repository(tree.lock_folder, folder)};
}

}  // namespace

std::optional<Dictated> dictated(const Graph& graph, const Paths& paths, NodeId id) {
  if (!has_folders(graph)) return std::nullopt;
  if (graph.node(id).flags.bundled) {
    const NodeId holder = bundle_holder(graph, id);
    if (holder != kNoNode) return Dictated{Dictated::How::bundled, label(graph.node(holder))};
  }
  if (paths.has_shrinkwrap()) {
    const NodeId holder = shrinkwrap_holder(graph, id);
    if (holder != kNoNode) return Dictated{Dictated::How::shrinkwrap, label(graph.node(holder))};
  }
  return std::nullopt;
}

Paths::Paths(const Graph& graph) : hops_(graph.nodes().size()) {
  has_shrinkwrap_ = std::any_of(graph.nodes().begin(), graph.nodes().end(),
                                [](const Node& node) { return node.flags.shrinkwrap; });
  std::deque<NodeId> queue;
  for (const NodeId id : graph.importers()) {
    hops_[id].distance = 0;
    queue.push_back(id);
  }
  const npm::Edge* first = graph.edges().data();
  while (!queue.empty()) {
    const NodeId from = queue.front();
    queue.pop_front();
    // A link is the way to its target, not a package on the way.
    const bool link = graph.node(from).source == Source::link;
    for (const npm::Edge& edge : graph.edges_of(from)) {
      if (edge.to == kNoNode || hops_[edge.to].distance != kUnreached) continue;
      hops_[edge.to] = {hops_[from].distance + (link ? 0U : 1U),
                        static_cast<std::uint32_t>(&edge - first)};
      if (link) {
        queue.push_front(edge.to);
      } else {
        queue.push_back(edge.to);
      }
    }
  }
}

std::vector<NodeId> Paths::way(const Graph& graph, NodeId id) const {
  std::vector<NodeId> out;
  if (distance(id) == kUnreached) return out;
  out.push_back(id);
  while (edge(id) != kNoEdge) {
    id = graph.edges()[edge(id)].from;
    if (graph.node(id).source != Source::link) out.push_back(id);
  }
  std::reverse(out.begin(), out.end());
  return out;
}

std::string label(const Node& node) {
  std::string out(node.name.empty() ? node.location : node.name);
  if (!node.version.empty()) out += "@" + std::string(node.version);
  return out;
}

Provenance classify(const NpmTree& tree, NodeId id) {
  const Graph& graph = tree.graph;
  if (id >= graph.nodes().size()) return Unknown{"no such copy in the lockfile"};
  const Node& node = graph.node(id);
  if (is_importer(node)) return Unknown{"a package of the repository itself"};
  if (auto found = vendored(tree, id)) return *std::move(found);
  // Any importer that asks makes it direct, also if the shortest way is another's.
  for (const std::uint32_t index : graph.edges_to(id)) {
    const npm::Edge& edge = graph.edges()[index];
    if (is_importer(graph.node(edge.from))) return direct(tree, edge);
  }
  if (tree.paths.distance(id) == Paths::kUnreached) {
    return Unknown{node.flags.extraneous ? "the lockfile calls it extraneous: nobody asks for it"
                                         : "no manifest of the repository leads to it"};
  }
  AppTransitive out;
  for (const NodeId on_way : tree.paths.way(graph, id)) {
    if (on_way != id && !is_importer(graph.node(on_way)))
      out.chain.push_back(label(graph.node(on_way)));
  }
  // Only links between an importer and it: the importer asks for it after all.
  if (out.chain.empty()) {
    const NodeId importer = tree.paths.way(graph, id).front();
    return AppDirect{manifest_path(tree.lock_folder, graph.node(importer)), 0};
  }
  return out;
}

}  // namespace cg::provenance
