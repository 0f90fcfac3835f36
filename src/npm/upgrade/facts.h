// Facts: what the manifests of two versions say differently, in words.
#pragma once

#include <string>
#include <vector>

#include "npm/upgrade/listing.h"

namespace cg::upgrade {

/// One line each: "main: lib/a.js -> dist/a.js". The most important first.
[[nodiscard]] std::vector<std::string> facts_of(const Lister& before, const Lister& after);
/// What an import of one path gives, where that is not what it gave: "uuid/v4 cannot be imported".
[[nodiscard]] std::vector<std::string> facts_of_path(const Used::Path& path, const Lister& before,
                                                     const Listing& old, const Lister& after,
                                                     const Listing& now);

}  // namespace cg::upgrade
