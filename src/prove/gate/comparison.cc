#include "prove/gate/comparison.h"

#include <algorithm>

namespace cg::gate {

LockSide lock_side(const npm::Graph& lock) {
  LockSide out;
  out.lint = lockfile::lint(lock);
  for (const npm::Node& node : lock.nodes()) {
    if (npm::is_importer(node.source)) continue;
    out.entries.push_back({std::string(node.location), std::string(node.name),
                           std::string(node.version), std::string(node.resolved),
                           std::string(node.integrity), node.source, node.flags.bundled});
  }
  std::stable_sort(out.entries.begin(), out.entries.end(),
                   [](const LockEntry& a, const LockEntry& b) { return a.location < b.location; });
  return out;
}

}  // namespace cg::gate
