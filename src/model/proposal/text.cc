#include "model/proposal/text.h"

#include <algorithm>
#include <cstdint>
#include <iterator>

#include "base/base/bytes.h"
#include "base/base/text.h"

namespace cg::proposal {

namespace {

struct Span {
  std::uint32_t first;
  std::uint32_t last;
};

constexpr Span kHidden[] = {
    {0x00, 0x08},        {0x0A, 0x1F},       {0x7F, 0x9F},      // controls but tab
    {0xAD, 0xAD},        {0x34F, 0x34F},     {0x61C, 0x61C},    // soft hyphen, joiner, bidi mark
    {0x115F, 0x1160},    {0x17B4, 0x17B5},   {0x180B, 0x180F},  // fillers, selectors
    {0x200B, 0x200F},    {0x2028, 0x202E},   {0x2060, 0x206F},  // zero width, line ends, bidi
    {0x2800, 0x2800},    {0x3164, 0x3164},                      // blanks that count as letters
    {0xE000, 0xF8FF},    {0xFE00, 0xFE0F},                      // private use, selectors
    {0xFEFF, 0xFEFF},    {0xFFA0, 0xFFA0},   {0xFFF0, 0xFFFB},
    {0xFFFE, 0xFFFF},    {0x1D173, 0x1D17A},  // invisible musical marks
    {0xE0000, 0x10FFFF},                      // tags, selectors, private use
};

constexpr Span kLookalikes[] = {
    {0xB7, 0xB7},                                          // middle dot
    {0x2024, 0x2027},                                      // leaders of one to three dots
    {0x2044, 0x2044}, {0x2215, 0x2216}, {0x2236, 0x2236},  // slashes, ratio
    {0x29F5, 0x29F5}, {0x29F8, 0x29F9},                    // operators like slashes
    {0x3002, 0x3002}, {0xA789, 0xA789},                    // ideographic stop, letter colon
    {0xFE13, 0xFE13}, {0xFE19, 0xFE19}, {0xFE30, 0xFE30},  // vertical forms
    {0xFE52, 0xFE52}, {0xFE55, 0xFE55}, {0xFE68, 0xFE68}, {0xFE6A, 0xFE6A}, {0xFF05, 0xFF05},
    {0xFF0E, 0xFF0F}, {0xFF1A, 0xFF1A}, {0xFF3C, 0xFF3C}, {0xFF61, 0xFF61},
};

/// `sequence` is one character, well formed.
std::uint32_t code_point(std::string_view sequence) {
  if (sequence.size() == 1) return static_cast<Byte>(sequence[0]);
  std::uint32_t value = static_cast<Byte>(sequence[0]) & (0x7FU >> sequence.size());
  for (const char c : sequence.substr(1)) value = value << 6U | (static_cast<Byte>(c) & 0x3FU);
  return value;
}

template <std::size_t N>
bool is_in(std::uint32_t c, const Span (&spans)[N]) {
  return std::any_of(std::begin(spans), std::end(spans),
                     [c](const Span& span) { return c >= span.first && c <= span.last; });
}

template <class Test>
bool any_character(std::string_view text, Test test) {
  while (!text.empty()) {
    const std::size_t length = utf8_sequence(text);
    if (length == 0 || test(code_point(text.substr(0, length)))) return true;
    text.remove_prefix(length);
  }
  return false;
}

}  // namespace

bool has_hidden(std::string_view utf8) {
  return any_character(utf8, [](std::uint32_t c) { return is_in(c, kHidden); });
}

bool has_hidden_in_prose(std::string_view utf8) {
  return any_character(utf8, [](std::uint32_t c) {
    return is_in(c, kHidden) && c != '\n' && !(c >= 0xFE00 && c <= 0xFE0F);
  });
}

bool has_lookalike(std::string_view utf8) {
  return any_character(utf8, [](std::uint32_t c) { return is_in(c, kLookalikes); });
}

}  // namespace cg::proposal
