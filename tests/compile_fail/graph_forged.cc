// must fail: is private
// A graph comes out of GraphBuilder::finish(), with its edges indexed, or not at all.
#include "npm/npm/graph.h"

cg::npm::Graph made() {
#ifdef MUST_FAIL
  return cg::npm::Graph();
#else
  return cg::npm::GraphBuilder(cg::npm::LockKind::pnpm, "").finish();
#endif
}
