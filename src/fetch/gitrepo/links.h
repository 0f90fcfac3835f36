// Which symbolic links of a repository lead to somewhere in it. Pure.
//
// They are never made on the host: whoever furnishes a chamber makes them inside of it. All the
// same only those get there that could be followed anywhere without leaving the tree.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "fetch/gitrepo/types.h"

namespace cg::gitrepo {

inline constexpr std::size_t kMaxLinks = 4'000;
inline constexpr std::size_t kMaxLinkBytes = 512U << 10U;  // of all paths and targets together
inline constexpr std::size_t kMaxTarget = 1'024;

struct JudgedLinks {
  std::map<std::string, std::string> inside;  // path -> target
  std::vector<std::string> left_out;          // paths, in the order that they were given
};

/// A link is inside if its path is one of honest names, its target relative, and the way to it
/// never above the top: neither by its words alone, nor through whatever other links of the tree
/// it goes. What goes round in a circle, or is over a limit, is left out.
[[nodiscard]] JudgedLinks judge_links(const std::vector<TreeLink>& links);

}  // namespace cg::gitrepo
