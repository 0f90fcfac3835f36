// Severity: how bad an advisory says it is, and who says so.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace cg::advisory {

/// The numbers are written into the index: never change them.
enum class Level { none = 0, low = 1, moderate = 2, high = 3, critical = 4, unknown = 5 };

/// "none", "low", "moderate", "high", "critical", "unknown".
[[nodiscard]] std::string_view name(Level level);
/// A word of a database, in any case; "medium" is moderate. Nothing for other words.
[[nodiscard]] std::optional<Level> parse_level(std::string_view word);

/// Where a level comes from.
enum class SeveritySource {
  none,       // nobody said anything
  database,   // the advisory database's own word
  cvss,       // the score of Severity::vector
  malicious,  // malware without a level is critical
};

struct Severity {
  Level level = Level::unknown;
  std::optional<int> tenths = {};  // the score of `vector`: 75 is 7.5
  std::string vector = {};
  SeveritySource source = SeveritySource::none;
  friend bool operator==(const Severity&, const Severity&) = default;
};

}  // namespace cg::advisory
