#include "npm/resolve/rules.h"

namespace cg::resolve {

namespace {

constexpr std::size_t kMaxDepth = 16;

void read(const json::Value& value, std::vector<std::string>& path, Rules& out) {
  if (value.is_string()) {
    out.push_back(make_rule(path, std::string(*value.as_string())));
    return;
  }
  if (!value.is_object() || path.size() > kMaxDepth) return;
  // Trap 8: an object under a key with a range forces that range on the package itself.
  // A copy: the path grows and moves below.
  const std::string own(path.empty() ? std::string_view() : split_key(path.back()).range);
  bool has_dot = false;
  for (const auto& [key, inner] : *value.as_object()) {
    if (key == ".") {
      has_dot = true;
      if (inner.is_string()) out.push_back(make_rule(path, std::string(*inner.as_string())));
      continue;
    }
    path.push_back(key);
    read(inner, path, out);
    path.pop_back();
  }
  if (!path.empty() && !has_dot && !own.empty()) {
    out.push_back(make_rule(path, own));
  }
}

}  // namespace

KeyParts split_key(std::string_view key) {
  const std::size_t at = key.find('@', key.starts_with('@') ? 1 : 0);
  if (at == std::string_view::npos) return {key, {}};
  return {key.substr(0, at), key.substr(at + 1)};
}

Rule make_rule(std::vector<std::string> path, std::string value) {
  Rule rule;
  const KeyParts last = split_key(path.back());
  rule.target = last.name;
  rule.key = last.range;
  for (std::size_t i = 0; i + 1 < path.size(); ++i) {
    rule.parents.emplace_back(split_key(path[i]).name);
  }
  rule.path = std::move(path);
  rule.value = std::move(value);
  return rule;
}

Rules read_rules(const json::Value& overrides) {
  Rules out;
  std::vector<std::string> path;
  if (overrides.is_object()) read(overrides, path, out);
  return out;
}

}  // namespace cg::resolve
