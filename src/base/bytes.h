// Bytes as text and back: hexadecimal, base64, little-endian integers.
//
// Both decoders are strict: exactly one text decodes to given bytes, so text
// that was altered in a way a lax decoder would forgive is still found.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace cg {

using Byte = unsigned char;
using ByteView = std::span<const Byte>;

[[nodiscard]] ByteView as_bytes(std::string_view text);
[[nodiscard]] std::string_view as_text(ByteView bytes);

/// Lower case.
[[nodiscard]] std::string to_hex(ByteView bytes);
/// Nothing unless `text` is exactly 2 x N lower-case digits.
template <std::size_t N>
[[nodiscard]] std::optional<std::array<Byte, N>> from_hex(std::string_view text);

/// RFC 4648 section 4, padded, no line breaks.
[[nodiscard]] std::string to_base64(ByteView bytes);
/// Nothing if a character is foreign, the padding is wrong or spare bits are set.
[[nodiscard]] std::optional<std::string> from_base64(std::string_view text);

[[nodiscard]] std::array<Byte, 8> to_le64(std::uint64_t value);
[[nodiscard]] std::uint64_t from_le64(std::span<const Byte, 8> bytes);

// --- implementation ---

/// The value of one lower-case hexadecimal digit, or -1.
[[nodiscard]] constexpr int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

template <std::size_t N>
std::optional<std::array<Byte, N>> from_hex(std::string_view text) {
  if (text.size() != 2 * N) return std::nullopt;
  std::array<Byte, N> out{};
  for (std::size_t i = 0; i < N; ++i) {
    const int high = hex_digit(text[2 * i]);
    const int low = hex_digit(text[2 * i + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    out[i] = static_cast<Byte>(high * 16 + low);
  }
  return out;
}

}  // namespace cg
