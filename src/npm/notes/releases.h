// Releases: what changelogs say of the versions between the two.
#pragma once

#include <cstdint>
#include <vector>

#include "npm/notes/unit.h"

namespace cg::notes {

/// Of the blocks from `first` to before `last`: those below a heading with a version on the way,
/// up to the next version or to a heading above it. In the order of the text.
void read_releases(const Reader& reader, std::uint32_t first, std::uint32_t last,
                   const Wanted& wanted, const Names& names, std::vector<Unit>& out);

}  // namespace cg::notes
