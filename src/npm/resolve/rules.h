// Rules: npm's `overrides` of the root manifest.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/json/value.h"

namespace cg::resolve {

/// {"a": {"b@^1": "2.0.0"}} has the path a, b@^1.
struct Rule {
  std::vector<std::string> path;
  std::string value;                 // "$name" is replaced by what the root asks for
  std::string target;                // the last name of the path, without its range
  std::string key;                   // the range beside it; empty: any
  std::vector<std::string> parents;  // names of the others, without their ranges
  bool own = false;                  // made by this plan
  friend bool operator==(const Rule&, const Rule&) = default;
};

/// "b@^1" as "b" and "^1".
struct KeyParts {
  std::string_view name;
  std::string_view range;
};
[[nodiscard]] KeyParts split_key(std::string_view key);

[[nodiscard]] Rule make_rule(std::vector<std::string> path, std::string value);

using Rules = std::vector<Rule>;

/// In the order in which npm looks at them. What is no text or object is passed over:
/// npm refuses it, and the manifest was read by then.
[[nodiscard]] Rules read_rules(const json::Value& overrides);

}  // namespace cg::resolve
