// Upgrade: what the next version of a package means for who uses it, from the files of both.
//
// For who must rewrite call sites and does not know the package: which names are gone, what there
// is in their place, how that is declared now, and what the manifest says differently. Names are
// those that exports (npm/exports) finds; each is looked for where it is declared, in .d.ts files
// of the package or of @types, else in its JavaScript; where neither says enough, the lines that
// changed in the files that define them do. Nothing is run, so what is made up while
// running is not seen; where it could be, that is said.
//
// The text is made of what others wrote: one line each, UTF-8, bounded; for a reader that takes
// it for data (model/prompt).
#pragma once

#include <cstddef>
#include <string>

#include "base/base/result.h"
#include "npm/upgrade/difference.h"
#include "npm/upgrade/listing.h"
#include "npm/upgrade/used.h"

namespace cg::upgrade {

/// What is the same is listed only if it is used.
[[nodiscard]] Result<Difference, exports::Error> compare(const Side& before, const Side& after,
                                                         const Used& used,
                                                         const exports::Limits& limits = {});

inline constexpr std::size_t kMaxText = 20'480;

/// At most `cap` bytes, the most important first; what does not fit is counted.
[[nodiscard]] std::string describe(const Difference& difference, std::size_t cap = kMaxText);

}  // namespace cg::upgrade
