// Needs: what of a file is to be shown beside functions, so that they can be understood.
#pragma once

#include <vector>

#include "model/callsite/homes.h"
#include "npm/syntax/scopes.h"
#include "npm/syntax/syntax.h"

namespace cg::callsite {

inline constexpr std::size_t kMaxNeeds = 12;        // definitions of one file
inline constexpr std::size_t kMaxNeedBytes = 2048;  // of one; a longer one is left out
inline constexpr std::size_t kMaxNeedDepth = 3;     // of what those need in turn

/// Definitions that the names in `of` mean, and those that these need in turn, the nearest first;
/// none that reaches into `shown`, which is there anyway.
[[nodiscard]] std::vector<Range> needs_of(const syntax::Syntax& syntax,
                                          const syntax::Scopes& scopes, const Homes& homes,
                                          const std::vector<Range>& shown,
                                          const std::vector<Range>& of);

}  // namespace cg::callsite
