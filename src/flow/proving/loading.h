// What packages import of those that a fix moved or forced, from their tarballs: the half of the
// gate `load` that runs nothing (prove/gate/load.h, npm/exports/faults.h).
#pragma once

#include <vector>

#include "fetch/catalog/catalog.h"
#include "flow/job/files.h"
#include "flow/propose/situation.h"
#include "prove/gate/load.h"

namespace cg::proving {

/// Adds faults, and what could not be looked at, to `loading`. Tarballs are those of the cache
/// that the locks' integrity names, else those that the registry's does.
[[nodiscard]] Result<Done, Problem> add_faults(gate::Loading& loading,
                                               const std::vector<gate::Moved>& moved,
                                               const npm::Graph& before, const npm::Graph& after,
                                               catalog::Catalog& catalog);

/// The same of the repository's own sources, with those that a fix rewrites as it leaves them: what
/// no test loads can still import what is gone.
[[nodiscard]] Result<Done, Problem> add_own_faults(gate::Loading& loading,
                                                   const std::vector<gate::Moved>& moved,
                                                   const npm::Graph& before,
                                                   const npm::Graph& after, std::size_t lock,
                                                   const propose::Situation& situation,
                                                   const job::EditedFiles& rewritten);

}  // namespace cg::proving
