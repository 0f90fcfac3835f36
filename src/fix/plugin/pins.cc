#include "fix/plugin/pins.h"

#include <algorithm>

#include "base/base/text.h"
#include "fix/plugin/manifest.h"
#include "trust/hash/sha256.h"

namespace cg::plugin {

namespace {

constexpr std::string_view kFirstLine = "codegenie/plugins-lock/v1\n";

}  // namespace

hash::Digest tree_digest(const std::vector<File>& files) {
  std::vector<const File*> sorted;
  for (const File& file : files) sorted.push_back(&file);
  std::sort(sorted.begin(), sorted.end(),
            [](const File* a, const File* b) { return a->path < b->path; });
  std::string lines;
  for (const File* file : sorted) {
    lines += to_hex(hash::sha256(as_bytes(file->bytes))) + "  " + file->path + "\n";
  }
  return hash::sha256(as_bytes(lines));
}

std::optional<std::vector<Pin>> parse_pins(std::string_view text) {
  if (!text.starts_with(kFirstLine) || text.back() != '\n') return std::nullopt;
  text.remove_prefix(kFirstLine.size());
  std::vector<Pin> pins;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const auto parts = split(text.substr(0, end), ' ');
    text.remove_prefix(end + 1);
    if (pins.size() == kMaxPlugins || parts.size() != 3 || !parts[1].empty()) return std::nullopt;
    const auto digest = hash::parse_digest(parts[0]);
    const bool in_order = pins.empty() || pins.back().plugin < parts[2];
    if (!digest || !is_plugin_name(parts[2]) || !in_order) return std::nullopt;
    pins.push_back({std::string(parts[2]), *digest});
  }
  return pins;
}

std::string write_pins(std::vector<Pin> pins) {
  std::sort(pins.begin(), pins.end(),
            [](const Pin& a, const Pin& b) { return a.plugin < b.plugin; });
  std::string out(kFirstLine);
  for (const Pin& pin : pins) out += to_hex(pin.digest) + "  " + pin.plugin + "\n";
  return out;
}

}  // namespace cg::plugin
