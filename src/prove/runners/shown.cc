#include "prove/runners/shown.h"

#include <algorithm>

#include "base/base/text.h"

namespace cg::runners {

namespace {

constexpr char kEscape = '\x1b';

bool is_string_opener(char c) { return c == ']' || c == 'P' || c == 'X' || c == '^' || c == '_'; }

/// Past a string such as a window title: its end, or the end of the line, so that one that
/// is never closed hides no more than that.
std::size_t past_string(std::string_view text, std::size_t at) {
  for (; at < text.size() && text[at] != '\n'; ++at) {
    if (text[at] == '\a') return at + 1;
    if (text[at] == kEscape) return std::min(at + 2, text.size());
  }
  return at;
}

/// Past the escape sequence that starts at `at`.
std::size_t past_escape(std::string_view text, std::size_t at) {
  if (++at == text.size()) return at;
  if (is_string_opener(text[at])) return past_string(text, at + 1);
  if (text[at] != '[') return text[at] == '\n' ? at : at + 1;
  for (++at; at < text.size(); ++at) {
    const char c = text[at];
    if (c >= '@' && c <= '~') return at + 1;
    if (c < ' ') return at;  // no escape sequence after all
  }
  return at;
}

std::string spaced(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c == '\t' || c == '\n' || c == '\r') c = ' ';
  }
  return out;
}

bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("-_./=:@,+%").find(c) != std::string_view::npos;
}

}  // namespace

std::string without_escapes(std::string_view output) {
  std::string bare;
  for (std::size_t i = 0; i < output.size();) {
    if (output[i] == kEscape) {
      i = past_escape(output, i);
      continue;
    }
    const bool ends_line = output[i] == '\r';
    if (ends_line && i + 1 < output.size() && output[i + 1] == '\n') ++i;
    bare += ends_line ? '\n' : output[i];
    ++i;
  }
  std::string out;
  for (const std::string_view line : split(bare, '\n')) {
    if (!out.empty() || line.data() != bare.data()) out += '\n';
    out += printable(spaced(line));
  }
  return out;
}

std::string tail(std::string_view output, std::size_t max) {
  // Escapes only ever make it shorter, and what is made visible is short: enough is enough.
  if (output.size() > 4 * max) output.remove_prefix(output.size() - 4 * max);
  std::string text = without_escapes(output);
  if (text.size() <= max) return text;
  std::size_t from = text.size() - max;
  const std::size_t line = text.find('\n', from);
  if (line != std::string::npos && line + 1 < text.size()) {
    from = line + 1;
  } else {
    while (from < text.size() && (static_cast<unsigned char>(text[from]) & 0xC0U) == 0x80U) ++from;
  }
  return text.substr(from);
}

std::string one_line(std::string_view text, std::size_t max) {
  const std::string line = spaced(trim(cut_utf8(text, max)));
  const std::string shown = printable(line);
  return std::string(cut_utf8(shown, max));
}

std::string command_line(const std::vector<std::string>& argv) {
  std::string out;
  for (const std::string& word : argv) {
    if (!out.empty()) out += ' ';
    if (!word.empty() && std::all_of(word.begin(), word.end(), is_plain)) {
      out += word;
      continue;
    }
    out += '\'';
    for (const char c : word) {
      if (c == '\'') {
        out += "'\\''";
      } else {
        out += c;
      }
    }
    out += '\'';
  }
  return one_line(out, 2048);
}

}  // namespace cg::runners
