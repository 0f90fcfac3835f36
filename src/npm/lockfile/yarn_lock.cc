#include <algorithm>
#include <utility>

#include "base/base/text.h"
#include "npm/lockfile/yarn_parts.h"

namespace cg::lockfile {

namespace {

constexpr std::string_view kMetadata = "__metadata:";

/// Only berry writes __metadata, and never inside another key.
bool is_berry(std::string_view text) {
  return text.starts_with(kMetadata) || text.find("\n__metadata:") != kNone;
}

/// "^1.0.0" of "npm:^1.0.0": both are written.
std::string_view without_protocol(std::string_view range) {
  constexpr std::string_view kProtocol = "npm:";
  return range.starts_with(kProtocol) ? range.substr(kProtocol.size()) : range;
}

/// "a", "@s/b" and "**" of "a/@s/b/**".
std::vector<std::string> path_parts(std::string_view path) {
  std::vector<std::string> out;
  bool scope = false;
  for (const std::string_view part : split(path, '/')) {
    if (scope) {
      out.back() += '/';
      out.back() += part;
    } else {
      out.emplace_back(part);
    }
    scope = !scope && part.starts_with('@') && part.find('@', 1) == kNone;
  }
  return out;
}

}  // namespace

YarnDescriptor parse_descriptor(std::string_view text) {
  const std::size_t at = text.find('@', 1);
  if (at == kNone || at == 0) return {};
  return {text.substr(0, at), text.substr(at + 1)};
}

std::string_view aliased_name(std::string_view range) {
  constexpr std::string_view kProtocol = "npm:";
  if (!range.starts_with(kProtocol)) return {};
  return parse_descriptor(range.substr(kProtocol.size())).name;
}

Resolutions::Resolutions(const std::vector<Manifest>& manifests) {
  const json::Value::Object* rules =
      manifests.empty() ? nullptr : manifests.front().resolutions.as_object();
  if (rules == nullptr) return;
  for (const auto& [pattern, value] : *rules) {
    const std::string* range = value.as_string();
    const std::vector<std::string> parts = path_parts(pattern);
    if (range == nullptr || parts.back().empty()) continue;
    Rule rule;
    const YarnDescriptor descriptor = parse_descriptor(parts.back());
    rule.name = descriptor.name.empty() ? parts.back() : std::string(descriptor.name);
    rule.range = without_protocol(descriptor.range);
    if (parts.size() > 2 && parts[parts.size() - 2] == "**") {
      rule.distance = Parent::far;
    } else if (parts.size() > 1 && parts[parts.size() - 2] != "**") {
      const YarnDescriptor parent = parse_descriptor(parts[parts.size() - 2]);
      rule.parent = parent.name.empty() ? parts[parts.size() - 2] : std::string(parent.name);
    }
    rule.value = *range;
    rules_.push_back(std::move(rule));
  }
  std::stable_sort(rules_.begin(), rules_.end(),
                   [](const Rule& a, const Rule& b) { return a.name < b.name; });
}

const std::string* Resolutions::find(Parent distance, std::string_view parent,
                                     std::string_view name, std::string_view range) const {
  auto rule = std::lower_bound(rules_.begin(), rules_.end(), name,
                               [](const Rule& a, std::string_view b) { return a.name < b; });
  for (; rule != rules_.end() && rule->name == name; ++rule) {
    const bool fits = rule->distance == distance &&
                      (rule->parent.empty() || rule->parent == parent) &&
                      (rule->range.empty() || rule->range == without_protocol(range));
    if (fits) return &rule->value;
  }
  return nullptr;
}

const Manifest* manifest_at(const std::vector<Manifest>& manifests, std::string_view folder) {
  if (folder == ".") folder = {};
  const auto found =
      std::find_if(manifests.begin(), manifests.end(),
                   [&](const Manifest& manifest) { return manifest.folder() == folder; });
  return found == manifests.end() ? nullptr : &*found;
}

Result<Graph, LockError> read_yarn_lock(std::string text, const std::vector<Manifest>& manifests) {
  if (text.size() > kMaxLockBytes) {
    return fail(LockError{LockError::Kind::too_large, {}, "more than 64 MiB"});
  }
  const bool berry = is_berry(text);
  GraphBuilder builder(berry ? LockKind::yarn_berry : LockKind::yarn_classic, std::move(text));
  CG_TRY(berry ? read_yarn_berry(builder, manifests) : read_yarn_classic(builder, manifests));
  return std::move(builder).finish();
}

}  // namespace cg::lockfile
