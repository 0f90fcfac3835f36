// Reach: what the importers need, and what for.
#pragma once

#include "npm/npm/graph.h"

namespace cg::npm {

/// Sets dev, optional, dev_optional and extraneous of every node that is no importer, as
/// npm understands them: dev is what is needed only over a development dependency of an
/// importer, optional what is needed only over an optional one, dev_optional what is
/// needed over either but not over both alone. Without importers nothing is set.
void mark_reach(GraphBuilder& builder);

}  // namespace cg::npm
