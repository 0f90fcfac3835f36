#include <map>
#include <optional>
#include <set>

#include "base/base/assert.h"
#include "base/json/json.h"
#include "fetch/catalog/shelf.h"
#include "fetch/catalog/tarball_path.h"
#include "npm/lockfile/elsewhere.h"
#include "npm/lockfile/rewrite.h"
#include "npm/registry/url.h"
#include "npm/semver/version.h"

namespace cg::catalog {

namespace {

using json::Value;
using npm::EdgeKind;

void add_needs(Value::Object& out, std::string_view key, const std::vector<registry::Need>& needs,
               EdgeKind kind, std::optional<EdgeKind> other = std::nullopt) {
  Value::Object members;
  std::set<std::string_view> seen;
  for (const registry::Need& need : needs) {
    if (need.kind != kind && need.kind != other) continue;
    if (seen.insert(need.name).second) members.emplace_back(need.name, need.range);
  }
  if (!members.empty()) out.emplace_back(key, std::move(members));
}

void add_peer_meta(Value::Object& out, const std::vector<registry::Need>& needs) {
  Value::Object members;
  std::set<std::string_view> seen;
  for (const registry::Need& need : needs) {
    if (need.kind != EdgeKind::peer_optional || !seen.insert(need.name).second) continue;
    members.emplace_back(need.name, Value::Object{{"optional", true}});
  }
  if (!members.empty()) out.emplace_back("peerDependenciesMeta", std::move(members));
}

void add_pairs(Value::Object& out, std::string_view key, const registry::Pairs& pairs) {
  Value::Object members;
  std::set<std::string_view> seen;
  for (const auto& [name, value] : pairs) {
    if (seen.insert(name).second) members.emplace_back(name, value);
  }
  if (!members.empty()) out.emplace_back(key, std::move(members));
}

void add_texts(Value::Object& out, std::string_view key, const std::vector<std::string>& texts) {
  Value::Array items(texts.begin(), texts.end());
  if (!items.empty()) out.emplace_back(key, std::move(items));
}

/// What only the registry knows.
void add_release(Value::Object& out, const registry::Release& release) {
  add_pairs(out, "bin", release.bin);
  add_pairs(out, "engines", release.engines);
  add_texts(out, "os", release.os);
  add_texts(out, "cpu", release.cpu);
  add_texts(out, "libc", release.libc);
  add_texts(out, "bundleDependencies", release.bundled);
  if (release.shrinkwrap) out.emplace_back("_hasShrinkwrap", true);
}

Value version_of(const Held& held, const std::string& registry) {
  const std::vector<registry::Need>& needs = held.release ? held.release->needs : held.needs;
  Value::Object out{{"name", held.name}, {"version", held.version}};
  add_needs(out, "dependencies", needs, EdgeKind::prod);
  add_needs(out, "optionalDependencies", needs, EdgeKind::optional);
  add_needs(out, "peerDependencies", needs, EdgeKind::peer, EdgeKind::peer_optional);
  add_peer_meta(out, needs);
  if (held.release) add_release(out, *held.release);
  if (held.install_script) out.emplace_back("hasInstallScript", true);
  Value::Object dist{{"tarball", registry + held.paths.front()}, {"integrity", held.integrity}};
  if (held.release && !held.release->shasum.empty()) {
    dist.emplace_back("shasum", held.release->shasum);
  }
  out.emplace_back("dist", std::move(dist));
  return out;
}

/// Its tarball is not there, and nobody asks for it.
Held as_held(const registry::Release& release) {
  Held out;
  out.name = release.name;
  out.version = release.version;
  out.integrity = release.integrity;
  out.paths = {usual_path(release.name, release.version)};
  out.release = release;
  out.install_script = release.install_script;
  return out;
}

}  // namespace

std::string shelf_document(const std::vector<const Held*>& versions,
                           const std::vector<const registry::Release*>& listed,
                           const std::string& registry) {
  CG_ASSERT(!versions.empty() || !listed.empty());
  Value::Object all;
  std::set<std::string_view> seen;
  std::optional<semver::Version> highest;
  std::string latest;
  for (const Held* held : versions) {
    if (!seen.insert(held->version).second) continue;
    all.emplace_back(held->version, version_of(*held, registry));
    auto version = semver::Version::parse(held->version);
    CG_ASSERT(version.has_value());
    if (highest && !(*highest < *version)) continue;
    highest = *std::move(version);
    latest = held->version;
  }
  for (const registry::Release* release : listed) {
    if (!seen.insert(release->version).second) continue;
    all.emplace_back(release->version, version_of(as_held(*release), registry));
    // What is installed comes first, however high.
    if (versions.empty()) latest = release->version;
  }
  const std::string& name = versions.empty() ? listed.front()->name : versions.front()->name;
  return json::write_json(Value::Object{{"name", name},
                                        {"dist-tags", Value::Object{{"latest", latest}}},
                                        {"versions", std::move(all)}}) +
         "\n";
}

std::optional<std::string> lock_on_shelf(const npm::Graph& graph, const Stock& stock,
                                         std::uint16_t port) {
  if (graph.kind() != npm::LockKind::pnpm) return std::nullopt;
  std::set<std::string> there;
  for (const Held& held : stock.held) {
    if (held.elsewhere) there.insert(held.paths.begin(), held.paths.end());
  }
  const std::string_view text = graph.text();
  std::map<std::size_t, lockfile::Change> changes;  // by place: two copies may share one
  for (npm::NodeId id = 0; id < graph.nodes().size(); ++id) {
    const std::string_view resolved = graph.node(id).resolved;
    const auto path = host_part(resolved);
    const auto found = lockfile::elsewhere(graph, id);
    const bool in_text =
        resolved.data() >= text.data() && resolved.data() < text.data() + text.size();
    if (!found || !path || !there.contains(*path) || !in_text) continue;
    const auto begin = static_cast<std::uint32_t>(resolved.data() - text.data());
    const auto end = begin + static_cast<std::uint32_t>(resolved.size());
    changes.insert_or_assign(begin, lockfile::Change{{begin, end}, shelf_url(port) + *path});
  }
  if (changes.empty()) return std::nullopt;
  std::vector<lockfile::Change> all;
  for (auto& [at, change] : changes) all.push_back(std::move(change));
  auto out = lockfile::rewrite(graph, std::move(all));
  return out ? std::optional(*std::move(out)) : std::nullopt;
}

}  // namespace cg::catalog
