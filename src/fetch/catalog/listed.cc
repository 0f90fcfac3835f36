#include "fetch/catalog/listed.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "npm/registry/name.h"
#include "npm/semver/range.h"
#include "npm/semver/version.h"

namespace cg::catalog {

namespace {

using npm::EdgeKind;
using npm::Graph;
using npm::LockKind;
using Asked = std::pair<std::string, std::string>;  // name and range

std::optional<semver::Range> range_of(std::string_view text) {
  auto range = semver::Range::parse(text, {.loose = true});
  return range ? std::optional(*std::move(range)) : std::nullopt;
}

class Lister {
 public:
  Lister(Catalog& catalog, const std::vector<const Graph*>& graphs) : catalog_(catalog) {
    for (const Graph* graph : graphs) {
      const bool is_npm =
          graph->kind() == LockKind::package_lock || graph->kind() == LockKind::npm_shrinkwrap;
      if (is_npm) look_at(*graph);
    }
  }

  std::vector<registry::Release> run() {
    prefetch();
    // What is asked for next is appended: each name and range once, so it ends with the names.
    for (std::size_t i = 0; i < open_.size(); ++i) list(Asked(open_[i]));
    std::vector<registry::Release> out;
    for (auto& [name, releases] : found_) {
      for (auto& [version, release] : releases) out.push_back(*release);
    }
    return out;
  }

 private:
  void look_at(const Graph& graph) {
    for (const npm::Node& node : graph.nodes()) {
      auto version = semver::Version::parse(node.version, {.loose = true});
      if (version) held_[std::string(node.name)].insert(*std::move(version));
    }
    for (const npm::Edge& edge : graph.edges()) {
      // Nobody misses an optional peer that is not there.
      const bool is_missed = edge.kind == EdgeKind::peer || edge.to != npm::kNoNode;
      if (!npm::is_peer(edge.kind) || !is_missed) continue;
      const auto range = range_of(edge.range);
      if (!range) continue;
      if (edge.to != npm::kNoNode) {
        const auto version = semver::Version::parse(graph.node(edge.to).version, {.loose = true});
        if (!version || range->test(*version)) continue;
      }
      ask(std::string(edge.name), std::string(edge.range), *range);
    }
  }

  /// What the locks hold has a place on the shelf anyway.
  void ask(const std::string& name, const std::string& range, const semver::Range& parsed) {
    const auto held = held_.find(name);
    const bool is_held = held != held_.end() &&
                         std::any_of(held->second.begin(), held->second.end(),
                                     [&](const semver::Version& v) { return parsed.test(v); });
    if (is_held || !registry::is_package_name(name)) return;
    if (!names_.contains(name) && names_.size() == kMostListedNames) return;
    names_.insert(name);
    if (known_.insert({name, range}).second) open_.emplace_back(name, range);
  }

  void prefetch() {
    if (!names_.empty()) catalog_.prefetch({names_.begin(), names_.end()});
  }

  void list(const Asked& asked) {
    const registry::Packument* packument = catalog_.get(asked.first);
    const auto range = range_of(asked.second);
    if (packument == nullptr || !range) return;
    std::size_t count = 0;
    for (std::size_t i = packument->size(); i-- > 0 && count < kMostListedOfOne;) {
      if (!range->test(packument->version(i))) continue;
      const registry::Release& release = packument->release(i);
      found_[asked.first].emplace(packument->version(i), &release);
      if (++count > 1) continue;
      for (const registry::Need& need : release.needs) {
        const auto peer = need.kind == EdgeKind::peer ? range_of(need.range) : std::nullopt;
        if (peer) ask(need.name, need.range, *peer);
      }
    }
  }

  Catalog& catalog_;
  std::map<std::string, std::set<semver::Version>> held_;
  std::set<std::string> names_;
  std::set<Asked> known_;
  std::vector<Asked> open_;
  std::map<std::string, std::map<semver::Version, const registry::Release*>> found_;
};

}  // namespace

std::vector<registry::Release> find_listed(Catalog& catalog,
                                           const std::vector<const Graph*>& graphs) {
  return Lister(catalog, graphs).run();
}

}  // namespace cg::catalog
