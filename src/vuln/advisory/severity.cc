#include "vuln/advisory/severity.h"

#include <algorithm>
#include <cstdlib>

namespace cg::advisory {

namespace {

bool same_word(std::string_view word, std::string_view lower) {
  const auto fold = [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  };
  return std::equal(word.begin(), word.end(), lower.begin(), lower.end(),
                    [&](char a, char b) { return fold(a) == b; });
}

}  // namespace

std::string_view name(Level level) {
  switch (level) {
    case Level::none:
      return "none";
    case Level::low:
      return "low";
    case Level::moderate:
      return "moderate";
    case Level::high:
      return "high";
    case Level::critical:
      return "critical";
    case Level::unknown:
      return "unknown";
  }
  std::abort();
}

std::optional<Level> parse_level(std::string_view word) {
  if (same_word(word, "medium")) return Level::moderate;
  for (const Level level :
       {Level::none, Level::low, Level::moderate, Level::high, Level::critical}) {
    if (same_word(word, name(level))) return level;
  }
  return std::nullopt;
}

}  // namespace cg::advisory
