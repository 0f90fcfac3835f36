// Line: the lines of a file as they are compared, and what kind of line each is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "npm/upgrade/source.h"

namespace cg::upgrade {

/// Of a function or an object that has a name which is used.
enum class Where : std::uint8_t { outside, inside, head };

/// A file as it is compared.
struct Text {
  std::string lines;         // without indentation, and without those that have no word in them
  std::vector<Where> where;  // by line
  [[nodiscard]] Where where_is(std::size_t line) const {
    return line < where.size() ? where[line] : Where::outside;
  }
};

/// Bytes of a function: from its comment on, its first line, and its end.
struct Range {
  std::size_t begin, head, end;
};
using Ranges = std::vector<Range>;

[[nodiscard]] Text bare_lines(std::string_view text, const Ranges& functions);
/// Of declarations those that say what a module is as a whole.
[[nodiscard]] std::string whole_lines(std::string_view text);
[[nodiscard]] std::size_t line_start(std::string_view text, std::size_t at);

/// What a function or an object is called where it is written down: `a() {}`, `a = () => {}`,
/// `b.a = …`, `a: …`.
[[nodiscard]] std::string name_of(const Source& source, syntax::Index value);

[[nodiscard]] bool is_word_char(char c);
[[nodiscard]] bool is_comment(std::string_view line);
/// What compilers write around a module says nothing about it, nor which files it is made of.
[[nodiscard]] bool is_boilerplate(std::string_view line);
[[nodiscard]] bool is_export(std::string_view line);
/// It tells who uses something wrong, or what is not to be used.
[[nodiscard]] bool is_telling(std::string_view line);

/// The same for two lines that do the same: `var a = "b";` and `const a = 'b'`.
[[nodiscard]] std::string meaning_of(std::string_view line);
/// A line with its strings left out, so that one in the place of another is found.
[[nodiscard]] std::string frame_of(std::string_view line);

/// Words of a line, as names are written, and what its strings say.
void each_word(std::string_view line, const std::function<void(std::string_view)>& word,
               const std::function<void(std::string_view)>& string);

}  // namespace cg::upgrade
