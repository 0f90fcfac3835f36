// Ranges beside each other: part of, overlap, above, below.
#pragma once

#include "npm/semver/comparator.h"
#include "npm/semver/range.h"
#include "npm/semver/version.h"

namespace cg::semver {

/// Every version that satisfies `sub` satisfies `dom`, as far as node can tell: an
/// alternative must fit into a single one of `dom`. Both ranges were parsed with the
/// same options; likewise below. Takes time in proportion to the product of the sizes.
[[nodiscard]] bool subset(const Range& sub, const Range& dom);

/// Some version could satisfy both.
[[nodiscard]] bool intersects(const Range& a, const Range& b);
/// Not symmetric, like node's: "*" and a prerelease, in this order, intersect.
[[nodiscard]] bool intersects(const Comparator& a, const Comparator& b, const Options& options);

enum class Side { above, below };
/// `version` is above (below) every version that satisfies `range`.
[[nodiscard]] bool is_outside(const Version& version, const Range& range, Side side);

}  // namespace cg::semver
