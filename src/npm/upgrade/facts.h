// Facts: what the manifests of two versions say differently, in words.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "npm/upgrade/listing.h"

namespace cg::upgrade {

/// Before what others may import, at the end of a line.
inline constexpr std::string_view kOpenPaths = "; exported paths are: ";

/// One line each: "main: lib/a.js -> dist/a.js". The most important first.
[[nodiscard]] std::vector<std::string> facts_of(const Lister& before, const Lister& after);
/// What an import of one path gives, where that is not what it gave: "uuid/v4 cannot be imported".
[[nodiscard]] std::vector<std::string> facts_of_path(const Used::Path& path, Lister& before,
                                                     const Listing& old, Lister& after,
                                                     const Listing& now);

}  // namespace cg::upgrade
