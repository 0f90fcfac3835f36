#include <array>

#include "base/base/bytes.h"
#include "corpora.h"

namespace cg::canary_corpora {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// `between` after every letter that a letter follows.
std::string with_between(std::string_view text, std::string_view between, std::size_t every) {
  std::string out;
  std::size_t letters = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    out += text[i];
    const bool inside = is_letter(text[i]) && i + 1 < text.size() && is_letter(text[i + 1]);
    if (inside && ++letters % every == 0) out += between;
  }
  return out;
}

std::string each(std::string_view text, std::string (*change)(unsigned char)) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7F) {
      out += change(byte);
    } else {
      out += c;
    }
  }
  return out;
}

std::string zero_width(std::string_view text) { return with_between(text, "\u200B", 1); }
std::string bidi(std::string_view text) { return with_between(text, "\u2066\u2069", 2); }
std::string ansi(std::string_view text) { return with_between(text, "\x1b[1m\x1b[0m", 3); }
std::string emphasis(std::string_view text) { return with_between(text, "**", 3); }
std::string markup(std::string_view text) { return with_between(text, "<b></b>", 2); }
std::string comments(std::string_view text) { return with_between(text, "<!-- x -->", 3); }

std::string homoglyph(std::string_view text) {
  return each(text, [](unsigned char c) -> std::string {
    switch (c) {
      case 'a':
        return "\u0430";
      case 'e':
        return "\u0435";
      case 'o':
        return "\u043E";
      case 'p':
        return "\u0440";
      case 'c':
        return "\u0441";
      case 'i':
        return "\u0456";
      case 's':
        return "\u0455";
      default:
        return std::string(1, static_cast<char>(c));
    }
  });
}
std::string full_width(std::string_view text) {
  return each(text, [](unsigned char c) -> std::string {
    if (c == ' ') return " ";
    const unsigned rune = 0xFF00U + c - 0x20U;
    return {static_cast<char>(0xE0U | rune >> 12U), static_cast<char>(0x80U | (rune >> 6U & 0x3FU)),
            static_cast<char>(0x80U | (rune & 0x3FU))};
  });
}
std::string tags(std::string_view text) {
  return "Hello. " + each(text, [](unsigned char c) -> std::string {
           return {'\xF3', '\xA0', static_cast<char>(0x80U | (c >> 6U)),
                   static_cast<char>(0x80U | (c & 0x3FU))};
         });
}
std::string entities(std::string_view text) {
  return each(text, [](unsigned char c) { return "&#" + std::to_string(c) + ";"; });
}
std::string escapes(std::string_view text) {
  return each(text, [](unsigned char c) { return "\\u00" + to_hex(std::array<Byte, 1>{c}); });
}
std::string percent(std::string_view text) {
  return each(text, [](unsigned char c) { return "%" + to_hex(std::array<Byte, 1>{c}); });
}
std::string hex(std::string_view text) { return "payload: " + to_hex(as_bytes(text)); }

std::string base64(std::string_view text) { return "data: " + to_base64(as_bytes(text)); }
std::string twice(std::string_view text) { return base64(base64(text)); }

std::string rot13(std::string_view text) {
  return each(text, [](unsigned char c) {
    unsigned out = c;
    if (c >= 'a' && c <= 'z') out = 'a' + (c - 'a' + 13U) % 26U;
    if (c >= 'A' && c <= 'Z') out = 'A' + (c - 'A' + 13U) % 26U;
    return std::string(1, static_cast<char>(out));
  });
}
std::string backwards(std::string_view text) { return {text.rbegin(), text.rend()}; }

}  // namespace

const std::vector<Disguise>& disguises() {
  static const std::vector<Disguise> all = {
      {"zero-width", zero_width},
      {"homoglyph", homoglyph},
      {"full width", full_width},
      {"tags", tags},
      {"bidi", bidi},
      {"entities", entities},
      {"escapes", escapes},
      {"percent", percent},
      {"base64", base64},
      {"base64 twice", twice},
      {"hex", hex},
      {"rot13", rot13},
      {"reversed", backwards},
      {"ANSI", ansi},
      {"markup", markup},
      {"comments", comments},
      {"emphasis", emphasis},
  };
  return all;
}

}  // namespace cg::canary_corpora
