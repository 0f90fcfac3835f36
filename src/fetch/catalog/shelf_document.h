// What a shelf says of a package: an abbreviated packument with the versions it has.
#pragma once

#include <string>
#include <vector>

#include "fetch/catalog/tarball.h"

namespace cg::catalog {

/// `versions` are of one name; `registry` is the URL of the shelf. One line of JSON. The
/// `latest` is the highest. Of a version that two locks mean by different bytes, the first.
[[nodiscard]] std::string shelf_document(const std::vector<const Held*>& versions,
                                         const std::string& registry);

}  // namespace cg::catalog
