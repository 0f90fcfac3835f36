#include "fix/plugin/pins.h"

#include <algorithm>

#include "fix/plugin/manifest.h"
#include "trust/hash/sha256.h"

namespace cg::plugin {

namespace {

constexpr hash::PinFile kPins{"codegenie/plugins-lock/v1\n", kMaxPlugins, is_plugin_name};

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
  return hash::parse_pins(kPins, text);
}

std::string write_pins(std::vector<Pin> pins) { return hash::write_pins(kPins, std::move(pins)); }

}  // namespace cg::plugin
