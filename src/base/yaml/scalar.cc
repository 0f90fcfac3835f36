// YamlScanner: plain and quoted scalars.
#include <algorithm>
#include <cstring>

#include "base/base/bytes.h"
#include "base/yaml/scanner.h"

namespace cg::yaml {

namespace {

using Kind = ParseError::Kind;

enum : std::uint8_t { kStops = 1, kStopsInFlow = 2 };

/// What may end a plain scalar: `:` and `#` only in company.
constexpr std::array<std::uint8_t, 256> kPlain = [] {
  std::array<std::uint8_t, 256> table{};
  for (const char c : {'\0', '\r', '\n', ':', '#'})
    table[static_cast<Byte>(c)] = kStops | kStopsInFlow;
  for (const char c : {',', '[', ']', '{', '}'}) table[static_cast<Byte>(c)] = kStopsInFlow;
  return table;
}();

struct Escape {
  char letter;
  std::string_view text;
};

constexpr Escape kEscapes[] = {
    {'0', std::string_view("\0", 1)},
    {'a', "\a"},
    {'b', "\b"},
    {'t', "\t"},
    {'\t', "\t"},
    {'n', "\n"},
    {'v', "\v"},
    {'f', "\f"},
    {'r', "\r"},
    {'e', "\x1B"},
    {' ', " "},
    {'"', "\""},
    {'/', "/"},
    {'\\', "\\"},
    {'N', "\u0085"},
    {'_', "\u00A0"},
    {'L', "\u2028"},
    {'P', "\u2029"},
};

std::size_t code_digits(char letter) {
  if (letter == 'x') return 2;
  if (letter == 'u') return 4;
  return letter == 'U' ? 8 : 0;
}

void append_utf8(std::string& out, std::uint32_t code) {
  const auto tail = [&](unsigned shift) {
    out += static_cast<char>(0x80U | ((code >> shift) & 0x3FU));
  };
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xC0U | (code >> 6U));
    tail(0);
  } else if (code < 0x10000) {
    out += static_cast<char>(0xE0U | (code >> 12U));
    tail(6);
    tail(0);
  } else {
    out += static_cast<char>(0xF0U | (code >> 18U));
    tail(12);
    tail(6);
    tail(0);
  }
}

bool is_high(std::uint32_t code) { return code >= 0xD800 && code < 0xDC00; }
bool is_low(std::uint32_t code) { return code >= 0xDC00 && code < 0xE000; }

}  // namespace

// --- plain ---

std::size_t YamlScanner::plain_line() {
  const std::size_t begin = pos_;
  for (;; ++pos_) {
    while (pos_ < size_ && (kPlain[static_cast<Byte>(data_[pos_])] & kStops) == 0) ++pos_;
    const char c = peek();
    if (c == ':' && !is_blank_or_break(peek(1))) continue;
    if (c == '#' && (pos_ == begin || !is_blank_or_break(data_[pos_ - 1]))) continue;
    break;
  }
  std::size_t end = pos_;
  while (end > begin && is_blank_or_break(data_[end - 1])) --end;
  return end;
}

std::size_t YamlScanner::flow_plain_line() {
  const std::size_t begin = pos_;
  for (;; ++pos_) {
    while (pos_ < size_ && (kPlain[static_cast<Byte>(data_[pos_])] & kStopsInFlow) == 0) ++pos_;
    const char c = peek();
    if (c == ':' && !at_flow_indicator()) continue;
    if (c == '#' && (pos_ == begin || !is_blank_or_break(data_[pos_ - 1]))) continue;
    break;
  }
  std::size_t end = pos_;
  while (end > begin && is_blank_or_break(data_[end - 1])) --end;
  return end;
}

/// One line break is a space; of several the first does not count.
void YamlScanner::fold(std::size_t breaks) {
  if (breaks == 1) {
    buffer_ += ' ';
  } else {
    buffer_.append(breaks - 1, '\n');
  }
}

bool YamlScanner::scan_plain(Column parent, YamlScalar& out) {
  out = {};
  out.begin = pos_;
  out.end = plain_line();
  out.text = source(out.begin, out.end);
  out.is_key = peek() == ':';
  if (out.is_key) return true;
  pos_ = out.end;
  if (!end_line()) return false;
  return indent_ <= parent || comment_ ? true : continue_plain(parent, out);
}

bool YamlScanner::continue_plain(Column parent, YamlScalar& out) {
  buffer_ = out.text;
  out.one_line = false;
  out.in_source = false;
  while (indent_ > parent && !comment_) {
    fold(blank_lines_ + 1);
    const std::size_t begin = pos_;
    out.end = plain_line();
    if (peek() == ':') return fail(Kind::syntax, pos_, "`: ` in a scalar of several lines");
    buffer_ += source(begin, out.end);
    pos_ = out.end;
    if (!end_line()) return false;
  }
  out.text = buffer_;
  return true;
}

bool YamlScanner::scan_flow_plain(Column parent, YamlScalar& out) {
  out = {};
  out.begin = pos_;
  out.end = flow_plain_line();
  out.text = source(out.begin, out.end);
  while (peek() == '\n' || peek() == '\r') {
    if (!skip_flow_space(parent)) return false;
    const char c = peek();
    if (comment_ || is_break(c) || is_flow(c) || c == '#' || (c == ':' && at_flow_indicator())) {
      break;
    }
    if (out.one_line) buffer_ = out.text;
    out.one_line = false;
    out.in_source = false;
    fold(blank_lines_);
    const std::size_t begin = pos_;
    out.end = flow_plain_line();
    buffer_ += source(begin, out.end);
  }
  if (!out.one_line) out.text = buffer_;
  return true;
}

// --- quoted ---

bool YamlScanner::scan_quoted(Column parent, YamlScalar& out) {
  const char quote = peek();
  out = {};
  out.begin = pos_;
  out.style = quote == '"' ? ScalarStyle::double_quoted : ScalarStyle::single_quoted;
  ++pos_;
  const std::size_t from = pos_;
  const void* found = pos_ < size_ ? std::memchr(data_ + pos_, quote, size_ - pos_) : nullptr;
  if (found == nullptr) return fail(Kind::syntax, out.begin, "a quote that is never closed");
  const auto close = static_cast<std::size_t>(static_cast<const char*>(found) - data_);
  const std::string_view inside = source(from, close);
  const bool simple = inside.find('\n') == std::string_view::npos &&
                      (quote == '"' ? inside.find('\\') == std::string_view::npos
                                    : close + 1 >= size_ || data_[close + 1] != '\'');
  if (!simple) return scan_quoted_slowly(parent, quote, out);
  pos_ = close + 1;
  out.end = pos_;
  out.text = inside;
  return true;
}

bool YamlScanner::scan_quoted_slowly(Column parent, char quote, YamlScalar& out) {
  buffer_.clear();
  kept_ = 0;
  out.in_source = false;
  const std::size_t line = line_start_;
  for (;;) {
    const char c = peek();
    if (c == '\0') return fail(Kind::syntax, out.begin, "a quote that is never closed");
    if (c == quote) {
      if (quote == '"' || peek(1) != '\'') break;
      buffer_ += '\'';
      pos_ += 2;
    } else if (c == '\n' || c == '\r') {
      if (!fold_quoted(parent)) return false;
    } else if (c == '\\' && quote == '"') {
      if (!unescape(parent)) return false;
    } else {
      buffer_ += c;
      ++pos_;
    }
  }
  ++pos_;
  out.end = pos_;
  out.text = buffer_;
  out.one_line = line == line_start_;
  return true;
}

/// From a break to the next text. Blanks before the break go, but not escaped ones.
bool YamlScanner::fold_quoted(Column parent) {
  while (buffer_.size() > kept_ && (buffer_.back() == ' ' || buffer_.back() == '\t')) {
    buffer_.pop_back();
  }
  std::size_t breaks = 0;
  if (!skip_quoted_breaks(parent, breaks)) return false;
  fold(breaks);
  kept_ = buffer_.size();
  return true;
}

bool YamlScanner::skip_quoted_breaks(Column parent, std::size_t& breaks) {
  while (skip_break()) {
    ++breaks;
    const auto spaces = static_cast<Column>(count_spaces());
    skip_blanks();
    if (at_break()) continue;
    if (column() == 0 && at_any_marker()) {
      return fail(Kind::syntax, pos_, "the document ends inside quotes");
    }
    if (spaces <= parent) {
      return fail(Kind::syntax, pos_, "indented less than what it belongs to");
    }
  }
  return true;
}

bool YamlScanner::unescape(Column parent) {
  const std::size_t at = pos_;
  const char letter = peek(1);
  pos_ += 2;
  if (letter == '\n' || letter == '\r') {
    --pos_;
    std::size_t breaks = 0;
    if (!skip_quoted_breaks(parent, breaks)) return false;
    buffer_.append(breaks - 1, '\n');
  } else if (const std::size_t digits = code_digits(letter); digits > 0) {
    if (!unescape_code(digits, at)) return false;
  } else {
    const auto* const found = std::find_if(std::begin(kEscapes), std::end(kEscapes),
                                           [&](const Escape& e) { return e.letter == letter; });
    if (found == std::end(kEscapes)) return fail(Kind::bad_escape, at);
    buffer_ += found->text;
  }
  kept_ = buffer_.size();
  return true;
}

bool YamlScanner::hex(std::size_t digits, std::uint32_t& code) {
  code = 0;
  for (std::size_t i = 0; i < digits; ++i, ++pos_) {
    const char c = peek();
    const bool decimal = c >= '0' && c <= '9';
    const char lower = static_cast<char>(c | 0x20);
    if (!decimal && (lower < 'a' || lower > 'f')) return false;
    code = code * 16 + static_cast<std::uint32_t>(decimal ? c - '0' : lower - 'a' + 10);
  }
  return true;
}

/// A pair of surrogates is one character, as in JSON.
bool YamlScanner::unescape_code(std::size_t digits, std::size_t at) {
  std::uint32_t code = 0;
  if (!hex(digits, code)) return fail(Kind::bad_escape, at);
  if (is_high(code) && digits == 4 && peek() == '\\' && peek(1) == 'u') {
    std::uint32_t second = 0;
    pos_ += 2;
    if (!hex(4, second)) return fail(Kind::bad_escape, at);
    if (!is_low(second)) return fail(Kind::lone_surrogate, at);
    code = 0x10000 + ((code - 0xD800) << 10U) + (second - 0xDC00);
  }
  if (is_high(code) || is_low(code)) return fail(Kind::lone_surrogate, at);
  if (code > 0x10FFFF) return fail(Kind::bad_escape, at);
  append_utf8(buffer_, code);
  return true;
}

}  // namespace cg::yaml
