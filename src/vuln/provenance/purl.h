// Package URLs: pkg:npm/%40babel/core@7.0.0.
//
// The generic rules of the purl specification. The case of names is kept for every
// type: old npm packages differ by case alone, and folding it would accuse the wrong one.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/base/result.h"

namespace cg::provenance {

inline constexpr std::size_t kMaxPurl = 8'192;

/// Decoded; empty where absent.
struct Purl {
  std::string type;   // lower case: "npm", "deb"
  std::string space;  // the namespace: "@babel", "debian"; parts joined by /
  std::string name;
  std::string version;
  std::vector<std::pair<std::string, std::string>> qualifiers;  // sorted by key
  std::string subpath;
  friend bool operator==(const Purl&, const Purl&) = default;
};

struct PurlError {
  std::string what;
};

[[nodiscard]] Result<Purl, PurlError> parse_purl(std::string_view text);

/// "@babel/core" of pkg:npm/%40babel/core; nothing for other types.
[[nodiscard]] std::optional<std::string> npm_name(const Purl& purl);

}  // namespace cg::provenance
