// What packages import of those that a fix moved or forced, from their tarballs: the half of the
// gate `load` that runs nothing (prove/gate/load.h, npm/exports/faults.h).
#pragma once

#include <vector>

#include "fetch/catalog/catalog.h"
#include "prove/gate/load.h"

namespace cg::remediate {

/// Adds faults, and what could not be looked at, to `loading`. Tarballs are those of the cache
/// that the locks' integrity names, else those that the registry's does. The repository's
/// own sources are not looked at: its build, types and tests speak for them.
[[nodiscard]] Result<Done, Problem> add_faults(gate::Loading& loading,
                                               const std::vector<gate::Moved>& moved,
                                               const npm::Graph& before, const npm::Graph& after,
                                               catalog::Catalog& catalog);

}  // namespace cg::remediate
