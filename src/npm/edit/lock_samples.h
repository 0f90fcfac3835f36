// What the tests of package-lock edits share: locks as tables, releases made from entries.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <string_view>

#include "base/json/json.h"
#include "npm/edit/edit.h"
#include "npm/lockfile/lock.h"

namespace cg::edit::samples {

inline npm::Graph read_lock(std::string_view text) {
  auto graph = lockfile::read_package_lock(npm::LockKind::package_lock, std::string(text), nullptr);
  if (!graph) ADD_FAILURE() << graph.error().at.line << ": " << graph.error().what << "\n" << text;
  return *std::move(graph);
}
inline std::string edited(std::string_view text, const LockEdit& edit,
                          std::string_view registry = "https://registry.example/") {
  const npm::Graph graph = read_lock(text);
  auto out = edit_package_lock(graph, edit, registry);
  if (!out) ADD_FAILURE() << out.error().what;
  return out ? *out : std::string();
}
inline EditError refused(std::string_view text, const LockEdit& edit) {
  const npm::Graph graph = read_lock(text);
  auto out = edit_package_lock(graph, edit, "https://registry.example/");
  if (out) {
    ADD_FAILURE() << "accepted: " << *out;
    return {EditError::Kind::shape, ""};
  }
  EXPECT_FALSE(out.error().what.empty());
  return out.error();
}

/// The lock as a table: a line for each location.
using Table = std::map<std::string, std::string>;
inline Table table_of(const std::string& text) {
  Table out;
  const npm::Graph graph = read_lock(text);
  for (npm::NodeId id = 0; id < graph.nodes().size(); ++id) {
    const npm::Node& node = graph.node(id);
    std::string line(node.name);
    for (const std::string_view part : {node.version, node.resolved, node.integrity}) {
      line += " " + std::string(part);
    }
    line += node.flags.dev ? " dev" : "";
    line += node.flags.optional ? " optional" : "";
    line += node.flags.dev_optional ? " devOptional" : "";
    line += node.flags.peer ? " peer" : "";
    for (const npm::Edge& edge : graph.edges_of(id)) {
      line += " " + std::string(edge.name) + "@" + std::string(edge.range);
    }
    out[std::string(node.location)] = line;
  }
  return out;
}

/// The entry at `node` as it is written.
inline json::Value entry_of(const npm::Graph& graph, const npm::Node& node) {
  const std::string text =
      "{" + std::string(graph.text().substr(node.entry.begin, node.entry.end - node.entry.begin)) +
      "}";
  auto parsed = json::parse_json(text, {.max_depth = 200});
  if (!parsed) ADD_FAILURE() << json::describe(parsed.error());
  return parsed->as_object()->front().second;
}
inline std::string text_of(const json::Value& entry, std::string_view key) {
  const json::Value* value = entry.find(key);
  return value != nullptr && value->is_string() ? *value->as_string() : std::string();
}
inline registry::Pairs pairs_of(const json::Value& entry, std::string_view key) {
  registry::Pairs out;
  const json::Value* value = entry.find(key);
  if (value != nullptr && value->is_array()) {
    for (const json::Value& item : *value->as_array()) {
      if (item.is_string()) out.emplace_back(std::to_string(out.size()), *item.as_string());
    }
  }
  if (value == nullptr || !value->is_object()) return out;
  for (const auto& [name, text] : *value->as_object()) {
    if (text.is_string()) out.emplace_back(name, *text.as_string());
  }
  return out;
}
inline std::vector<std::string> list_of(const json::Value& entry, std::string_view key) {
  std::vector<std::string> out;
  const json::Value* value = entry.find(key);
  if (value == nullptr) return out;
  if (value->is_string()) out.push_back(*value->as_string());
  if (!value->is_array()) return out;
  for (const json::Value& item : *value->as_array()) out.push_back(*item.as_string());
  return out;
}

inline bool is_true(const json::Value& entry, std::string_view key) {
  const json::Value* value = entry.find(key);
  return value != nullptr && value->as_bool() == true;
}

inline void add_needs(registry::Release& release, const json::Value& entry, std::string_view field,
                      npm::EdgeKind kind) {
  const json::Value* meta = entry.find("peerDependenciesMeta");
  for (const auto& [name, range] : pairs_of(entry, field)) {
    const json::Value* said = meta == nullptr ? nullptr : meta->find(name);
    const bool optional =
        kind == npm::EdgeKind::peer && said != nullptr && is_true(*said, "optional");
    release.needs.push_back({name, range, optional ? npm::EdgeKind::peer_optional : kind});
  }
}

/// The release that a registry would offer for what is installed at `node`.
inline registry::Release release_at(const npm::Graph& graph, const npm::Node& node) {
  const json::Value entry = entry_of(graph, node);
  registry::Release release;
  release.name = std::string(node.name);
  release.version = std::string(node.version);
  release.tarball = std::string(node.resolved);
  release.integrity = std::string(node.integrity);
  if (graph.lock_version() == "1") {
    add_needs(release, entry, "requires", npm::EdgeKind::prod);
    return release;
  }
  add_needs(release, entry, "dependencies", npm::EdgeKind::prod);
  add_needs(release, entry, "optionalDependencies", npm::EdgeKind::optional);
  add_needs(release, entry, "peerDependencies", npm::EdgeKind::peer);
  release.license = text_of(entry, "license");
  release.deprecated = text_of(entry, "deprecated");
  release.engines = pairs_of(entry, "engines");
  release.bin = pairs_of(entry, "bin");
  release.os = list_of(entry, "os");
  release.cpu = list_of(entry, "cpu");
  release.libc = list_of(entry, "libc");
  release.bundled = list_of(entry, "bundleDependencies");
  if (is_true(entry, "bundleDependencies")) {
    for (const auto& [name, range] : pairs_of(entry, "dependencies"))
      release.bundled.push_back(name);
  }
  if (const json::Value* funding = entry.find("funding")) release.funding = *funding;
  release.install_script = is_true(entry, "hasInstallScript");
  release.shrinkwrap = is_true(entry, "hasShrinkwrap");
  return release;
}

}  // namespace cg::edit::samples
