// Choose: which units there is room for, and the pieces that they make.
#pragma once

#include <cstddef>
#include <vector>

#include "npm/notes/gather.h"

namespace cg::notes {

/// What is shown: by weight, but about a third of `cap` is kept for examples of the names, and of
/// those one for each name comes first.
[[nodiscard]] Notes choose(const std::vector<Source>& sources, const std::vector<Unit>& units,
                           std::size_t cap);

}  // namespace cg::notes
