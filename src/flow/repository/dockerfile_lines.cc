#include "flow/repository/dockerfile_lines.h"

#include <algorithm>

#include "base/base/text.h"

namespace cg::repository {

namespace {

constexpr std::string_view kSpace = " \t\r\v\f";

bool is_space(char c) { return kSpace.find(c) != std::string_view::npos; }

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }

std::string_view skip_space(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(kSpace), text.size()));
  return text;
}

struct Heredoc {
  std::string end;
  bool strip_tabs = false;  // <<-
};

/// "<<EOF", "3<<-'EOF'". Nothing for other words, here-strings (<<<) among them.
std::optional<Heredoc> heredoc_of(std::string_view word) {
  word.remove_prefix(std::min(word.find_first_not_of("0123456789"), word.size()));
  if (!word.starts_with("<<")) return std::nullopt;
  word.remove_prefix(2);
  Heredoc found;
  found.strip_tabs = word.starts_with('-');
  if (found.strip_tabs) word.remove_prefix(1);
  if (word.find('<') != std::string_view::npos) return std::nullopt;
  for (const char c : word) {
    if (c != '"' && c != '\'') found.end += c;
  }
  if (found.end.empty()) return std::nullopt;
  return found;
}

}  // namespace

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> out;
  std::size_t at = 0;
  while (at < text.size()) {
    if (is_space(text[at])) {
      ++at;
      continue;
    }
    const std::size_t begin = at;
    char quote = 0;
    for (; at < text.size() && (quote != 0 || !is_space(text[at])); ++at) {
      if (quote != 0) {
        if (text[at] == quote) quote = 0;
      } else if (text[at] == '"' || text[at] == '\'') {
        quote = text[at];
      }
    }
    out.push_back(text.substr(begin, at - begin));
  }
  return out;
}

DockerfileLines::DockerfileLines(std::string_view text) : left_(text) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (left_.starts_with(kByteOrderMark)) left_.remove_prefix(kByteOrderMark.size());
  read_directives();
}

/// "# escape=`" counts only above everything else, among other directives.
void DockerfileLines::read_directives() {
  std::string_view rest = left_;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    std::string_view line = skip_space(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (!line.starts_with('#')) return;
    line = trim(line.substr(1));
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos) return;
    std::string key;
    for (const char c : trim(line.substr(0, equals))) key += lower(c);
    if (key != "escape" && key != "syntax" && key != "check") return;
    if (key == "escape" && trim(line.substr(equals + 1)) == "`") escape_ = '`';
  }
}

std::optional<std::string_view> DockerfileLines::take_line() {
  if (left_.empty()) return std::nullopt;
  const std::size_t end = std::min(left_.find('\n'), left_.size());
  std::string_view line = left_.substr(0, end);
  left_.remove_prefix(std::min(end + 1, left_.size()));
  if (line.ends_with('\r')) line.remove_suffix(1);
  ++line_;
  return line;
}

/// Cuts the escape at the end of the line off, if there is one.
bool DockerfileLines::continues(std::string_view& line) const {
  const std::size_t last = line.find_last_not_of(" \t");
  if (last == std::string_view::npos || line[last] != escape_) return false;
  line = line.substr(0, last);
  return true;
}

std::optional<Instruction> DockerfileLines::next() {
  Instruction found;
  std::string whole;
  bool open = false;
  while (const auto taken = take_line()) {
    std::string_view line = skip_space(*taken);
    // Comments and empty lines do not end an instruction that goes on.
    if (line.empty() || line.starts_with('#')) continue;
    if (!open) found.line = line_;
    open = continues(line);
    whole += line;
    if (!open) break;
  }
  if (found.line == 0) return std::nullopt;
  const std::size_t end = std::min(whole.find_first_of(kSpace), whole.size());
  for (const char c : whole.substr(0, end)) found.keyword += upper(c);
  found.rest = trim(std::string_view(whole).substr(end));
  if (!skip_heredocs(found)) return std::nullopt;
  return found;
}

bool DockerfileLines::skip_heredocs(const Instruction& instruction) {
  const bool may_have =
      instruction.keyword == "RUN" || instruction.keyword == "COPY" || instruction.keyword == "ADD";
  if (!may_have || instruction.rest.find("<<") == std::string::npos) return true;
  for (const std::string_view word : words_of(instruction.rest)) {
    const auto heredoc = heredoc_of(word);
    if (!heredoc) continue;
    bool closed = false;
    while (!closed) {
      const auto taken = take_line();
      if (!taken) {
        unclosed_ = {heredoc->end, instruction.line};
        return false;
      }
      std::string_view line = *taken;
      if (heredoc->strip_tabs)
        line.remove_prefix(std::min(line.find_first_not_of('\t'), line.size()));
      closed = line == heredoc->end;
    }
  }
  return true;
}

}  // namespace cg::repository
