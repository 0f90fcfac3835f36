#include "codec/yaml_guard.h"

#include <algorithm>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/text.h"
#include "codec/parsing.h"

namespace cg::codec {

namespace {

using Kind = ParseError::Kind;

constexpr auto kNone = std::string_view::npos;
constexpr std::string_view kBeforeKey = " \t\r\n[{,";
constexpr std::string_view kAfterKey = " \t\r\n,]}";
constexpr std::size_t kBlankLines = 100;
constexpr std::size_t kFlowLine = 64U << 10U;
constexpr std::ptrdiff_t kOpenBrackets = 1000;

/// The length of a character at the start of `text` that may not stand in YAML;
/// 0 if there is none. NEL and the Unicode line separators may, but libfyaml gets
/// the length of scalars with them wrong.
std::size_t forbidden_character(std::string_view text) {
  const auto first = static_cast<Byte>(text[0]);
  if (first == '\n' || first == '\t') return 0;
  if (first == '\r') return text.starts_with("\r\n") ? 0 : 1;
  if (first < 0x20 || first == 0x7F) return 1;
  if (first == 0xC2 && static_cast<Byte>(text[1]) < 0xA0) return 2;
  for (const std::string_view other : {"\u2028", "\u2029", "\uFEFF", "\uFFFE", "\uFFFF"}) {
    if (text.starts_with(other)) return other.size();
  }
  return 0;
}

/// True if the `?` at `at` could announce a key. It need not: inside a scalar it
/// is only text, but to know that is to parse. A malformed key of this sort is
/// what libfyaml frees twice.
bool may_announce_key(std::string_view text, std::size_t at) {
  return text[at] == '?' && (at == 0 || kBeforeKey.find(text[at - 1]) != kNone) &&
         (at + 1 == text.size() || kAfterKey.find(text[at + 1]) != kNone);
}

Result<Done, ParseError> check_characters(std::string_view text) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::size_t length = forbidden_character(text.substr(at));
    if (length > 0) {
      return fail(ParseError{Kind::control_character, locate(text, at),
                             printable(text.substr(at, length))});
    }
    if (may_announce_key(text, at)) {
      return fail(ParseError{Kind::yaml_feature, locate(text, at), "a `?` that stands alone"});
    }
  }
  return Done{};
}

/// Blank lines in a row cost libfyaml quadratic time and stack. After an opening
/// bracket it may scan on to the end of the text, at up to 350 bytes of memory for
/// each byte, before it yields an event; long lines and deep nesting make it do so.
/// Directives are unwanted, so its faulty scanner for them is kept out of use.
class LineGuard {
 public:
  /// What is wrong with the next line, "" if nothing is.
  std::string_view check(std::string_view line) {
    if (line.starts_with('%')) return "a directive";
    blank_ = trim(line).empty() ? blank_ + 1 : 0;
    if (blank_ > kBlankLines) return "so many blank lines in a row";
    const std::ptrdiff_t opened = count(line, '[') + count(line, '{');
    if (opened > 0 && line.size() > kFlowLine) return "so long a line with brackets";
    open_ = std::max<std::ptrdiff_t>(0, open_ + opened - count(line, ']') - count(line, '}'));
    return open_ > kOpenBrackets ? "so many open brackets" : "";
  }

 private:
  static std::ptrdiff_t count(std::string_view line, char c) {
    return std::count(line.begin(), line.end(), c);
  }

  std::size_t blank_ = 0;
  std::ptrdiff_t open_ = 0;  // brackets in scalars too: to tell them apart is to parse
};

Result<Done, ParseError> check_lines(std::string_view text) {
  LineGuard guard;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    const std::string_view wrong = guard.check(text.substr(start, end - start));
    if (!wrong.empty()) {
      return fail(ParseError{Kind::yaml_feature, locate(text, start), std::string(wrong)});
    }
    start = end + 1;
  }
  return Done{};
}

/// Of an empty block libfyaml takes what follows for its text, siblings of its
/// parent included; of a block that is the whole document it takes `#` lines for
/// comments. It loses a line break of blank lines before the text, and of folded
/// text before a line that is indented more than the first one.
bool is_misread_block(std::string_view source, ScalarStyle style, std::size_t parent_column) {
  if (parent_column == 0) return true;
  if (source.empty()) return false;
  const std::vector<std::string_view> lines = split(source, '\n');
  const std::size_t indent = lines.front().find_first_not_of(' ');
  if (trim(lines.front()).empty() || indent < parent_column) return true;
  return style == ScalarStyle::folded &&
         std::any_of(lines.begin(), lines.end(), [&](std::string_view line) {
           return line.size() > indent && (line[indent] == ' ' || line[indent] == '\t');
         });
}

/// A backslash before spaces at the end of a line: libfyaml drops the spaces.
bool has_escaped_space_at_end(std::string_view source) {
  const std::vector<std::string_view> lines = split(source, '\n');
  return std::any_of(lines.begin(), lines.end() - 1, [](std::string_view line) {
    const std::size_t last = line.find_last_not_of(" \t");
    return last != kNone && line[last] == '\\' && last + 1 < line.size();
  });
}

}  // namespace

Result<Done, ParseError> guard_text(std::string_view text) {
  CG_TRY(check_characters(text));
  return check_lines(text);
}

bool is_misread(std::string_view source, ScalarStyle style, std::size_t parent_column) {
  switch (style) {
    case ScalarStyle::plain:
      return false;
    case ScalarStyle::single_quoted:
      return source.find("''''") != kNone;  // becomes three quotes, not two
    case ScalarStyle::double_quoted:
      return has_escaped_space_at_end(source);
    case ScalarStyle::literal:
    case ScalarStyle::folded:
      return is_misread_block(source, style, parent_column);
  }
  return true;
}

}  // namespace cg::codec
