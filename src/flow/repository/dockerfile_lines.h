// Instructions of a Dockerfile, one at a time. Private to this module.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cg::repository {

struct Instruction {
  std::string keyword;  // upper case
  std::string rest;     // continued lines joined, comments between them left out
  std::size_t line = 0;
};

class DockerfileLines {
 public:
  explicit DockerfileLines(std::string_view text);

  /// Nothing at the end of the text, or where a here-document has no end.
  [[nodiscard]] std::optional<Instruction> next();
  /// The terminator of a here-document that never came, with its line.
  [[nodiscard]] const std::optional<std::pair<std::string, std::size_t>>& unclosed() const {
    return unclosed_;
  }
  /// `\` or, after a directive, a backquote.
  [[nodiscard]] char escape() const { return escape_; }

 private:
  void read_directives();
  [[nodiscard]] std::optional<std::string_view> take_line();
  [[nodiscard]] bool continues(std::string_view& line) const;
  bool skip_heredocs(const Instruction& instruction);

  std::string_view left_;
  std::size_t line_ = 0;  // of the line taken last
  char escape_ = '\\';
  std::optional<std::pair<std::string, std::size_t>> unclosed_;
};

/// Words between spaces; quotes hold a word together and stay in it.
[[nodiscard]] std::vector<std::string_view> words_of(std::string_view text);

}  // namespace cg::repository
