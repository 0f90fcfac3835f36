#include "base/base/defuse.h"

#include <algorithm>
#include <charconv>
#include <cstdint>

#include "base/base/bytes.h"
#include "base/base/text.h"

namespace cg {

namespace {

constexpr std::string_view kSections[] = {"section_start:", "section_end:"};

std::uint32_t code_point(std::string_view sequence) {
  const auto byte = [&](std::size_t i) {
    return static_cast<std::uint32_t>(static_cast<Byte>(sequence[i]));
  };
  switch (sequence.size()) {
    case 1:
      return byte(0);
    case 2:
      return (byte(0) & 0x1FU) << 6U | (byte(1) & 0x3FU);
    case 3:
      return (byte(0) & 0x0FU) << 12U | (byte(1) & 0x3FU) << 6U | (byte(2) & 0x3FU);
    default:
      return (byte(0) & 0x07U) << 18U | (byte(1) & 0x3FU) << 12U | (byte(2) & 0x3FU) << 6U |
             (byte(3) & 0x3FU);
  }
}

/// Characters that change how the text around them is shown.
bool is_deceptive(std::uint32_t c) {
  return c < 0x20 || (c >= 0x7F && c <= 0x9F) || c == 0xAD || c == 0x61C || c == 0x180E ||
         (c >= 0x200B && c <= 0x200F) || (c >= 0x2028 && c <= 0x202E) ||
         (c >= 0x2060 && c <= 0x206F) || c == 0xFEFF || (c >= 0xFFF9 && c <= 0xFFFB) ||
         (c >= 0xE0000 && c <= 0xE0FFF);
}

/// Characters that a comparison by the rules of a language leaves out: besides those, joiners,
/// fillers and variation selectors, which honest text has and which are shown as they are.
bool is_ignorable(std::uint32_t c) {
  return (c >= 0x80 && is_deceptive(c)) || c == 0x34F || c == 0x115F || c == 0x1160 ||
         c == 0x17B4 || c == 0x17B5 || (c >= 0x180B && c <= 0x180F) || c == 0x3164 ||
         (c >= 0xFE00 && c <= 0xFE0F) || c == 0xFFA0 || (c >= 0x1BCA0 && c <= 0x1BCA3) ||
         (c >= 0x1D173 && c <= 0x1D17A);
}

/// What .NET takes away at the start of a line, as far as printable() leaves it there.
bool is_space(std::uint32_t c) {
  return c == ' ' || (c >= 0x09 && c <= 0x0D) || c == 0xA0 || c == 0x1680 ||
         (c >= 0x2000 && c <= 0x200A) || c == 0x202F || c == 0x205F || c == 0x3000;
}

/// Behind all characters from `at` on that `leaves_out` holds for.
template <class F>
std::size_t skip(std::string_view text, std::size_t at, F&& leaves_out) {
  while (at < text.size()) {
    const std::size_t length = utf8_sequence(text.substr(at));
    if (length == 0 || !leaves_out(code_point(text.substr(at, length)))) break;
    at += length;
  }
  return at;
}

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
         c == '-' || c == '_';
}

/// If `text` begins with a marker that works anywhere in a line: where the character stands that
/// has to be written otherwise. Else 0.
std::size_t marker(std::string_view text) {
  if (text.empty() || (text[0] != '#' && text[0] != 's')) return 0;
  for (const std::string_view section : kSections) {
    if (text.starts_with(section)) return section.size() - 1;
  }
  if (text[0] != '#') return 0;
  const std::size_t second = skip(text, 1, is_ignorable);
  if (second == text.size() || text[second] != '#') return 0;
  std::size_t at = skip(text, second + 1, is_ignorable);
  while (at < text.size() && is_word(text[at])) at = skip(text, at + 1, is_ignorable);
  return at < text.size() && text[at] == '[' ? second : 0;
}

/// Length of a colour as ours are written, 0 if there is none at the start of `text`.
std::size_t colour(std::string_view text) {
  if (!text.starts_with("\x1b[")) return 0;
  const std::size_t end = text.find_first_not_of("0123456789;", 2);
  return end != std::string_view::npos && text[end] == 'm' ? end + 1 : 0;
}

std::string hex(std::uint32_t c, std::size_t digits) {
  char buffer[8];
  const auto end = std::to_chars(std::begin(buffer), std::end(buffer), c, 16);
  const std::string out(std::begin(buffer), end.ptr);
  return std::string(out.size() < digits ? digits - out.size() : 0, '0') + out;
}

std::string escaped(std::uint32_t c) {
  return c < 0x80 ? "\\x" + hex(c, 2) : "\\u{" + hex(c, 1) + "}";
}

std::string json_escaped(std::uint32_t c) {
  if (c < 0x10000) return "\\u" + hex(c, 4);
  const std::uint32_t rest = c - 0x10000;
  return "\\u" + hex(0xD800U + (rest >> 10U), 4) + "\\u" + hex(0xDC00U + (rest & 0x3FFU), 4);
}

/// One line, or a text whose line ends are to be seen.
std::string visible(std::string_view text, std::string_view kept, bool colours) {
  std::string out;
  out.reserve(text.size());
  std::size_t broken = 0;  // no marker is broken at its first character
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view rest = text.substr(at);
    if (const std::size_t offset = marker(rest)) broken = at + offset;
    if (const std::size_t length = colours ? colour(rest) : 0) {
      out += rest.substr(0, length);
      at += length;
      continue;
    }
    const std::size_t length = utf8_sequence(rest);
    const std::uint32_t c =
        length == 0 ? static_cast<Byte>(rest[0]) : code_point(rest.substr(0, length));
    const bool hidden = is_deceptive(c) && kept.find(rest[0]) == std::string_view::npos;
    const bool breaks = at == broken && at > 0;
    out += length == 0 || hidden || breaks ? escaped(c) : std::string(rest.substr(0, length));
    at += std::max<std::size_t>(length, 1);
  }
  return out;
}

/// With the first of its colons escaped, if GitHub's runner would read a command.
std::string without_command(std::string line) {
  std::size_t at = 0;
  for (;;) {
    at = skip(line, at, [](std::uint32_t c) { return is_space(c) || is_ignorable(c); });
    const std::size_t length = colour(std::string_view(line).substr(at));
    if (length == 0) break;
    at += length;
  }
  if (std::string_view(line).substr(at).starts_with("::")) line.replace(at, 1, escaped(':'));
  return line;
}

}  // namespace

std::string printable(std::string_view text) { return visible(text, "", false); }

std::string defused(std::string_view text, const Ours& ours) {
  const std::string stop = ours.token.empty() ? "" : stop_commands(ours.token);
  const std::string start = ours.token.empty() ? "" : start_commands(ours.token);
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view whole = text.substr(0, std::min(end + 1, text.size()));
    if (!ours.token.empty() && (whole == stop || whole == start)) {
      out += whole;
    } else {
      std::string line = visible(text.substr(0, end), "\t", ours.colours);
      out += ours.commands ? line : without_command(std::move(line));
      if (whole.size() > end) out += '\n';
    }
    text.remove_prefix(whole.size());
  }
  return out;
}

std::string defused_json(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  std::size_t broken = 0;
  std::size_t plain = 0;  // from here on nothing has been written
  const auto write = [&](std::size_t at, std::size_t length, std::uint32_t c) {
    out += text.substr(plain, at - plain);
    out += json_escaped(c);
    plain = at + length;
  };
  for (std::size_t at = 0; at < text.size();) {
    const auto byte = static_cast<Byte>(text[at]);
    if (byte < 0x7F) {  // what is below a space can only be layout
      if (const std::size_t offset = marker(text.substr(at))) broken = at + offset;
      if (at == broken && at > 0) write(at, 1, byte);
      ++at;
      continue;
    }
    const std::size_t length = utf8_sequence(text.substr(at));
    const std::uint32_t c = length == 0 ? 0xFFFD : code_point(text.substr(at, length));
    if (length == 0 || is_deceptive(c)) write(at, std::max<std::size_t>(length, 1), c);
    at += std::max<std::size_t>(length, 1);
  }
  return out + std::string(text.substr(plain));
}

std::string stop_commands(std::string_view token) {
  return "::stop-commands::" + std::string(token) + "\n";
}

std::string start_commands(std::string_view token) { return "::" + std::string(token) + "::\n"; }

}  // namespace cg
