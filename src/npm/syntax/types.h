// Types: the parts of a TypeScript file of which nothing is left when it runs.
#pragma once

#include <vector>

#include "npm/syntax/syntax.h"

namespace cg::syntax {

/// By node: it is beneath an annotation, an interface, a declaration of what is elsewhere or
/// the type of a cast, so it names and does nothing at run time.
[[nodiscard]] std::vector<bool> erased_nodes(const Syntax& syntax);

}  // namespace cg::syntax
