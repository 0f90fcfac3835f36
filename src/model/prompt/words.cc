#include "model/prompt/words.h"

#include <algorithm>

#include "base/base/text.h"
#include "model/canary/scan.h"
#include "npm/registry/name.h"
#include "npm/semver/version.h"

namespace cg::prompt {

namespace {

constexpr std::size_t kMaxPackage = 100;
constexpr std::size_t kMaxVersion = 64;
constexpr std::size_t kMaxPath = 256;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_small(char c) { return c >= 'a' && c <= 'z'; }
bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }

bool all_of(std::string_view text, bool (*is)(char)) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is);
}

/// Its words apart: "ignore-all-previous" is a name, and an order to whoever reads it.
bool is_quiet(std::string_view text) {
  std::string spaced(text);
  std::replace_if(
      spaced.begin(), spaced.end(),
      [](char c) { return !is_digit(c) && !is_small(c) && !is_capital(c); }, ' ');
  return !canary::scan(text, SourceKind::cve_description).collided() &&
         !canary::scan(spaced, SourceKind::cve_description).collided();
}

bool is_ghsa(const std::vector<std::string_view>& parts) {
  return parts.size() == 4 && parts[0] == "GHSA" &&
         std::all_of(parts.begin() + 1, parts.end(), [](std::string_view part) {
           return part.size() == 4 &&
                  all_of(part, [](char c) { return is_digit(c) || is_small(c); });
         });
}

}  // namespace

bool is_advisory_id(std::string_view text) {
  if (text.size() > 32) return false;
  const auto parts = split(text, '-');
  if (is_ghsa(parts)) return true;
  const bool prefix = parts[0].size() >= 2 && parts[0].size() <= 5 && all_of(parts[0], is_capital);
  return prefix && parts.size() >= 2 && parts.size() <= 3 &&
         std::all_of(parts.begin() + 1, parts.end(),
                     [](std::string_view part) { return all_of(part, is_digit); });
}

bool is_package_word(std::string_view text) {
  return text.size() <= kMaxPackage && registry::is_package_name(text) && is_quiet(text);
}

std::optional<std::string> version_word(std::string_view text) {
  const auto version = semver::Version::parse(text);
  if (!version) return std::nullopt;
  std::string word = version->str();
  if (word.size() > kMaxVersion || !is_quiet(word)) return std::nullopt;
  return word;
}

bool is_path_word(std::string_view text) {
  if (text.empty() || text.size() > kMaxPath) return false;
  const auto is_path_char = [](char c) {
    return is_digit(c) || is_small(c) || is_capital(c) ||
           std::string_view("._-+@/()[]$~").find(c) != std::string_view::npos;
  };
  if (!std::all_of(text.begin(), text.end(), is_path_char)) return false;
  for (const std::string_view part : split(text, '/')) {
    if (part.empty() || part == "." || part == "..") return false;
  }
  return is_quiet(text);
}

}  // namespace cg::prompt
