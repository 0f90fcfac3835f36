// What the importers of a tree reach, for those who prune and flag. Private to this module.
#pragma once

#include <vector>

#include "npm/resolve/tree.h"

namespace cg::resolve {

/// By copy: whether an importer gets it over needs that `follows` accepts. Links lead to
/// what they stand for.
template <class Follows>
std::vector<bool> reach(const Tree& tree, const Follows& follows) {
  std::vector<bool> seen(tree.size(), false);
  std::vector<CopyId> open;
  const auto take = [&](CopyId id) {
    if (id == kNone || seen[id]) return;
    seen[id] = true;
    open.push_back(id);
  };
  for (CopyId id = 0; id < tree.size(); ++id) {
    if (tree.copy(id).is_importer()) take(id);
  }
  while (!open.empty()) {
    const CopyId from = open.back();
    open.pop_back();
    take(tree.copy(from).target);
    for (const Need& need : *tree.copy(from).needs) {
      if (follows(need)) take(tree.resolve(from, need));
    }
  }
  return seen;
}

}  // namespace cg::resolve
