#include "base/base/time.h"

#include <algorithm>
#include <chrono>

namespace cg {

namespace {

constexpr std::int64_t kDayMs = 86'400'000;
constexpr std::int64_t kFirstMs = -62'167'219'200'000;  // 0000-01-01T00:00:00.000Z
constexpr std::int64_t kLastMs = 253'402'300'799'999;   // 9999-12-31T23:59:59.999Z

/// Writes `value` as digits that end before `end`.
void put(char* end, std::int64_t value, int width) {
  for (; width > 0; --width, value /= 10) *--end = static_cast<char>('0' + value % 10);
}

/// The number written by exactly the digits of `text`, or -1.
int number(std::string_view text) {
  int value = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return -1;
    value = value * 10 + (c - '0');
  }
  return value;
}

}  // namespace

std::string to_iso(Time time) {
  const std::int64_t ms = std::clamp(time.ms, kFirstMs, kLastMs);
  const std::int64_t day = (ms >= 0 ? ms : ms - kDayMs + 1) / kDayMs;
  const std::int64_t in_day = ms - day * kDayMs;
  const std::chrono::year_month_day date{std::chrono::sys_days{std::chrono::days{day}}};
  std::string out = "0000-00-00T00:00:00.000Z";
  put(out.data() + 4, static_cast<int>(date.year()), 4);
  put(out.data() + 7, static_cast<unsigned>(date.month()), 2);
  put(out.data() + 10, static_cast<unsigned>(date.day()), 2);
  put(out.data() + 13, in_day / 3'600'000, 2);
  put(out.data() + 16, in_day / 60'000 % 60, 2);
  put(out.data() + 19, in_day / 1000 % 60, 2);
  put(out.data() + 23, in_day % 1000, 3);
  return out;
}

std::string to_date(Time time) { return to_iso(time).substr(0, 10); }

std::optional<Time> parse_date(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return std::nullopt;
  const int year = number(text.substr(0, 4));
  const int month = number(text.substr(5, 2));
  const int day = number(text.substr(8, 2));
  if (year < 0 || month < 0 || day < 0) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year{year},
                                         std::chrono::month{static_cast<unsigned>(month)},
                                         std::chrono::day{static_cast<unsigned>(day)}};
  if (!date.ok()) return std::nullopt;
  return Time{std::chrono::sys_days{date}.time_since_epoch().count() * kDayMs};
}

std::optional<Time> parse_iso(std::string_view text) {
  if (text.size() != 24 || text[10] != 'T' || text[13] != ':' || text[16] != ':' ||
      text[19] != '.' || text[23] != 'Z') {
    return std::nullopt;
  }
  const std::optional<Time> day = parse_date(text.substr(0, 10));
  const int hour = number(text.substr(11, 2));
  const int minute = number(text.substr(14, 2));
  const int second = number(text.substr(17, 2));
  const int ms = number(text.substr(20, 3));
  if (!day || hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 59 ||
      ms < 0) {
    return std::nullopt;
  }
  return Time{day->ms + hour * 3'600'000LL + minute * 60'000LL + second * 1000LL + ms};
}

std::string time_left(std::size_t done, std::size_t of, std::int64_t took_ms) {
  if (done == 0 || done >= of || took_ms < 0) return "";
  const auto each = took_ms / static_cast<std::int64_t>(done);
  const std::int64_t minutes = (each * static_cast<std::int64_t>(of - done) + 30'000) / 60'000;
  return minutes == 0 ? ", less than a minute left"
                      : ", about " + std::to_string(minutes) + " min left";
}

}  // namespace cg
