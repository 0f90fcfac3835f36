// Call sites: the functions of a JavaScript or TypeScript file that use a package.
//
// A file is parsed (tree-sitter and grammars, pinned in tools/grammars); what is handed out
// are whole functions around uses of what the package exports, and the statements that import
// it, never the whole file (unless it is one statement). Pure and bounded: too much work for a
// parser is counted, not timed (npm/syntax/fuel.h).
//
// Names are followed through simple assignments, destructuring and new, and into no inner
// scope that binds them anew. Not followed: what a package is passed to, properties that it is
// stored in, import(…).then(…), export from one file to the next, eval, with, jest.mock().
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/base/result.h"
#include "model/callsite/piece.h"
#include "npm/syntax/language.h"

namespace cg::callsite {

using syntax::Error;
using syntax::Language;

struct Uses {
  std::vector<Piece> imports;  // statements that bind the package, with their bindings
  /// The smallest whole function (or class member, or top-level statement) around a use, with
  /// the lines it stands in and its name. `x => f(x)` within a call is none: the next one counts.
  std::vector<Piece> functions;
  /// Definitions of the same file that those functions need, and that need each other: helpers,
  /// constants, types, and the statements that import what they call.
  std::vector<Piece> needs;
  std::vector<Taken> taken;        // what those and the functions take of other files; sorted
  std::vector<std::string> names;  // members that are used: "parse", "default"; sorted
  bool broken = false;             // the file has parts that do not parse
  [[nodiscard]] bool empty() const { return imports.empty(); }
};

/// `package` as written in imports: "marked", "@scope/name"; "marked/lib/x" counts too.
/// require(), import, import() and export … from are seen; eval is not.
[[nodiscard]] Result<Uses, Error> find_uses(std::string_view text, Language language,
                                            std::string_view package);

inline constexpr std::size_t kMaxPieces = 16;        // of one file that are shown
inline constexpr std::size_t kMaxNeedsBytes = 4096;  // of those, what Uses::needs takes

/// What is shown of a file: whole pieces in its order, at most kMaxPieces, together at most `cap`
/// bytes; imports and functions that did not fit are counted in `left_out`. What they need is
/// shown as far as there is room beside them. Where a piece stands is not part of its
/// text: whoever wrote the file could have written such a line as well.
struct Snippet {
  std::vector<Piece> pieces;
  std::size_t left_out = 0;
};
[[nodiscard]] Snippet snippet(const Uses& uses, std::size_t cap);

}  // namespace cg::callsite
