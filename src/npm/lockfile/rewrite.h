// Writing a lockfile back: the bytes that were read, but for the places that change.
//
// A lockfile is never printed anew from what was understood of it. Indentation, line
// ends, key order, fields we do not know and the final newline are the user's.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/base/result.h"
#include "npm/npm/graph.h"

namespace cg::lockfile {

/// The bytes of `where` become `text`.
struct Change {
  npm::Span where;
  std::string text;
};

struct RewriteError {
  enum class Kind {
    outside,  // a change beyond the end, or one that ends before it begins
    overlap,  // two changes of the same byte
  };
  Kind kind;
  npm::Span where;
};

/// The text of the lockfile with `changes` made, in any order. Without changes it is the
/// text that was read, byte by byte.
[[nodiscard]] Result<std::string, RewriteError> rewrite(const npm::Graph& graph,
                                                        std::vector<Change> changes);
/// The same for any text.
[[nodiscard]] Result<std::string, RewriteError> rewrite(std::string_view text,
                                                        std::vector<Change> changes);

}  // namespace cg::lockfile
