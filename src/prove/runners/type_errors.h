// What the TypeScript compiler says is wrong.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cg::runners {

/// Errors of `tsc --pretty false`, one "file(line,column): error TS2322: words" each.
struct TypeErrors {
  std::vector<std::string> lines;  // sorted; without place: "src/a.ts: error TS2322: words"
  std::uint64_t count = 0;         // of all, also of those beyond the bound of `lines`
  bool complete = true;            // false: output was cut, so there may be more
};
[[nodiscard]] TypeErrors read_type_errors(std::string_view output);

/// Removes the errors that speak of one of `names`; those of the names that were spoken of,
/// sorted.
[[nodiscard]] std::vector<std::string> take_out(TypeErrors& errors,
                                                const std::vector<std::string>& names);

/// Those of another run of the compiler on the same tree.
void add(TypeErrors& errors, TypeErrors more);

}  // namespace cg::runners
