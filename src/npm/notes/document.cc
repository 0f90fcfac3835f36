#include "npm/notes/document.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

#include "base/base/text.h"
#include "npm/notes/piece.h"

namespace cg::notes {

namespace {

constexpr std::size_t kMaxIndent = 3;  // of headings and paragraphs; more is code

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Well-formed UTF-8 without a byte order mark, lines ended by "\n"; what is neither becomes one
/// U+FFFD for each run.
std::string cleaned(std::string_view bytes) {
  if (bytes.starts_with("\xEF\xBB\xBF")) bytes.remove_prefix(3);
  std::string out;
  out.reserve(bytes.size() + 1);
  bool was_bad = false;
  while (!bytes.empty()) {
    const std::size_t length = utf8_sequence(bytes);
    if (length == 0 && !was_bad) out += "\xEF\xBF\xBD";
    was_bad = length == 0;
    if (bytes[0] == '\r') {
      if (!bytes.substr(1).starts_with('\n')) out += '\n';
    } else {
      out += bytes.substr(0, length);
    }
    bytes.remove_prefix(std::max<std::size_t>(length, 1));
  }
  if (!out.empty() && out.back() != '\n') out += '\n';
  return out;
}

std::string_view without_indent(std::string_view line) { return line.substr(indent_of(line)); }

/// All of `line` is three or more of one of `marks`, spaces aside.
bool is_row_of(std::string_view line, std::string_view marks) {
  line = trim(line);
  if (line.empty() || marks.find(line[0]) == std::string_view::npos) return false;
  std::size_t count = 0;
  for (const char c : line) {
    if (c == line[0]) ++count;
    if (c != line[0] && c != ' ') return false;
  }
  return count >= 3;
}

bool is_item(std::string_view line) {
  line = without_indent(line);
  std::size_t digits = 0;
  while (digits < line.size() && digits < 9 && is_digit(line[digits])) ++digits;
  std::size_t mark = 0;
  if (digits > 0) {
    mark = digits < line.size() && (line[digits] == '.' || line[digits] == ')') ? digits + 1 : 0;
  } else if (line.starts_with("\xE2\x80\xA2")) {  // a bullet
    mark = 3;
  } else if (!line.empty() && (line[0] == '-' || line[0] == '*' || line[0] == '+')) {
    mark = 1;
  }
  if (mark == 0) return false;
  return mark == line.size() || line[mark] == ' ' || line[mark] == '\t';
}

/// "[name]: address": nothing that anybody sees.
bool is_definition(std::string_view line) {
  line = without_indent(line);
  if (!line.starts_with('[')) return false;
  const std::size_t end = line.find(']');
  return end != std::string_view::npos && line.substr(end + 1).starts_with(": ") &&
         line.find("://", end) != std::string_view::npos;
}

/// Of "## Title" and "<h2>"; 0 for none. "#12 is fixed" is none, "##4.0.0" is one.
std::uint8_t marked_level(std::string_view line) {
  if (indent_of(line) > kMaxIndent) return 0;
  line = without_indent(line);
  if (line.size() > 3 && line[0] == '<' && (line[1] == 'h' || line[1] == 'H') && line[2] >= '1' &&
      line[2] <= '6' && (line[3] == '>' || line[3] == ' ')) {
    return static_cast<std::uint8_t>(line[2] - '0');
  }
  const char mark = line.starts_with("== ") || line.starts_with("=== ") ? '=' : '#';
  const auto level = static_cast<std::size_t>(
      std::find_if(line.begin(), line.end(), [&](char c) { return c != mark; }) - line.begin());
  if (level == 0 || level > 6 || level == line.size()) return 0;
  const char next = line[level];
  const bool is_close = level > 1 && (is_digit(next) || next == 'v' || next == '[');
  return next == ' ' || next == '\t' || is_close ? static_cast<std::uint8_t>(level) : 0;
}

}  // namespace

bool is_blank(std::string_view line) { return trim(line).empty(); }

std::size_t indent_of(std::string_view line) {
  return std::min(line.find_first_not_of(" \t"), line.size());
}

std::size_t fence_of(std::string_view line) {
  line = without_indent(line);
  if (!line.starts_with("```") && !line.starts_with("~~~")) return 0;
  const std::size_t end = std::min(line.find_first_not_of(line[0]), line.size());
  // `code` in a line of its own is no fence.
  if (line[0] == '`' && line.find('`', end) != std::string_view::npos) return 0;
  return end;
}

class DocumentParser {
 public:
  DocumentParser(Document& out, Document::IsTitle is_title) : out_(out), is_title_(is_title) {}

  void read_lines(std::string_view bytes) {
    out_.is_cut_ = bytes.size() > kMaxDocument;
    out_.text_ = cleaned(cut_utf8(bytes, kMaxDocument));
    out_.starts_.push_back(0);
    for (std::size_t at = 0; at < out_.text_.size();) {
      if (out_.starts_.size() > kMaxLines) {
        out_.is_cut_ = true;
        return;
      }
      at = out_.text_.find('\n', at) + 1;
      out_.starts_.push_back(static_cast<std::uint32_t>(at));
    }
  }

  void read_blocks() {
    while (at_ < out_.line_count()) {
      const std::string_view line = out_.line(at_);
      if (is_blank(line) || is_definition(line) || is_row_of(line, "-*_=")) {
        ++at_;
      } else if (const std::size_t end = comment_end(at_); end > at_) {
        at_ = end;
      } else if (const auto level = level_at(at_)) {
        add(Block::Shape::heading, is_underlined(at_) ? at_ + 2 : at_ + 1, *level);
      } else if (const std::size_t close = fence_end(at_); close > at_) {
        add(Block::Shape::code, close);
      } else if (is_code(line)) {
        add(Block::Shape::code, code_end());
      } else if (is_table(line)) {
        read_table();
      } else if (is_item(line)) {
        add(Block::Shape::item, item_end());
      } else {
        add(Block::Shape::paragraph, paragraph_end());
      }
    }
  }

 private:
  static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

  void add(Block::Shape shape, std::size_t end, std::uint8_t level = 0) {
    out_.blocks_.push_back({shape, level, static_cast<std::uint32_t>(at_),
                            static_cast<std::uint32_t>(std::min(end, out_.line_count()))});
    at_ = end;
  }

  [[nodiscard]] std::string_view line(std::size_t i) const {
    return i < out_.line_count() ? out_.line(i) : std::string_view();
  }

  static bool is_code(std::string_view line) {
    const std::size_t indent = indent_of(line);
    return (indent > kMaxIndent || line.substr(0, indent).find('\t') != std::string_view::npos) &&
           !is_item(line);
  }

  static bool is_table(std::string_view line) { return without_indent(line).starts_with('|'); }

  /// A line of text above a line of = or -.
  [[nodiscard]] bool is_underlined(std::size_t i) const {
    const std::string_view under = line(i + 1);
    if (!is_row_of(under, "=-~^") || trim(under).find(' ') != std::string_view::npos) return false;
    const std::string_view over = out_.line(i);
    // A fence of ~ beneath a text is as likely; only what is as long as the text underlines it.
    if (trim(under)[0] == '~' && trim(under).size() < trim(over).size()) return false;
    return indent_of(over) <= kMaxIndent && !is_item(over) && !is_table(over) &&
           marked_level(over) == 0 && fence_of(over) == 0 && !is_row_of(over, "-*_=~^");
  }

  [[nodiscard]] std::optional<std::uint8_t> level_at(std::size_t i) const {
    const std::string_view line = out_.line(i);
    if (const std::uint8_t level = marked_level(line)) return level;
    if (!is_blank(line) && is_underlined(i)) {
      const char mark = trim(out_.line(i + 1))[0];
      return std::uint8_t{static_cast<std::uint8_t>(mark == '=' ? 1 : mark == '-' ? 2 : 3)};
    }
    if (is_title_ != nullptr && is_title_(line)) return std::uint8_t{0};
    return std::nullopt;
  }

  /// Behind the comment that begins at `i`; `i` if there is none. Looks for an end that is not
  /// there once.
  std::size_t comment_end(std::size_t i) {
    if (!without_indent(out_.line(i)).starts_with("<!--")) return i;
    const std::size_t begin = out_.starts_[i];
    if (begin >= no_comment_from_) return i;
    const std::size_t end = out_.text_.find("-->", begin);
    if (end == std::string::npos || end >= out_.starts_.back()) {
      no_comment_from_ = begin;
      return i;
    }
    const auto next = std::upper_bound(out_.starts_.begin(), out_.starts_.end(), end);
    return static_cast<std::size_t>(next - out_.starts_.begin());
  }

  /// Behind the example whose fence opens at `i`; `i` if none does.
  std::size_t fence_end(std::size_t i) {
    // Of long ones eight say enough: each length that is never closed costs a look at all lines.
    const std::size_t length = std::min<std::size_t>(fence_of(out_.line(i)), 8);
    if (length == 0) return i;
    const char mark = without_indent(out_.line(i))[0];
    std::size_t& never = never_closed_[mark == '~' ? 1 : 0];
    if (length >= never) return i;
    for (std::size_t j = i + 1; j < out_.line_count(); ++j) {
      const std::string_view text = trim(out_.line(j));
      const bool is_close = text.size() >= length && text[0] == mark &&
                            text.find_first_not_of(mark) == std::string_view::npos;
      if (is_close) return j + 1;
    }
    never = length;  // nor is a longer one that comes later
    return i;
  }

  [[nodiscard]] std::size_t code_end() const {
    std::size_t end = at_;
    for (std::size_t i = at_; i < out_.line_count(); ++i) {
      if (is_blank(out_.line(i))) continue;
      if (indent_of(out_.line(i)) == 0 || !is_code(out_.line(i))) break;
      end = i + 1;
    }
    return std::max(end, at_ + 1);
  }

  void read_table() {
    if (is_table(line(at_ + 1)) &&
        trim(line(at_ + 1)).find_first_not_of("|-: ") == std::string_view::npos) {
      add(Block::Shape::header, at_ + 2);
    }
    while (is_table(line(at_))) add(Block::Shape::row, at_ + 1);
  }

  /// The line begins something that is not a part of an item or a paragraph.
  bool is_start(std::size_t i) {
    const std::string_view line = out_.line(i);
    return level_at(i).has_value() || comment_end(i) > i || is_row_of(line, "-*_=");
  }

  std::size_t item_end() {
    const std::size_t indent = indent_of(out_.line(at_));
    std::size_t i = at_ + 1;
    while (i < out_.line_count()) {
      std::size_t next = i;
      while (next < out_.line_count() && is_blank(out_.line(next))) ++next;
      if (next == out_.line_count()) break;
      const bool is_inside = indent_of(out_.line(next)) > indent;
      if (next > i && !is_inside) break;
      const std::size_t close = fence_end(next);
      if (!is_inside && (is_item(out_.line(next)) || close > next || is_start(next))) break;
      if (is_title_ != nullptr && is_title_(out_.line(next))) break;
      i = std::max(close, next + 1);
    }
    return i;
  }

  std::size_t paragraph_end() {
    std::size_t i = at_ + 1;
    while (i < out_.line_count() && !is_blank(out_.line(i)) && !is_item(out_.line(i)) &&
           !is_table(out_.line(i)) && !is_start(i) && fence_end(i) == i) {
      ++i;
    }
    return i;
  }

  Document& out_;
  Document::IsTitle is_title_;
  std::size_t at_ = 0;
  std::size_t no_comment_from_ = kNone;
  std::array<std::size_t, 2> never_closed_ = {kNone, kNone};  // lengths of ` and ~
};

Document Document::parse(std::string_view bytes, IsTitle is_title) {
  Document out;
  DocumentParser parser(out, is_title);
  parser.read_lines(bytes);
  parser.read_blocks();
  return out;
}

std::string_view Document::title(const Block& block) const {
  std::string_view line = trim(this->line(block.first));
  if (block.level > 0 && (line.starts_with('#') || line.starts_with("=="))) {
    line.remove_prefix(std::min(line.find_first_not_of(line[0]), line.size()));
    line = line.substr(0, line.find_last_not_of("# ") + 1);
  }
  return trim(line);
}

}  // namespace cg::notes
