#include "model/canary/markup.h"

#include <algorithm>

#include "model/canary/letter.h"

namespace cg::canary {
namespace {

constexpr std::size_t kLongestTag = 512;
constexpr std::size_t kLongestComment = 4096;
constexpr std::size_t kLongestEntity = 24;
constexpr std::size_t kLongestSequence = 24;

constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool in_a_word(char c) { return is_letter(c) || is_digit(c) || (c & 0x80) != 0; }

constexpr int hex_digit(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

struct Number {
  char32_t value = 0;
  std::size_t digits = 0;
};
/// As many digits as there are, at most `most`.
Number number(std::string_view text, unsigned base, std::size_t most) {
  Number out;
  while (out.digits < std::min(most, text.size())) {
    const int digit = hex_digit(text[out.digits]);
    if (digit < 0 || static_cast<unsigned>(digit) >= base) break;
    out.value = out.value * base + static_cast<char32_t>(digit);
    ++out.digits;
  }
  return out;
}

struct Named {
  std::string_view name;
  char32_t rune;
};
/// Entities that can hide or split a word, or stand for what markup is made of.
constexpr Named kNamed[] = {
    {"amp", '&'},     {"lt", '<'},
    {"gt", '>'},      {"quot", '"'},
    {"apos", '\''},   {"nbsp", ' '},
    {"shy", 0xAD},    {"zwj", 0x200D},
    {"zwnj", 0x200C}, {"lrm", 0x200E},
    {"rlm", 0x200F},  {"ensp", ' '},
    {"emsp", ' '},    {"thinsp", ' '},
    {"Tab", '\t'},    {"NewLine", '\n'},
    {"period", '.'},  {"comma", ','},
    {"colon", ':'},   {"excl", '!'},
    {"lowbar", '_'},  {"hyphen", '-'},
    {"dash", '-'},    {"NoBreak", 0x2060},
    {"ast", '*'},     {"num", '#'},
    {"lsqb", '['},    {"rsqb", ']'},
    {"lbrack", '['},  {"rbrack", ']'},
    {"vert", '|'},    {"verbar", '|'},
    {"grave", '`'},   {"sol", '/'},
    {"bsol", '\\'},   {"ZeroWidthSpace", 0x200B},
    {"hairsp", ' '},  {"NonBreakingSpace", ' '},
    {"ndash", '-'},   {"mdash", '-'},
};

/// Tags that end a word; all others can stand inside one.
bool breaks_word(std::string_view name) {
  constexpr std::string_view kBlocks[] = {
      "br", "p",  "div", "li", "ul", "ol",    "tr",      "td",      "th",     "hr",    "h1",
      "h2", "h3", "h4",  "h5", "h6", "table", "section", "article", "option", "title", "pre"};
  if (name.starts_with('/')) name.remove_prefix(1);
  std::size_t size = 0;
  while (size < name.size() && (is_letter(name[size]) || is_digit(name[size]))) ++size;
  name = name.substr(0, size);
  return std::any_of(std::begin(kBlocks), std::end(kBlocks), [&](std::string_view block) {
    return block.size() == name.size() &&
           std::equal(block.begin(), block.end(), name.begin(),
                      [](char a, char b) { return a == (b | 0x20); });
  });
}

}  // namespace

/// The end of the first `what` from `at` on; `known` remembers it.
std::size_t Markup::after(std::string_view what, std::size_t at, std::size_t& known) {
  if (known == std::string_view::npos) return known;
  if (known < at + what.size()) {
    const std::size_t found = text_.find(what, at);
    known = found == std::string_view::npos ? found : found + what.size();
  }
  return known;
}

std::optional<Undone> Markup::comment(std::size_t at) {
  if (!text_.substr(at).starts_with("<!--")) return std::nullopt;
  const std::size_t end = after("-->", at + 4, comment_end_);
  if (end == std::string_view::npos || end - at > kLongestComment) return std::nullopt;
  return Undone{0, end - at};
}

std::optional<Undone> Markup::tag(std::size_t at) {
  if (at + 2 >= text_.size()) return std::nullopt;
  const char next = text_[at + 1];
  if (!is_letter(next) && next != '/' && next != '!' && next != '?') return std::nullopt;
  const std::size_t end = after(">", at + 1, tag_end_);
  if (end == std::string_view::npos || end - at > kLongestTag) return std::nullopt;
  const bool breaks = breaks_word(text_.substr(at + 1, end - at - 2));
  return Undone{breaks ? U' ' : U'\0', end - at};
}

std::optional<Undone> Markup::entity(std::size_t at) const {
  std::size_t start = at + 1;
  if (text_.substr(start).starts_with("amp;")) start += 4;  // written twice
  std::string_view rest = text_.substr(start, kLongestEntity);
  if (rest.starts_with('#')) {
    const bool hex = rest.size() > 1 && (rest[1] | 0x20) == 'x';
    const std::size_t skip = hex ? 2 : 1;
    const Number value = number(rest.substr(skip), hex ? 16 : 10, 8);
    if (value.digits == 0) return std::nullopt;
    std::size_t size = start - at + skip + value.digits;
    if (at + size < text_.size() && text_[at + size] == ';') ++size;
    return Undone{value.value == 0 ? kBadByte : value.value, size};
  }
  const std::size_t end = rest.find(';');
  if (end == std::string_view::npos) return std::nullopt;
  for (const Named& named : kNamed) {
    if (rest.substr(0, end) == named.name) return Undone{named.rune, start - at + end + 1};
  }
  if (start > at + 1) return Undone{'&', 5};
  return std::nullopt;
}

std::optional<Undone> Markup::backslash(std::size_t at) const {
  const std::string_view rest = text_.substr(at + 1, 16);
  if (rest.empty()) return std::nullopt;
  const char kind = rest[0];
  const auto coded = [&](unsigned base, std::size_t skip, std::size_t digits) {
    const Number value = number(rest.substr(skip), base, digits);
    if (value.digits != digits) return std::optional<Undone>{};
    return std::optional(Undone{value.value == 0 ? kBadByte : value.value, 1 + skip + digits});
  };
  if (kind == 'n' || kind == 'r') return Undone{'\n', 2};
  if (kind == 't') return Undone{' ', 2};
  if (kind == 'e') return Undone{0x1B, 2};
  if (kind == 'x') return coded(16, 1, 2);
  if (kind == 'U') return coded(16, 1, 8);
  if (is_digit(kind)) return coded(8, 0, 3);
  if (kind == 'u' && rest.size() > 1 && rest[1] == '{') {
    const Number value = number(rest.substr(2), 16, 6);
    const std::size_t end = 2 + value.digits;
    if (value.digits == 0 || end >= rest.size() || rest[end] != '}') return std::nullopt;
    return Undone{value.value == 0 ? kBadByte : value.value, end + 2};
  }
  if (kind == 'u') {
    std::optional<Undone> high = coded(16, 1, 4);
    if (!high || high->rune < 0xD800 || high->rune > 0xDBFF) return high;
    const std::string_view second = rest.substr(5);
    if (!second.starts_with("\\u")) return high;
    const Number low = number(second.substr(2), 16, 4);
    if (low.digits != 4 || low.value < 0xDC00 || low.value > 0xDFFF) return high;
    return Undone{0x10000 + ((high->rune - 0xD800) << 10U) + (low.value - 0xDC00), 12};
  }
  if (!in_a_word(kind) && kind > ' ') return Undone{0, 1};  // an escaped sign is that sign
  return std::nullopt;
}

std::optional<Undone> Markup::percent(std::size_t at) const {
  std::array<char, 4> bytes{};
  std::size_t count = 0;
  for (std::size_t i = at; count < bytes.size() && i + 2 < text_.size() && text_[i] == '%';
       i += 3) {
    const Number value = number(text_.substr(i + 1), 16, 2);
    if (value.digits != 2) break;
    bytes[count++] = static_cast<char>(value.value);
  }
  if (count == 0) return std::nullopt;
  const Rune rune = first_rune({bytes.data(), count});
  return Undone{rune.value == 0 ? kBadByte : rune.value, 3 * rune.size};
}

std::optional<Undone> Markup::emphasis(std::size_t at) const {
  std::size_t end = at;
  constexpr std::string_view kSigns = "*_~`|";
  while (end < text_.size() && end - at < 8 && kSigns.find(text_[end]) != std::string_view::npos)
    ++end;
  if (end == at || end >= text_.size() || !in_a_word(text_[end])) return std::nullopt;
  return Undone{0, end - at};
}

/// "ig" + "nore"
std::optional<Undone> Markup::concatenation(std::size_t at) const {
  const std::string_view rest = text_.substr(at, 16);
  bool plus = false;
  for (std::size_t i = 1; i < rest.size(); ++i) {
    const char c = rest[i];
    if (c == '+' && !plus) {
      plus = true;
    } else if ((c == '"' || c == '\'') && plus) {
      return Undone{0, i + 1};
    } else if (c != ' ' && c != '\n') {
      break;
    }
  }
  return std::nullopt;
}

Undone Markup::read(std::size_t at, bool in_word) {
  std::optional<Undone> out;
  switch (text_[at]) {
    case '<':
      out = comment(at);
      if (!out) out = tag(at);
      break;
    case '&':
      out = entity(at);
      break;
    case '\\':
      out = backslash(at);
      break;
    case '%':
      out = percent(at);
      break;
    case '"':
    case '\'':
      out = concatenation(at);
      break;
    case '*':
    case '_':
    case '~':
    case '|':
    case '`':
      if (in_word) out = emphasis(at);
      break;
    default:
      break;
  }
  if (out) return *out;
  const Rune rune = first_rune(text_.substr(at));
  return {rune.value == 0 ? kBadByte : rune.value, rune.size};
}

bool has_markup(std::string_view text) {
  static constexpr std::string_view kSigns = "<&\\%*_~`|\"'";
  static constexpr auto kTable = [] {
    std::array<bool, 256> table{};
    for (const char c : kSigns) table[static_cast<unsigned char>(c)] = true;
    return table;
  }();
  Markup markup(text);
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!kTable[static_cast<unsigned char>(text[i])]) continue;
    const Undone unit = markup.read(i, i > 0 && in_a_word(text[i - 1]));
    if (unit.rune != static_cast<unsigned char>(text[i])) return true;
  }
  return false;
}

std::size_t Markup::escape_sequence(std::size_t at, Escapes which) const {
  const std::string_view rest = text_.substr(at, kLongestSequence);
  if (rest.empty()) return 0;
  if (rest[0] == '[') {
    std::size_t end = 1;
    while (end < rest.size() && rest[end] >= '0' && rest[end] <= '?') ++end;
    if (end >= rest.size()) return 0;
    const bool colours = rest[end] == 'm' || rest[end] == 'K';
    const bool any = rest[end] >= '@' && rest[end] <= '~';
    return colours || (which == Escapes::all && any) ? end + 1 : 0;
  }
  if (rest[0] != ']' || which != Escapes::all) return 0;
  const std::string_view title = text_.substr(at, kLongestTag);
  const std::size_t end = title.find_first_of("\a\x1b\n");
  if (end == std::string_view::npos || title[end] == '\n') return 0;
  return title[end] == '\a' ? end + 1 : std::min(end + 2, title.size());
}

}  // namespace cg::canary
