// Letters: what one character becomes when a text is folded.
//
// Unicode's own data (utf8proc) says most of it: compatibility forms, case, marks, what is
// invisible. What only looks alike is a table of ours (model/canary/look_alikes.def).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace cg::canary {

/// One character of a text that need not be UTF-8: a bad byte is a character of its own.
struct Rune {
  char32_t value = 0;
  std::size_t size = 1;  // in bytes
};
inline constexpr char32_t kBadByte = 0xFFFD;
[[nodiscard]] Rune first_rune(std::string_view text);

/// At most a few bytes of UTF-8; none at all for what nobody sees.
struct Folded {
  std::uint8_t size = 0;
  std::array<char, 7> bytes{};
  [[nodiscard]] std::string_view text() const { return {bytes.data(), size}; }
};
[[nodiscard]] Folded fold(char32_t rune);

/// The ASCII character that a character of the tag block hides, or 0.
[[nodiscard]] constexpr char hidden_by_tag(char32_t rune) {
  return rune >= 0xE0020 && rune <= 0xE007E ? static_cast<char>(rune - 0xE0000) : '\0';
}
/// The byte that a variation selector stands for where many of them in a row hide text, or -1.
[[nodiscard]] constexpr int hidden_by_selector(char32_t rune) {
  if (rune >= 0xFE00 && rune <= 0xFE0F) return static_cast<int>(rune - 0xFE00);
  if (rune >= 0xE0100 && rune <= 0xE01EF) return static_cast<int>(rune - 0xE0100) + 16;
  return -1;
}
/// Left-to-right and right-to-left override: they make text read as it is not written.
[[nodiscard]] constexpr bool overrides_direction(char32_t rune) {
  return rune == 0x202D || rune == 0x202E;
}

/// Characters without width that words do not need.
[[nodiscard]] constexpr bool is_zero_width(char32_t rune) {
  return (rune >= 0x200B && rune <= 0x200F) || (rune >= 0x2060 && rune <= 0x2064) ||
         rune == 0xFEFF || rune == 0xAD || rune == 0x180E || rune == 0x34F;
}

}  // namespace cg::canary
