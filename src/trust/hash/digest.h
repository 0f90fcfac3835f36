// Digest: 32 bytes that name other bytes.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "base/base/bytes.h"

namespace cg::hash {

/// A BLAKE3 or SHA-256 value. Which of the two is part of where it stands.
using Digest = std::array<Byte, 32>;

[[nodiscard]] inline std::optional<Digest> parse_digest(std::string_view hex) {
  return from_hex<32>(hex);
}

}  // namespace cg::hash
