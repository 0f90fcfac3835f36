// Head: a declaration in one line, without what is inside.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "npm/upgrade/finder.h"

namespace cg::upgrade {

inline constexpr std::size_t kMaxHead = 600;  // bytes of one line

/// "function load(input, options)", "class Type", "const got: Got"; under the name that it is
/// exported as. Of a value that is no function its beginning. Comments are left out, bodies are
/// {...}, space is one blank.
[[nodiscard]] std::string head_of(const Place& place, std::string_view name);
/// The text of a node like that.
[[nodiscard]] std::string folded(const Source& source, syntax::Index node,
                                 std::size_t max = kMaxHead);
/// One line, on a code point: "..." says that there was more.
[[nodiscard]] std::string one_line(std::string_view text, std::size_t max);

/// Whether two declarations say the same, but for quotes, commas, blanks and such.
[[nodiscard]] bool says_same(std::string_view a, std::string_view b);

/// The first `most`, with `between`; "..." says that there were more.
[[nodiscard]] std::string joined(const std::vector<std::string>& lines, std::string_view between,
                                 std::size_t most);

/// "name: head", or the head alone where it begins with the name.
[[nodiscard]] std::string titled(std::string_view name, const std::string& head);

/// The names of types that a declaration says, each once, in the order of the text; the body of
/// a class, an interface or a namespace is left out if `place` is one.
[[nodiscard]] std::vector<std::string> mentions_in(const Place& place);
/// "A" of `import("./a").A`.
[[nodiscard]] std::vector<std::string> imported_types(std::string_view text);
/// "A" and "B" of `class C extends A<T>` and `interface C extends A, B`.
[[nodiscard]] std::vector<std::string> bases_in(const Place& place);

/// What a /** comment */ says.
struct Doc {
  std::string summary;                  // its first sentence
  std::string deprecated;               // what @deprecated says; "yes" if it says nothing
  std::string fallback;                 // what @default says
  std::vector<std::string> parameters;  // "{String} name the name"
  std::vector<std::string> options;     // "foo" of `@param [options.foo]`
};
[[nodiscard]] Doc read_doc(std::string_view comment);
/// `paginate: ({ response }) => {`: the first line of an example in a /** comment */ that gives
/// `name` something, or calls it; empty if there is none.
[[nodiscard]] std::string example_in(std::string_view comment, std::string_view name);

}  // namespace cg::upgrade
