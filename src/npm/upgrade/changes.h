// Changes: names that two versions have under one path, compared one by one.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "npm/upgrade/difference.h"
#include "npm/upgrade/listing.h"

namespace cg::upgrade {

using Words = std::set<std::string, std::less<>>;

/// The nearest use first; what is the same only where it is used. `package` is its name.
[[nodiscard]] std::vector<Change> changes_between(const Used::Path& path, const Listing& old,
                                                  const Listing& now, const Used& used,
                                                  std::string_view package);
/// For what is gone, what the new version has in its place. `reached` are the types that what is
/// used leads to.
void add_nearest(std::vector<Change>& changes, const Listing& old, const Listing& now,
                 const Used& used, const Words& reached, std::string_view package);
/// The types that the new declarations of those speak of.
[[nodiscard]] std::vector<Type> types_behind(const std::vector<Change>& changes, const Listing& old,
                                             const Listing& now, const Used& used);

}  // namespace cg::upgrade
