#include "resolve/place.h"

namespace cg::resolve {

namespace {

using npm::EdgeKind;

bool is_dev(const Need& need) { return need.kind == EdgeKind::dev; }
bool is_optional(const Need& need) {
  return need.kind == EdgeKind::optional || need.kind == EdgeKind::peer_optional;
}
bool is_peer(const Need& need) {
  return need.kind == EdgeKind::peer || need.kind == EdgeKind::peer_optional;
}

/// What importers reach over the needs that `follows` accepts.
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

}  // namespace

std::vector<npm::Flags> flags_of(const Tree& tree) {
  const auto all = reach(tree, [](const Need&) { return true; });
  const auto needed = reach(tree, [](const Need& n) { return !is_dev(n) && !is_optional(n); });
  const auto without_dev = reach(tree, [](const Need& n) { return !is_dev(n); });
  const auto without_optional = reach(tree, [](const Need& n) { return !is_optional(n); });
  const auto without_peer = reach(tree, [](const Need& n) { return !is_peer(n); });
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
