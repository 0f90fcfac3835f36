// Pins: the digest that each named thing must have, as the lines of a file.
//
//   a first line that says what the file is, then per thing 64 hexadecimal digits, two spaces
//   and its name, sorted by name
//
// An integrity check: it finds what was damaged, half merged or edited without its pin. It is
// no signature; whoever can write both the thing and its pin passes it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "trust/hash/digest.h"

namespace cg::hash {

struct Pin {
  std::string name;
  Digest digest{};
  friend bool operator==(const Pin&, const Pin&) = default;
};

struct PinFile {
  std::string_view first_line;  // with its end
  std::size_t max;              // pins
  bool (*is_name)(std::string_view);
};

/// Takes exactly what write_pins() writes: names in order, each once.
[[nodiscard]] std::optional<std::vector<Pin>> parse_pins(const PinFile& file,
                                                         std::string_view text);
/// `pins` may be in any order.
[[nodiscard]] std::string write_pins(const PinFile& file, std::vector<Pin> pins);

}  // namespace cg::hash
