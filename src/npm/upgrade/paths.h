// Paths: where a file of the package went that our sources import by its path.
#pragma once

#include <string>
#include <vector>

#include "npm/upgrade/listing.h"

namespace cg::upgrade {

/// Of a path that is gone: the files that named it, as they say it before and after, and files
/// that are called like it. `file` is what it led to.
[[nodiscard]] std::vector<std::string> in_place_of(const std::string& file, Lister& before,
                                                   Lister& after);

/// What came and went in a folder, by names without their endings; nothing if it has few files.
/// Names that are used come first.
[[nodiscard]] std::vector<std::string> files_between(const std::string& folder,
                                                     const Lister& before, const Lister& after,
                                                     const Used& used);

/// "styles" of "styles/dark.css"; empty at the top.
[[nodiscard]] std::string folder_of(const std::string& file);

}  // namespace cg::upgrade
