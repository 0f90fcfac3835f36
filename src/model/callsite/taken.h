// Taken: what pieces of a file take from other files of the repository.
#pragma once

#include <vector>

#include "model/callsite/callsite.h"
#include "model/callsite/homes.h"
#include "npm/syntax/scopes.h"

namespace cg::callsite {

inline constexpr std::size_t kMaxTaken = 16;

/// By the names that are used in `ranges`, through import and require() of relative paths.
[[nodiscard]] std::vector<Taken> taken_by(const syntax::Syntax& syntax,
                                          const syntax::Scopes& scopes, std::vector<Range> ranges);

}  // namespace cg::callsite
