#include <optional>
#include <set>

#include "base/base/assert.h"
#include "base/json/json.h"
#include "fetch/catalog/shelf.h"
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

}  // namespace

std::string shelf_document(const std::vector<const Held*>& versions, const std::string& registry) {
  CG_ASSERT(!versions.empty());
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
  return json::write_json(Value::Object{{"name", versions.front()->name},
                                        {"dist-tags", Value::Object{{"latest", latest}}},
                                        {"versions", std::move(all)}}) +
         "\n";
}

}  // namespace cg::catalog
