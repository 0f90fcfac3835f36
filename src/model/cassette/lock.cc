#include "model/cassette/lock.h"

#include <algorithm>

#include "base/base/text.h"

namespace cg::cassette {

namespace {

constexpr std::string_view kFirstLine = "codegenie/cassettes-lock/v1\n";

}  // namespace

bool is_cassette_name(std::string_view name) {
  constexpr std::string_view kEnding = ".jsonl";
  return name.size() > kEnding.size() && name.size() <= 100 && name.ends_with(kEnding) &&
         name.front() != '.' && name.front() != '-' &&
         name.find_first_not_of(
             "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") ==
             std::string_view::npos;
}

std::optional<std::vector<Pin>> parse_lock(std::string_view text) {
  if (!text.starts_with(kFirstLine) || text.back() != '\n') return std::nullopt;
  text.remove_prefix(kFirstLine.size());
  std::vector<Pin> pins;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const auto parts = split(text.substr(0, end), ' ');
    text.remove_prefix(end + 1);
    if (pins.size() == kMaxCassettes || parts.size() != 3 || !parts[1].empty()) return std::nullopt;
    const auto digest = hash::parse_digest(parts[0]);
    const bool in_order = pins.empty() || pins.back().file < parts[2];
    if (!digest || !is_cassette_name(parts[2]) || !in_order) return std::nullopt;
    pins.push_back({std::string(parts[2]), *digest});
  }
  return pins;
}

std::string write_lock(std::vector<Pin> pins) {
  std::sort(pins.begin(), pins.end(), [](const Pin& a, const Pin& b) { return a.file < b.file; });
  std::string out(kFirstLine);
  for (const Pin& pin : pins) out += to_hex(pin.digest) + "  " + pin.file + "\n";
  return out;
}

}  // namespace cg::cassette
