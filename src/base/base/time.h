// Time as one number, and as the one spelling we write: 2026-11-15T02:40:11.042Z.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cg {

/// Milliseconds since 1970-01-01T00:00:00Z, leap seconds not counted.
struct Time {
  std::int64_t ms = 0;
  friend auto operator<=>(const Time&, const Time&) = default;
};

/// Always 24 characters, for years 0000 to 9999 (the time is clamped to them).
[[nodiscard]] std::string to_iso(Time time);
/// Accepts exactly what to_iso() writes, so text and time map one to one.
[[nodiscard]] std::optional<Time> parse_iso(std::string_view text);

/// The day, as 2026-11-15.
[[nodiscard]] std::string to_date(Time time);
/// Midnight UTC of a day written as 2026-11-15.
[[nodiscard]] std::optional<Time> parse_date(std::string_view text);

/// For progress: what `done` of `of` things alike took says of the others. ", about 4 min left", or
/// nothing where it says nothing.
[[nodiscard]] std::string time_left(std::size_t done, std::size_t of, std::int64_t took_ms);

}  // namespace cg
