// Lock: cassettes.lock, the BLAKE3 digest that each cassette of a folder must have.
//
// The same kind of file as PLUGINS.lock.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "trust/hash/pins.h"

namespace cg::cassette {

inline constexpr std::string_view kLockFile = "cassettes.lock";
inline constexpr std::size_t kMaxCassettes = 1000;  // of a folder

using hash::Pin;

/// A plain file name that ends in .jsonl: letters, digits, `.`, `_`, `-`, at most 100.
[[nodiscard]] bool is_cassette_name(std::string_view name);

/// Takes exactly what write_lock() writes: names in order, each once.
[[nodiscard]] std::optional<std::vector<Pin>> parse_lock(std::string_view text);
/// `pins` may be in any order.
[[nodiscard]] std::string write_lock(std::vector<Pin> pins);

}  // namespace cg::cassette
