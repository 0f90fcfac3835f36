#include "trust/hash/pins.h"

#include <algorithm>

#include "base/base/text.h"

namespace cg::hash {

std::optional<std::vector<Pin>> parse_pins(const PinFile& file, std::string_view text) {
  if (!text.starts_with(file.first_line) || text.back() != '\n') return std::nullopt;
  text.remove_prefix(file.first_line.size());
  std::vector<Pin> pins;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const auto parts = split(text.substr(0, end), ' ');
    text.remove_prefix(end + 1);
    if (pins.size() == file.max || parts.size() != 3 || !parts[1].empty()) return std::nullopt;
    const auto digest = parse_digest(parts[0]);
    const bool in_order = pins.empty() || pins.back().name < parts[2];
    if (!digest || !file.is_name(parts[2]) || !in_order) return std::nullopt;
    pins.push_back({std::string(parts[2]), *digest});
  }
  return pins;
}

std::string write_pins(const PinFile& file, std::vector<Pin> pins) {
  std::sort(pins.begin(), pins.end(), [](const Pin& a, const Pin& b) { return a.name < b.name; });
  std::string out(file.first_line);
  for (const Pin& pin : pins) out += to_hex(pin.digest) + "  " + pin.name + "\n";
  return out;
}

}  // namespace cg::hash
