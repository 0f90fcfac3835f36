#include "fetch/catalog/yarnrc.h"

#include <algorithm>

#include "base/base/text.h"
#include "base/json/json.h"
#include "base/yaml/yaml.h"

namespace cg::catalog {

namespace {

using json::Value;

constexpr std::size_t kMaxBytes = 1U << 20U;

/// Settings and, with a star, beginnings of settings.
constexpr std::string_view kRefused[] = {
    "npm*",
    "http*",
    "yarnPath",
    "ignorePath",
    "unsafeHttpWhitelist",
    "networkSettings",
    "enableNetwork",
    "enableOfflineMode",
    "enableStrictSsl",
    "enableProxy",
    "ca*",
    "globalFolder",
    "enableGlobalCache",
    "enableMirror",
    "enableScripts",
    "enableTelemetry",
    "telemetry*",
    "enableImmutable*",
    "enableHardenedMode",
    "checksumBehavior",
    "rcFilename",
    "initScope",
    "lockfileFilename",
    "virtualFolder",
};

bool is_refused(std::string_view key, const Value& value) {
  // The checksums of its lock are of archives that were packed so.
  if (key == "compressionLevel") {
    const auto number = value.as_int();
    return !(number && *number >= 0 && *number <= 9) &&
           !(value.is_string() && *value.as_string() == "mixed");
  }
  return std::any_of(std::begin(kRefused), std::end(kRefused), [&](std::string_view refused) {
    if (!refused.ends_with('*')) return key == refused;
    return key.starts_with(refused.substr(0, refused.size() - 1));
  });
}

Result<Value, std::string> parse(std::string_view text) {
  auto value = yaml::parse_yaml(text, {.max_bytes = kMaxBytes});
  if (!value) return fail(".yarnrc.yml cannot be read: " + json::describe(value.error()));
  if (value->is_null()) return Value(Value::Object{});
  if (!value->is_object()) return fail(std::string(".yarnrc.yml has no settings in it"));
  return *std::move(value);
}

std::string setting(std::string_view text, std::string_view key) {
  const auto value = parse(text);
  const Value* found = value ? value->find(key) : nullptr;
  return found != nullptr && found->is_string() ? *found->as_string() : std::string();
}

}  // namespace

Result<std::string, std::string> tame_yarnrc(std::string_view text) {
  CG_TRY_ASSIGN(const Value value, parse(text));
  Value::Object kept;
  for (const auto& [key, setting] : *value.as_object()) {
    if (!is_refused(key, setting)) kept.emplace_back(key, setting);
  }
  return json::write_json(kept) + "\n";
}

std::string inherit_yarnrc(std::string own, std::string_view above) {
  const auto near = parse(own);
  const auto far = parse(above);
  if (!near || !far || far->as_object()->empty()) return own;
  Value::Object all = *near->as_object();
  for (const auto& [key, value] : *far->as_object()) {
    if (near->find(key) == nullptr && key != "yarnPath") all.emplace_back(key, value);
  }
  return json::write_json(Value(std::move(all))) + "\n";
}

std::string own_yarn_of(std::string_view yarnrc) {
  std::string path = setting(yarnrc, "yarnPath");
  if (path.starts_with("./")) path.erase(0, 2);
  const std::vector<std::string_view> parts = split(path, '/');
  const bool stays = std::all_of(parts.begin(), parts.end(), [](std::string_view part) {
    return !part.empty() && part != "." && part != "..";
  });
  return stays ? path : std::string();
}

std::string node_linker_of(std::string_view yarnrc) {
  std::string linker = setting(yarnrc, "nodeLinker");
  return linker.empty() ? "pnp" : linker;
}

}  // namespace cg::catalog
