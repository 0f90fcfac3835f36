// Bytes as text and back: hexadecimal, base64, percent escapes, little-endian integers.
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

/// hex_digit() of every byte, 0x80 for none: reading a log is mostly reading heads.
inline constexpr std::array<Byte, 256> kHexDigits = [] {
  std::array<Byte, 256> table{};
  for (int c = 0; c < 256; ++c) {
    const int digit = c < 128 ? hex_digit(static_cast<char>(c)) : -1;
    table[static_cast<std::size_t>(c)] = digit < 0 ? Byte{0x80} : static_cast<Byte>(digit);
  }
  return table;
}();

template <std::size_t N>
std::optional<std::array<Byte, N>> from_hex(std::string_view text) {
  if (text.size() != 2 * N) return std::nullopt;
  const ByteView digits = as_bytes(text);
  std::array<Byte, N> out{};
  unsigned bad = 0;
  for (std::size_t i = 0; i < N; ++i) {
    const unsigned high = kHexDigits[digits.data()[2 * i]];
    const unsigned low = kHexDigits[digits.data()[2 * i + 1]];
    bad |= high | low;
    out[i] = static_cast<Byte>(high << 4U | low);
  }
  if ((bad & 0x80U) != 0) return std::nullopt;
  return out;
}

}  // namespace cg
