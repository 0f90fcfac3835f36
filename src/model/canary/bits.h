// Sixty-four bytes of a text as the bits of a number.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace cg::canary {

/// Bit i is the lowest bit of bytes[i]; the others must be 0.
[[nodiscard]] constexpr std::uint64_t low_bits(const std::array<std::uint8_t, 64>& bytes) {
  std::uint64_t out = 0;
  for (std::size_t i = 0; i < bytes.size(); i += 8) {
    std::uint64_t eight = 0;
    for (std::size_t k = 0; k < 8; ++k) eight |= std::uint64_t{bytes[i + k]} << (8 * k);
    out |= (eight * 0x0102040810204080U >> 56U) << i;
  }
  return out;
}

}  // namespace cg::canary
