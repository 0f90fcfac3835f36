#include "base/yaml/scanner.h"

#include <algorithm>
#include <cstring>

#include "base/base/bytes.h"
#include "base/base/text.h"
#include "base/json/parsing.h"

namespace cg::yaml {

namespace {

using Kind = ParseError::Kind;

/// The length of a character at the start of `text` that may not stand in YAML; 0 if
/// there is none. NEL and the line separators may, but readers differ on whether
/// they end a line.
std::size_t forbidden_character(std::string_view text) {
  const auto first = static_cast<Byte>(text[0]);
  if (first == '\n' || first == '\t') return 0;
  if (first == '\r') return text.starts_with("\r\n") ? 0 : 1;
  if (first < 0x20 || first == 0x7F) return 1;
  if (first == 0xC2 && static_cast<Byte>(text[1]) < 0xA0) return 2;
  if (first != 0xE2 && first != 0xEF) return 0;
  for (const std::string_view other : {"\u2028", "\u2029", "\uFEFF", "\uFFFE", "\uFFFF"}) {
    if (text.starts_with(other)) return other.size();
  }
  return 0;
}

/// Printable ASCII and line feeds, eight at a time.
bool is_harmless(const char* bytes) {
  constexpr std::uint64_t kOnes = 0x0101010101010101;
  constexpr std::uint64_t kHigh = kOnes * 0x80;
  std::uint64_t word = 0;
  std::memcpy(&word, bytes, sizeof word);
  const std::uint64_t breaks = word ^ (kOnes * '\n');
  const std::uint64_t is_break = ~(((breaks & ~kHigh) + ~kHigh) | breaks) & kHigh;
  const std::uint64_t delete_ = word ^ (kOnes * 0x7F);
  const std::uint64_t is_delete = (delete_ - kOnes) & ~delete_ & kHigh;
  const std::uint64_t low = ~((word & ~kHigh) + kOnes * 0x60) & kHigh;  // below 0x20
  return ((word & kHigh) | is_delete | (low & ~is_break)) == 0;
}

}  // namespace

Result<Done, ParseError> check_yaml_characters(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    if (at + 8 <= text.size() && is_harmless(text.data() + at)) {
      at += 8;
      continue;
    }
    const std::size_t end = std::min(at + 8, text.size());
    for (; at < end; ++at) {
      const std::size_t length = forbidden_character(text.substr(at));
      if (length == 0) continue;
      return cg::fail(ParseError{Kind::control_character, json::locate(text, at),
                                 printable(text.substr(at, length))});
    }
  }
  return Done{};
}

bool YamlScanner::fail(Kind kind, std::size_t at, std::string_view detail) {
  if (failed_) return false;
  failed_ = true;
  at = std::min(at, size_);
  error_ = ParseError{kind, json::locate(source(0, size_), at), std::string(detail)};
  return false;
}

bool YamlScanner::skip_blanks() {
  bool tab = false;
  for (; peek() == ' ' || peek() == '\t'; ++pos_) tab = tab || peek() == '\t';
  return tab;
}

bool YamlScanner::skip_break() {
  if (peek() == '\r') ++pos_;
  if (peek() != '\n') return false;
  ++pos_;
  line_start_ = pos_;
  return true;
}

void YamlScanner::skip_comment() {
  const void* end = pos_ < size_ ? std::memchr(data_ + pos_, '\n', size_ - pos_) : nullptr;
  pos_ = end == nullptr ? size_ : static_cast<std::size_t>(static_cast<const char*>(end) - data_);
  comment_ = true;
}

std::size_t YamlScanner::count_spaces() {
  const std::size_t from = pos_;
  while (peek() == ' ') ++pos_;
  return pos_ - from;
}

bool YamlScanner::at_marker(std::string_view marker) const {
  return pos_ == line_start_ && source(pos_, size_).starts_with(marker) &&
         is_blank_or_break(peek(marker.size()));
}

bool YamlScanner::at_any_marker() const {
  return (peek() == '-' || peek() == '.') && (at_marker("---") || at_marker("..."));
}

bool YamlScanner::find_content() {
  blank_lines_ = 0;
  comment_ = false;
  do {
    const std::size_t spaces = count_spaces();
    const bool tab = peek() == '\t';
    if (tab) skip_blanks();
    if (peek() == '#') {
      skip_comment();
    } else if (!at_break()) {
      if (tab) return fail(Kind::syntax, pos_ - 1, "a tab as indentation");
      indent_ = at_any_marker() ? -1 : static_cast<Column>(spaces);
      return true;
    }
    ++blank_lines_;
  } while (skip_break());
  indent_ = -1;
  return true;
}

bool YamlScanner::end_line() {
  const std::size_t from = pos_;
  comment_ = false;
  skip_blanks();
  if (peek() == '#' && pos_ > from) skip_comment();
  if (!at_break()) return fail(Kind::syntax, pos_, "text where the line should end");
  const bool comment = comment_;
  if (!skip_break()) {
    indent_ = -1;
    return true;
  }
  const bool found = find_content();
  comment_ = comment_ || comment;
  return found;
}

/// A line between brackets must be indented more than the block they stand in; only
/// the bracket that closes may stand below it, as people write it.
bool YamlScanner::enter_flow_line(Column parent) {
  const auto spaces = static_cast<Column>(count_spaces());
  const bool tab = peek() == '\t';
  skip_blanks();
  if (at_break() || peek() == '#') return true;
  if (column() == 0 && at_any_marker()) {
    return fail(Kind::syntax, pos_, "the document ends inside brackets");
  }
  const bool closes = peek() == ']' || peek() == '}';
  if (spaces > parent || (closes && !tab && spaces == parent)) return true;
  return fail(Kind::syntax, pos_,
              tab ? "a tab as indentation" : "indented less than what it belongs to");
}

bool YamlScanner::skip_flow_space(Column parent) {
  blank_lines_ = 0;
  comment_ = false;
  bool spaced = skip_blanks() || (pos_ > 0 && is_blank_or_break(data_[pos_ - 1]));
  for (;;) {
    if (peek() == '#' && spaced) skip_comment();
    if (peek() != '\n' && peek() != '\r') return true;
    if (!skip_break()) return true;
    ++blank_lines_;
    spaced = true;
    if (!enter_flow_line(parent)) return false;
  }
}

}  // namespace cg::yaml
