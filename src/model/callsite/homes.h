// Homes: which function or member of a file a node stands in, which is to be shown whole.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "npm/syntax/syntax.h"

namespace cg::callsite {

/// Bytes of the file.
struct Range {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// Sorted and apart: those that overlap are one.
[[nodiscard]] std::vector<Range> in_order(std::vector<Range> ranges);
/// Widened to the lines it stands in, for diffs, unless a line goes on for longer than this.
inline constexpr std::size_t kMaxMargin = 200;
[[nodiscard]] Range whole_lines(std::string_view text, Range range);

/// Where a name is used, of a value or of a type.
[[nodiscard]] bool is_reference(syntax::Kind kind);

/// The function or member that a node stands in.
class Homes {
 public:
  explicit Homes(const syntax::Syntax& syntax);

  /// With the declaration, assignment or key that gives it its name.
  [[nodiscard]] Range range_of(syntax::Index node) const;

 private:
  [[nodiscard]] bool opens(syntax::Index i) const;
  [[nodiscard]] bool is_shell(syntax::Index i) const;

  const syntax::Syntax& syntax_;
  std::vector<syntax::Index> home_;
};

}  // namespace cg::callsite
