// Pins: PLUGINS.lock, the digest that each plugin's tree must have.
//
// Bytes and an example are in doc/format/plugins.md.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "trust/hash/pins.h"

namespace cg::plugin {

/// A file of a plugin, by its path beneath the plugin's folder.
struct File {
  std::string path;
  std::string bytes;
};

/// SHA-256 over one line per file, sorted by path: what `sha256sum` prints for it, that
/// is, the digest of the contents, two spaces and the path. Modes and times do not count.
[[nodiscard]] hash::Digest tree_digest(const std::vector<File>& files);

using hash::Pin;

inline constexpr std::string_view kPinsFile = "PLUGINS.lock";
inline constexpr std::size_t kMaxPlugins = 32;

/// Takes exactly what write_pins() writes: names in order, each once.
[[nodiscard]] std::optional<std::vector<Pin>> parse_pins(std::string_view text);
/// `pins` may be in any order.
[[nodiscard]] std::string write_pins(std::vector<Pin> pins);

}  // namespace cg::plugin
