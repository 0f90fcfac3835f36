#include "fetch/catalog/wants.h"

#include <algorithm>
#include <set>

#include "base/base/text.h"
#include "fetch/catalog/tarball_path.h"
#include "npm/lockfile/elsewhere.h"
#include "npm/registry/name.h"
#include "npm/semver/version.h"

namespace cg::catalog {

namespace {

using npm::Graph;
using npm::LockKind;
using npm::Node;
using npm::NodeId;
using npm::Source;
using Kind = Missing::Kind;

constexpr std::size_t kMaxVersion = 256;

/// Yarn berry's checksum is of an archive that it makes itself, and its resolution no URL.
bool is_berry(const Graph& graph) { return graph.kind() == LockKind::yarn_berry; }

std::string_view integrity_of(const Graph& graph, const Node& node) {
  return is_berry(graph) ? std::string_view() : node.integrity;
}

std::string_view resolved_of(const Graph& graph, const Node& node) {
  return is_berry(graph) ? std::string_view() : node.resolved;
}

/// npm completes a lock of version 1 by asking for every package; of others it asks where
/// `resolved` is missing. Berry's locks do not say which bytes are meant.
bool needs_release(const Graph& graph, const Node& node) {
  const bool is_npm =
      graph.kind() == LockKind::package_lock || graph.kind() == LockKind::npm_shrinkwrap;
  if (is_npm && (graph.lock_version() == "1" || node.resolved.empty())) return true;
  // Where it lies is for the registry to tell, if the lock does not say it in the usual form.
  const std::string_view resolved = resolved_of(graph, node);
  if (!resolved.empty() && !registry_part(resolved, node.name)) return true;
  if (!integrity_of(graph, node).empty()) return false;
  // Old locks of yarn have a SHA-1 behind the URL.
  return node.resolved.find('#') == std::string_view::npos || is_berry(graph);
}

std::optional<hash::Integrity> pinned_integrity(const Graph& graph, const Node& node) {
  const std::string_view text = integrity_of(graph, node);
  if (!text.empty()) return hash::Integrity::parse(text);
  const std::string_view resolved = resolved_of(graph, node);
  const std::size_t hash = resolved.find('#');
  if (hash == std::string_view::npos) return std::nullopt;
  return hash::Integrity::of_sha1_hex(resolved.substr(hash + 1));
}

std::vector<registry::Need> needs_of(const Graph& graph, NodeId id) {
  std::vector<registry::Need> needs;
  for (const npm::Edge& edge : graph.edges_of(id)) {
    if (edge.kind == npm::EdgeKind::dev) continue;
    needs.push_back({std::string(edge.name), std::string(edge.range), edge.kind});
  }
  return needs;
}

void add_once(std::vector<std::string>& list, std::optional<std::string> text) {
  if (text && std::find(list.begin(), list.end(), *text) == list.end()) {
    list.push_back(*std::move(text));
  }
}

bool is_of_registry(const Node& node) {
  return node.source == Source::registry && !node.flags.bundled;
}

/// Both become parts of paths.
bool is_usable(const Node& node) {
  const auto is_plain = [](char c) {
    const bool alnum = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    return alnum || c == '.' || c == '-' || c == '+';
  };
  return registry::is_package_name(node.name) && node.version.size() <= kMaxVersion &&
         std::all_of(node.version.begin(), node.version.end(), is_plain) &&
         semver::Version::parse(node.version).has_value();
}

class Collector {
 public:
  explicit Collector(Catalog& catalog) : catalog_(catalog) {}

  void prefetch(const std::vector<const Graph*>& graphs, const Catalog::OnProgress& progress) {
    std::set<std::string> names;
    for (const Graph* graph : graphs) {
      for (const Node& node : graph->nodes()) {
        if (is_of_registry(node) && is_usable(node) && needs_release(*graph, node)) {
          names.emplace(node.name);
        }
      }
    }
    if (names.empty()) return;
    catalog_.prefetch(std::vector<std::string>(names.begin(), names.end()), progress);
  }

  void add(const Graph& graph, NodeId id) {
    const Node& node = graph.node(id);
    if (const auto found = lockfile::elsewhere(graph, id)) {
      add_elsewhere(graph, id, *found);
      return;
    }
    if (!is_of_registry(node)) return;
    if (!is_usable(node)) {
      miss(node, Kind::bad_name, "not the name and version of a package");
      return;
    }
    add_wanted(graph, id);
  }

  Wants take() && {
    Wants out;
    for (auto& [key, want] : wants_) out.wants.push_back(std::move(want));
    for (auto& [key, missing] : missing_) out.missing.push_back(std::move(missing));
    return out;
  }

 private:
  void miss(const Node& node, Kind kind, const std::string& what) {
    Missing missing{kind, printable(cut_utf8(node.name, 300)),
                    printable(cut_utf8(node.version, kMaxVersion)), printable(cut_utf8(what, 300)),
                    node.flags.optional};
    const std::string key = missing.name + "@" + missing.version + " " + missing.what;
    const auto [at, is_new] = missing_.emplace(key, std::move(missing));
    if (!is_new && !node.flags.optional) at->second.optional = false;
  }

  const registry::Release* release_of(const Graph& graph, const Node& node) {
    if (!needs_release(graph, node)) return nullptr;
    const registry::Packument* packument = catalog_.get(node.name);
    if (packument == nullptr) return nullptr;
    const auto index = packument->find(*semver::Version::parse(node.version));
    return index ? &packument->release(*index) : nullptr;
  }

  void add_wanted(const Graph& graph, NodeId id) {
    const Node& node = graph.node(id);
    const registry::Choice* choice = catalog_.config().registry_for(node.name);
    if (choice == nullptr) return miss(node, Kind::no_registry, "no registry is configured");
    auto integrity = pinned_integrity(graph, node);
    const bool pinned = integrity.has_value();
    if (!pinned && !integrity_of(graph, node).empty()) {
      return miss(node, Kind::bad_integrity, std::string(node.integrity));
    }
    const registry::Release* release = release_of(graph, node);
    if (!pinned && release != nullptr) integrity = hash::Integrity::parse(release->integrity);
    if (!integrity) return miss(node, Kind::no_integrity, why_none(node));
    const std::string key = std::string(node.name) + "@" + std::string(node.version) + " " +
                            integrity->str() + (pinned ? "" : " unpinned");
    auto [at, is_new] = wants_.try_emplace(key);
    Want& want = at->second;
    if (is_new) start(want, graph, id, *integrity, release, *choice);
    want.pinned = pinned;
    const std::string_view resolved = resolved_of(graph, node);
    add_once(want.held.paths, host_part(resolved));
    add_once(want.held.paths, registry_part(resolved, node.name));
    add_once(want.held.mirror, mirror_name(resolved));
    want.optional = want.optional && node.flags.optional;
    want.held.install_script = want.held.install_script || node.flags.install_script;
  }

  /// Fetched as the lock has it, from a host that the operator named: so the bytes must be those
  /// that the lock means, and whoever installs finds them under the same path.
  void add_elsewhere(const Graph& graph, NodeId id, const lockfile::Elsewhere& found) {
    using From = lockfile::Elsewhere::Kind;
    const Node& node = graph.node(id);
    const bool in_repository = found.kind == From::local || found.kind == From::outside;
    if (in_repository || node.source == Source::link) return;
    const std::vector<std::string>& hosts = catalog_.archives().hosts;
    const bool allowed =
        found.kind == From::archive && std::binary_search(hosts.begin(), hosts.end(), found.host);
    const auto integrity = pinned_integrity(graph, node);
    const auto path = host_part(node.resolved);
    if (!allowed || !integrity || !path || !registry::is_package_name(node.name)) {
      return miss(node, Kind::elsewhere, std::string(node.resolved));
    }
    const std::string url(node.resolved.substr(0, node.resolved.find('#')));
    auto [at, is_new] = wants_.try_emplace("elsewhere " + url + " " + integrity->str());
    Want& want = at->second;
    if (is_new) {
      want.held.name = node.name;
      want.held.version = printable(cut_utf8(node.version, kMaxVersion));
      want.held.integrity = integrity->str();
      want.held.paths = {*path};
      want.held.needs = needs_of(graph, id);
      want.held.elsewhere = true;
      want.integrity = integrity;
      want.url = url;
    }
    add_once(want.held.mirror, mirror_name(node.resolved));
    want.optional = want.optional && node.flags.optional;
  }

  void start(Want& want, const Graph& graph, NodeId id, const hash::Integrity& integrity,
             const registry::Release* release, const registry::Choice& choice) {
    const Node& node = graph.node(id);
    want.held.name = node.name;
    want.held.version = node.version;
    want.held.integrity = integrity.str();
    want.held.paths = {usual_path(node.name, node.version)};
    want.held.needs = needs_of(graph, id);
    if (release != nullptr) want.held.release = *release;
    if (release != nullptr && release->install_script) want.held.install_script = true;
    want.integrity = integrity;
    want.choice = &choice;
    auto url = fetch_url(choice.url, resolved_of(graph, node), node.name);
    if (!url && release != nullptr) url = release_url(choice.url, release->tarball, node.name);
    want.url = url ? *std::move(url) : registry::tarball_url(choice.url, node.name, node.version);
  }

  [[nodiscard]] std::string why_none(const Node& node) const {
    const auto lack = catalog_.lacks().find(node.name);
    if (lack == catalog_.lacks().end()) return "neither the lock nor the registry has one";
    return std::string(words(lack->second.kind));
  }

  Catalog& catalog_;
  std::map<std::string, Want> wants_;
  std::map<std::string, Missing> missing_;
};

}  // namespace

Wants find_wants(Catalog& catalog, const std::vector<const Graph*>& graphs,
                 const Catalog::OnProgress& progress) {
  Collector collector(catalog);
  collector.prefetch(graphs, progress);
  for (const Graph* graph : graphs) {
    for (NodeId id = 0; id < graph->nodes().size(); ++id) collector.add(*graph, id);
  }
  return std::move(collector).take();
}

}  // namespace cg::catalog
