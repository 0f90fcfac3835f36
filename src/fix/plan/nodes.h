// Nodes: which releases of node a repository runs on, and a package would leave out.
//
// Held over the lines of releases that there are, not over numbers: nobody runs a 15 because a
// manifest says >=14. A line counts that is maintained for years (0.10, 0.12, even majors from
// 4 on), an odd one only where the repository's range names it by number. Majors that are newer
// than the table all count.
#pragma once

#include <span>
#include <string>

#include "npm/semver/range.h"

namespace cg::plan {

/// The nodes that `repository` names and that all of `before` take, but `package` does not:
/// "18.0 to 18.16", "14, 22 and later". Empty: there are none. A repository that names no node
/// in particular ("*") loses none. A range of more than 64 conditions counts as taking nothing.
[[nodiscard]] std::string left_out(const semver::Range& repository, const semver::Range& package,
                                   std::span<const semver::Range> before);

/// As people write it: ">=14.0.0 <15.0.0 || >=16.0.0". Cut where it is long.
[[nodiscard]] std::string text_of(const semver::Range& range);

}  // namespace cg::plan
