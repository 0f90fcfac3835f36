#include "npm/npm/manifest.h"

#include <algorithm>

#include "base/json/json.h"

namespace cg::npm {

namespace {

using json::Value;

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

struct Group {
  std::string_view key;
  EdgeKind kind;
};
// In this order, as npm does: what comes later replaces what came before under the
// same name, except that a peer stands beside a development dependency.
constexpr Group kGroups[] = {{"dependencies", EdgeKind::prod},
                             {"optionalDependencies", EdgeKind::optional},
                             {"devDependencies", EdgeKind::dev},
                             {"peerDependencies", EdgeKind::peer}};

ManifestError wrong(const Value& value, std::string_view field, std::string_view expected) {
  const auto& at = value.position();
  return {at, "line " + std::to_string(at.line) + ", column " + std::to_string(at.column) + ": `" +
                  std::string(field) + "` is not " + std::string(expected)};
}

std::string text_of(const Value& object, std::string_view key) {
  const Value* value = object.find(key);
  return value != nullptr && value->is_string() ? *value->as_string() : std::string();
}

/// The members that are strings; nothing else decides anything.
std::vector<std::pair<std::string, std::string>> texts_of(const Value& object,
                                                          std::string_view key) {
  std::vector<std::pair<std::string, std::string>> out;
  const Value* value = object.find(key);
  if (value == nullptr || !value->is_object()) return out;
  for (const auto& [name, text] : *value->as_object()) {
    if (text.is_string()) out.emplace_back(name, *text.as_string());
  }
  return out;
}

bool is_optional_peer(const Value& manifest, std::string_view peer) {
  const Value* meta = manifest.find("peerDependenciesMeta");
  const Value* entry = meta == nullptr ? nullptr : meta->find(peer);
  const Value* optional = entry == nullptr ? nullptr : entry->find("optional");
  return optional != nullptr && optional->as_bool().value_or(false);
}

void put(std::vector<Dependency>& all, Dependency dependency) {
  const bool peer = dependency.kind == EdgeKind::peer || dependency.kind == EdgeKind::peer_optional;
  const auto same = std::find_if(all.begin(), all.end(), [&](const Dependency& other) {
    return other.name == dependency.name;
  });
  if (same == all.end() || (peer && same->kind == EdgeKind::dev)) {
    all.push_back(std::move(dependency));
  } else if (dependency.kind != EdgeKind::dev) {
    *same = std::move(dependency);
  }
}

Result<Done, ManifestError> read_group(const Value& manifest, const Group& group,
                                       std::vector<Dependency>& out) {
  const Value* members = manifest.find(group.key);
  if (members == nullptr || members->is_null()) return Done{};
  // Old manifests have [] where they mean {}.
  if (members->is_array() && members->as_array()->empty()) return Done{};
  if (!members->is_object()) return fail(wrong(*members, group.key, "an object"));
  for (const auto& [name, spec] : *members->as_object()) {
    if (!spec.is_string()) {
      return fail(wrong(spec, std::string(group.key) + "." + name, "a string"));
    }
    EdgeKind kind = group.kind;
    if (kind == EdgeKind::peer && is_optional_peer(manifest, name)) kind = EdgeKind::peer_optional;
    put(out, {name, *spec.as_string(), kind, spec.position()});
  }
  return Done{};
}

Result<std::vector<std::string>, ManifestError> read_workspaces(const Value& manifest) {
  std::vector<std::string> out;
  const Value* value = manifest.find("workspaces");
  if (value != nullptr && value->is_object()) value = value->find("packages");
  if (value == nullptr || value->is_null()) return out;
  if (!value->is_array()) return fail(wrong(*value, "workspaces", "an array"));
  for (const Value& item : *value->as_array()) {
    if (!item.is_string()) return fail(wrong(item, "workspaces", "an array of strings"));
    out.push_back(*item.as_string());
  }
  return out;
}

std::vector<std::string> read_bundled(const Value& manifest, const std::vector<Dependency>& all) {
  std::vector<std::string> out;
  const Value* value = manifest.find("bundleDependencies");
  if (value == nullptr) value = manifest.find("bundledDependencies");
  if (value == nullptr) return out;
  if (value->is_array()) {
    for (const Value& item : *value->as_array()) {
      if (item.is_string()) out.push_back(*item.as_string());
    }
  } else if (value->as_bool().value_or(false)) {
    for (const Dependency& dependency : all) {
      if (dependency.kind == EdgeKind::prod) out.push_back(dependency.name);
    }
  }
  return out;
}

Result<Value, ManifestError> read_overrides(const Value& holder, std::string_view key) {
  const Value* value = holder.find(key);
  if (value == nullptr || value->is_null()) return Value();
  if (!value->is_object()) return fail(wrong(*value, key, "an object"));
  return *value;
}

}  // namespace

const Dependency* Manifest::find(std::string_view dependency) const {
  const auto found =
      std::find_if(dependencies.begin(), dependencies.end(),
                   [&](const Dependency& candidate) { return candidate.name == dependency; });
  return found == dependencies.end() ? nullptr : &*found;
}

std::string_view Manifest::folder() const {
  const std::string_view whole = path;
  const std::size_t slash = whole.rfind('/');
  return slash == std::string_view::npos ? std::string_view() : whole.substr(0, slash);
}

Result<Manifest, ManifestError> parse_manifest(std::string path, std::string_view text) {
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  auto parsed = json::parse_json(text, {.max_bytes = kMaxManifestBytes});
  if (!parsed) return fail(ManifestError{parsed.error().at, json::describe(parsed.error())});
  const Value& root = *parsed;
  if (!root.is_object()) return fail(wrong(root, "package.json", "an object"));
  Manifest manifest;
  manifest.path = std::move(path);
  manifest.name = text_of(root, "name");
  manifest.version = text_of(root, "version");
  for (const Group& group : kGroups) CG_TRY(read_group(root, group, manifest.dependencies));
  CG_TRY_ASSIGN(manifest.workspaces, read_workspaces(root));
  manifest.bundled = read_bundled(root, manifest.dependencies);
  manifest.main = text_of(root, "main");
  manifest.scripts = texts_of(root, "scripts");
  manifest.engines = texts_of(root, "engines");
  manifest.volta = texts_of(root, "volta");
  manifest.package_manager = text_of(root, "packageManager");
  CG_TRY_ASSIGN(manifest.overrides, read_overrides(root, "overrides"));
  CG_TRY_ASSIGN(manifest.resolutions, read_overrides(root, "resolutions"));
  if (const Value* pnpm = root.find("pnpm"); pnpm != nullptr && pnpm->is_object()) {
    CG_TRY_ASSIGN(manifest.pnpm_overrides, read_overrides(*pnpm, "overrides"));
  }
  return manifest;
}

}  // namespace cg::npm
