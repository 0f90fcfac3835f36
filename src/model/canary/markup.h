// Markup: reading a text one character at a time with what writers put around, between and
// instead of characters undone: tags, comments, entities, escapes, emphasis inside a word.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace cg::canary {

/// What stands at a place of the text.
struct Undone {
  char32_t rune = 0;     // 0: nothing to read, only to skip
  std::size_t size = 1;  // bytes of the text that it takes
};

/// Linear over the whole text: a search that has found nothing is not made again.
class Markup {
 public:
  explicit Markup(std::string_view text) : text_(text) {}

  /// At a byte that may begin markup. `in_word`: a letter stands before it.
  [[nodiscard]] Undone read(std::size_t at, bool in_word);
  /// The bytes of a terminal's escape sequence at `at`. Only those that colour and erase are
  /// sure to be one; `all` takes any, which could swallow a letter that a reader would see.
  enum class Escapes { colours, all };
  [[nodiscard]] std::size_t escape_sequence(std::size_t at, Escapes which) const;

 private:
  [[nodiscard]] std::optional<Undone> tag(std::size_t at);
  [[nodiscard]] std::optional<Undone> comment(std::size_t at);
  [[nodiscard]] std::optional<Undone> entity(std::size_t at) const;
  [[nodiscard]] std::optional<Undone> backslash(std::size_t at) const;
  [[nodiscard]] std::optional<Undone> percent(std::size_t at) const;
  [[nodiscard]] std::optional<Undone> emphasis(std::size_t at) const;
  [[nodiscard]] std::optional<Undone> concatenation(std::size_t at) const;
  [[nodiscard]] std::size_t after(std::string_view what, std::size_t at, std::size_t& known);

  std::string_view text_;
  std::size_t comment_end_ = 0;
  std::size_t tag_end_ = 0;
};

/// Whether a text has anything that read() would undo.
[[nodiscard]] bool has_markup(std::string_view text);

}  // namespace cg::canary
