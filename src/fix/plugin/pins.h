// Pins: PLUGINS.lock, the digest that each plugin's tree must have.
//
// An integrity check: it finds a file that was damaged, half merged or edited without
// its pin. It is no signature; whoever can write both a plugin and the lock passes it.
// Bytes and an example are in doc/format/plugins.md.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "trust/hash/digest.h"

namespace cg::plugin {

/// A file of a plugin, by its path beneath the plugin's folder.
struct File {
  std::string path;
  std::string bytes;
};

/// SHA-256 over one line per file, sorted by path: what `sha256sum` prints for it, that
/// is, the digest of the contents, two spaces and the path. Modes and times do not count.
[[nodiscard]] hash::Digest tree_digest(const std::vector<File>& files);

struct Pin {
  std::string plugin;
  hash::Digest digest{};
  friend bool operator==(const Pin&, const Pin&) = default;
};

inline constexpr std::string_view kPinsFile = "PLUGINS.lock";
inline constexpr std::size_t kMaxPlugins = 32;

/// Takes exactly what write_pins() writes: names in order, each once.
[[nodiscard]] std::optional<std::vector<Pin>> parse_pins(std::string_view text);
/// `pins` may be in any order.
[[nodiscard]] std::string write_pins(std::vector<Pin> pins);

}  // namespace cg::plugin
