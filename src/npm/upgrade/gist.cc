#include "npm/upgrade/gist.h"

#include <set>

namespace cg::upgrade {

Gist gist_of(const Difference& difference) {
  bool gone = false;
  bool signature = false;
  bool options = false;
  std::set<std::string> changed;
  for (const Change& change : difference.changes) {
    const bool differs = change.turn == Turn::removed || change.turn == Turn::changed;
    const bool used = change.use == Use::named || change.use == Use::likely;
    if (!differs || !used) continue;
    changed.insert(change.path.empty() ? change.name : change.path + ": " + change.name);
    gone = gone || (change.use == Use::named && change.turn == Turn::removed);
    signature = signature || change.use == Use::named;
    options = options || change.use == Use::likely;
  }
  Gist out;
  out.changed = {changed.begin(), changed.end()};
  if (difference.shut.contains(exports::Why::esm_only)) {
    out.breaks = Break::esm_only;
  } else if (!difference.shut.empty()) {
    out.breaks = Break::path_gone;
  } else if (gone) {
    out.breaks = Break::name_gone;
  } else if (signature) {
    out.breaks = Break::signature;
  } else if (options) {
    out.breaks = Break::options;
  }
  return out;
}

}  // namespace cg::upgrade
