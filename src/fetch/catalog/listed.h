// Listed: releases that no lock installs and that npm asks about all the same.
//
// A peer dependency that the lock does not satisfy makes `npm ci` look at what would: it finds a
// conflict, warns and keeps what the lock has. A registry that does not know of such a release
// makes it look for another way, which ends in "not in sync". So a shelf lists it; there is no
// tarball of it.
#pragma once

#include <cstddef>
#include <vector>

#include "fetch/catalog/catalog.h"
#include "npm/npm/graph.h"
#include "npm/registry/release.h"

namespace cg::catalog {

inline constexpr std::size_t kMostListedNames = 64;
inline constexpr std::size_t kMostListedOfOne = 20;

/// Those of locks of npm's, with what the highest of each asks for as peers. By name, ascending.
/// Asks `catalog` for packuments; what cannot be had is left out.
[[nodiscard]] std::vector<registry::Release> find_listed(
    Catalog& catalog, const std::vector<const npm::Graph*>& graphs);

}  // namespace cg::catalog
