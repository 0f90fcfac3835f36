#include "model/prompt/clean.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/base/bytes.h"
#include "base/base/text.h"

namespace cg::prompt {

namespace {

struct Run {
  std::uint32_t first;
  std::uint32_t last;
};

/// Sorted. Letters of some scripts join differently without the joiners: that is the price.
constexpr Run kUnseen[] = {
    {0xAD, 0xAD},       {0x34F, 0x34F},     {0x61C, 0x61C},     {0x115F, 0x1160},
    {0x17B4, 0x17B5},   {0x180B, 0x180F},   {0x200B, 0x200F},   {0x202A, 0x202E},
    {0x2060, 0x206F},   {0x3164, 0x3164},   {0xFE00, 0xFE0F},   {0xFEFF, 0xFEFF},
    {0xFFA0, 0xFFA0},   {0xFFF0, 0xFFFB},   {0x1BCA0, 0x1BCA3}, {0x1D173, 0x1D17A},
    {0xE0000, 0xE0FFF}, {0xF0000, 0x10FFFF}};  // the last are private

bool is_unseen(std::uint32_t c) {
  const auto* run = std::lower_bound(std::begin(kUnseen), std::end(kUnseen), c,
                                     [](const Run& r, std::uint32_t v) { return r.last < v; });
  return run != std::end(kUnseen) && run->first <= c;
}

std::uint32_t code_point(std::string_view sequence) {
  const auto byte = [&](std::size_t i) {
    return static_cast<std::uint32_t>(static_cast<Byte>(sequence[i]));
  };
  std::uint32_t c = byte(0) & (0xFFU >> (sequence.size() + 1));
  for (std::size_t i = 1; i < sequence.size(); ++i) c = c << 6U | (byte(i) & 0x3FU);
  return c;
}

/// "\x1b", "\u{9b}"
std::string visible(std::uint32_t c) {
  const std::array<Byte, 1> byte = {static_cast<Byte>(c)};
  const std::string hex = to_hex(byte);
  return c < 0x80 ? "\\x" + hex : "\\u{" + hex + "}";
}

/// What becomes of the bytes at the start of `rest`, and how many they are.
struct Replacement {
  std::size_t taken;
  std::string_view as_is;  // else:
  std::string instead;
};

Replacement control(std::string_view rest) {
  const char c = rest[0];
  if (c == '\r') return {rest.starts_with("\r\n") ? 2U : 1U, "\n", {}};
  return {1, {}, visible(static_cast<Byte>(c))};
}

Replacement replacement(std::string_view rest) {
  const std::size_t length = utf8_sequence(rest);
  if (length == 0) return {1, "\xEF\xBF\xBD", {}};
  if (length == 1) return control(rest);
  const std::string_view sequence = rest.substr(0, length);
  const std::uint32_t c = code_point(sequence);
  if (c <= 0x9F) return {length, {}, visible(c)};
  if (c == 0x2028 || c == 0x2029) return {length, "\n", {}};
  if (is_unseen(c)) return {length, {}, {}};
  return {length, sequence, {}};
}

bool is_plain(char c) { return (c >= ' ' && c < 0x7F) || c == '\n' || c == '\t'; }

char small(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

}  // namespace

bool append_clean(std::string& out, std::string_view bytes, std::size_t cap) {
  while (!bytes.empty()) {
    const std::size_t room = cap - std::min(cap, out.size());
    const std::string_view window = bytes.substr(0, room + 1);
    const auto* end = std::find_if_not(window.begin(), window.end(), is_plain);
    const auto plain = static_cast<std::size_t>(end - window.begin());
    if (plain > room) {
      out += bytes.substr(0, room);
      return false;
    }
    out += bytes.substr(0, plain);
    bytes.remove_prefix(plain);
    if (bytes.empty()) return true;
    const Replacement next = replacement(bytes);
    const std::string_view piece = next.instead.empty() ? next.as_is : next.instead;
    if (piece.size() > cap - std::min(cap, out.size())) return false;
    out += piece;
    bytes.remove_prefix(next.taken);
  }
  return true;
}

std::size_t find_any_case(std::string_view text, std::string_view wanted) {
  if (wanted.empty() || text.size() < wanted.size()) return std::string_view::npos;
  std::array<std::size_t, 256> skip{};  // Horspool: a payload may have a hundred megabytes
  skip.fill(wanted.size());
  for (std::size_t i = 0; i + 1 < wanted.size(); ++i) {
    skip[static_cast<Byte>(wanted[i])] = wanted.size() - 1 - i;
  }
  for (std::size_t at = 0; at + wanted.size() <= text.size();) {
    std::size_t i = wanted.size();
    while (i > 0 && small(text[at + i - 1]) == wanted[i - 1]) --i;
    if (i == 0) return at;
    at += skip[static_cast<Byte>(small(text[at + wanted.size() - 1]))];
  }
  return std::string_view::npos;
}

bool holds(std::string_view text, std::string_view wanted) {
  return find_any_case(text, wanted) != std::string_view::npos;
}

}  // namespace cg::prompt
