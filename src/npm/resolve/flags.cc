#include "npm/resolve/place.h"
#include "npm/resolve/reach.h"

namespace cg::resolve {

namespace {

bool is_dev(const Need& need) { return need.kind == npm::EdgeKind::dev; }
bool is_optional(const Need& need) { return npm::is_optional(need.kind); }

}  // namespace

std::vector<npm::Flags> flags_of(const Tree& tree) {
  const auto all = reach(tree, [](const Need&) { return true; });
  const auto needed = reach(tree, [](const Need& n) { return !is_dev(n) && !is_optional(n); });
  const auto without_dev = reach(tree, [](const Need& n) { return !is_dev(n); });
  const auto without_optional = reach(tree, [](const Need& n) { return !is_optional(n); });
  const auto without_peer = reach(tree, [](const Need& n) { return !npm::is_peer(n.kind); });
  std::vector<npm::Flags> out(tree.size());
  for (CopyId id = 0; id < tree.size(); ++id) {
    npm::Flags& flags = out[id];
    if (tree.copy(id).is_importer()) continue;
    flags.extraneous = !all[id];
    flags.dev = all[id] && !without_dev[id];
    flags.optional = all[id] && !without_optional[id];
    flags.dev_optional = without_dev[id] && without_optional[id] && !needed[id];
    flags.peer = all[id] && !without_peer[id];
  }
  return out;
}

}  // namespace cg::resolve
