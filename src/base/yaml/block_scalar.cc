// YamlScanner: scalars after `|` and `>`.
#include <algorithm>

#include "base/yaml/scanner.h"

namespace cg::yaml {

using Kind = ParseError::Kind;

bool YamlScanner::scan_block_header(Column parent, BlockHeader& header) {
  header.folded = peek() == '>';
  ++pos_;
  for (; !is_blank_or_break(peek()); ++pos_) {
    const char c = peek();
    if ((c == '+' || c == '-') && header.chomping == ' ') {
      header.chomping = c;
    } else if (c >= '1' && c <= '9' && header.indent == 0) {
      header.indent = std::max<Column>(parent, 0) + (c - '0');
    } else {
      return fail(Kind::syntax, pos_, "a bad head of a block scalar");
    }
  }
  skip_blanks();
  if (peek() == '#') skip_comment();
  if (!at_break()) return fail(Kind::syntax, pos_, "text where the line should end");
  if (!skip_break()) line_start_ = size_;
  return true;
}

/// Lines of nothing but spaces, up to `indent` of them: `breaks` of them. Ends at the
/// start of the text of another line, or where its indentation stops.
std::size_t YamlScanner::skip_blank_lines(Column indent) {
  std::size_t breaks = 0;
  for (;;) {
    while (column() < indent && peek() == ' ') ++pos_;
    if ((peek() != '\n' && peek() != '\r') || !skip_break()) return breaks;
    ++breaks;
  }
}

/// The first line that is not blank tells; blank ones before it must not be longer.
/// Readers differ on text without indentation, which can only be the whole document.
bool YamlScanner::find_block_indent(Column parent, BlockHeader& header, std::size_t& breaks) {
  Column longest = 0;
  for (;;) {
    count_spaces();
    if ((peek() != '\n' && peek() != '\r')) break;
    longest = std::max(longest, column());
    skip_break();
    ++breaks;
  }
  if (parent < 0 && column() == 0 && peek() != '\0' && !at_any_marker()) {
    return fail(Kind::syntax, pos_, "a block scalar that is not indented");
  }
  header.indent = std::max({column(), parent + 1, Column{1}});
  if (peek() == '\0' || column() < header.indent || longest <= header.indent) return true;
  return fail(Kind::syntax, pos_, "a block scalar that starts with a longer blank line");
}

/// From the text of the first line on; pos_ stands behind its indentation.
void YamlScanner::scan_block_lines(const BlockHeader& header, std::size_t breaks) {
  bool any = false;
  bool more = true;  // the line before is indented more, or there is none
  while (column() == header.indent && peek() != '\0' && !(column() == 0 && at_any_marker())) {
    const bool more_now = peek() == ' ' || peek() == '\t';
    const bool folds = any && header.folded && !more && !more_now;
    if (any && !(folds && breaks > 0)) buffer_ += folds ? ' ' : '\n';
    buffer_.append(breaks, '\n');
    const std::size_t begin = pos_;
    skip_comment();  // that is, to the end of the line
    const std::size_t end = pos_ > begin && data_[pos_ - 1] == '\r' ? pos_ - 1 : pos_;
    buffer_ += source(begin, end);
    any = true;
    more = more_now;
    breaks = skip_break() ? skip_blank_lines(header.indent) : 0;
  }
  if (any && header.chomping != '-') buffer_ += '\n';
  if (header.chomping == '+') buffer_.append(breaks, '\n');
}

bool YamlScanner::scan_block(Column parent, YamlScalar& out) {
  out = {};
  out.begin = pos_;
  out.style = peek() == '>' ? ScalarStyle::folded : ScalarStyle::literal;
  out.in_source = false;
  out.one_line = false;
  BlockHeader header;
  if (!scan_block_header(parent, header)) return false;
  buffer_.clear();
  std::size_t breaks = 0;
  if (header.indent == 0) {
    if (!find_block_indent(parent, header, breaks)) return false;
  } else {
    breaks = skip_blank_lines(header.indent);
  }
  scan_block_lines(header, breaks);
  out.text = buffer_;
  if (pos_ == size_) {
    out.end = size_;
    indent_ = -1;
    return true;
  }
  out.end = line_start_;
  pos_ = line_start_;
  return find_content();
}

}  // namespace cg::yaml
