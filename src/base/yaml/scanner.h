// YamlScanner: the words of YAML. It knows characters, lines and scalars; what they
// add up to is YamlReader's business (yaml_reader.h).
//
// Every function moves forward or fails for good; nothing is read more than a fixed
// number of times, so time is linear in the text whatever the text is.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/base/result.h"
#include "base/json/value.h"

namespace cg::yaml {

using json::describe;
using json::Limits;
using json::ParseError;
using json::Position;
using json::Value;

enum class ScalarStyle : std::uint8_t { plain, single_quoted, double_quoted, literal, folded };

/// A column, from 0; -1 is left of all columns.
using Column = std::ptrdiff_t;

/// A scalar as it stands in the text.
struct YamlScalar {
  std::string_view text;  // in the source, or in the scanner's buffer until the next scalar
  std::size_t begin = 0;  // of the source, with quotes
  std::size_t end = 0;    // one past the last
  ScalarStyle style = ScalarStyle::plain;
  bool in_source = true;  // text points into the source
  bool one_line = true;
  bool is_key = false;  // a plain one, and the scanner stands at the `:` behind it
};

/// What may not stand in YAML: control characters but tab and line feed, a CR that
/// is not before LF, C1 controls, line separators, byte order marks, noncharacters.
[[nodiscard]] Result<Done, ParseError> check_yaml_characters(std::string_view text);

class YamlScanner {
 public:
  /// `source` has passed check_text and check_yaml_characters.
  explicit YamlScanner(std::string_view source) : data_(source.data()), size_(source.size()) {}

  [[nodiscard]] std::size_t pos() const { return pos_; }
  [[nodiscard]] Column column() const { return static_cast<Column>(pos_ - line_start_); }
  /// NUL at the end, which no text contains.
  [[nodiscard]] char peek(std::size_t ahead = 0) const {
    return pos_ + ahead < size_ ? data_[pos_ + ahead] : '\0';
  }
  void advance(std::size_t count) { pos_ += count; }
  [[nodiscard]] bool at_break() const { return is_break(peek()); }
  /// At `-`, `?` or `:`: whether it is one that announces something in block context.
  [[nodiscard]] bool at_indicator() const { return is_blank_or_break(peek(1)); }
  /// The same for a `:` or `?` between brackets.
  [[nodiscard]] bool at_flow_indicator() const {
    return is_blank_or_break(peek(1)) || is_flow(peek(1));
  }

  [[nodiscard]] bool at_blank() const { return peek() == ' ' || peek() == '\t'; }
  /// To the end of the line.
  void skip_comment();
  /// Spaces and tabs; true if a tab was among them.
  bool skip_blanks();

  // Lines. indent() is that of the line last entered; -1 at the end of the document,
  // that is, at the end of the text or at a `---` or `...`.
  [[nodiscard]] Column indent() const { return indent_; }
  void set_indent(Column indent) { indent_ = indent; }
  /// To the first line with content, from the start of a line.
  [[nodiscard]] bool find_content();
  /// The same from wherever nothing but blanks and a comment is left of the line.
  [[nodiscard]] bool end_line();
  [[nodiscard]] bool at_marker(std::string_view marker) const;

  /// Blanks, breaks and comments between brackets that stand in a block of `parent`.
  [[nodiscard]] bool skip_flow_space(Column parent);

  // Scalars. Those of one line end behind their last character. Plain ones of block
  // context that reach the end of their line, and block scalars, end as end_line()
  // does. `parent` is the indent that further lines must exceed.
  [[nodiscard]] bool scan_plain(Column parent, YamlScalar& out);
  [[nodiscard]] bool scan_flow_plain(Column parent, YamlScalar& out);
  [[nodiscard]] bool scan_quoted(Column parent, YamlScalar& out);
  [[nodiscard]] bool scan_block(Column parent, YamlScalar& out);

  /// Records the first error; always false.
  bool fail(ParseError::Kind kind, std::size_t at, std::string_view detail = "");
  [[nodiscard]] const ParseError& error() const { return error_; }

 private:
  struct BlockHeader {
    Column indent = 0;  // 0: found out from the first line
    char chomping = ' ';
    bool folded = false;
  };

  [[nodiscard]] static bool is_break(char c) { return c == '\n' || c == '\r' || c == '\0'; }
  [[nodiscard]] static bool is_blank_or_break(char c) {
    return c == ' ' || c == '\t' || is_break(c);
  }
  [[nodiscard]] static bool is_flow(char c) {
    return c == ',' || c == '[' || c == ']' || c == '{' || c == '}';
  }

  [[nodiscard]] std::string_view source(std::size_t begin, std::size_t end) const {
    return {data_ + begin, end - begin};
  }
  bool skip_break();  // false at the end of the text
  std::size_t count_spaces();
  [[nodiscard]] bool at_any_marker() const;
  [[nodiscard]] bool enter_flow_line(Column parent);

  std::size_t plain_line();  // the end of what it passed over, without blanks
  std::size_t flow_plain_line();
  void fold(std::size_t breaks);  // into buffer_
  [[nodiscard]] bool continue_plain(Column parent, YamlScalar& out);
  [[nodiscard]] bool fold_quoted(Column parent);
  [[nodiscard]] bool skip_quoted_breaks(Column parent, std::size_t& breaks);
  [[nodiscard]] bool scan_quoted_slowly(Column parent, char quote, YamlScalar& out);
  [[nodiscard]] bool unescape(Column parent);
  [[nodiscard]] bool unescape_code(std::size_t digits, std::size_t at);
  [[nodiscard]] bool hex(std::size_t digits, std::uint32_t& code);
  [[nodiscard]] bool scan_block_header(Column parent, BlockHeader& header);
  [[nodiscard]] bool find_block_indent(Column parent, BlockHeader& header, std::size_t& breaks);
  std::size_t skip_blank_lines(Column indent);
  void scan_block_lines(const BlockHeader& header, std::size_t breaks);

  const char* data_;
  std::size_t size_;
  std::size_t pos_ = 0;
  std::size_t line_start_ = 0;
  Column indent_ = -1;
  std::size_t blank_lines_ = 0;  // that find_content() or skip_flow_space() passed over last
  bool comment_ = false;         // likewise
  std::string buffer_;
  std::size_t kept_ = 0;  // of buffer_: blanks before it are escaped
  bool failed_ = false;
  ParseError error_{};
};

}  // namespace cg::yaml
