// must fail: has no member named 'push'
//
// A branch is taken further by a person; the right to write one cannot push it.
#include "fix/plugin/capability.h"

void go(const cg::plugin::GitLocalOps& right, cg::record::Events& events) {
#ifdef MUST_FAIL
  right.push("publish the branch", events);
#else
  static_cast<void>(right.use("write the branch", events));
#endif
}
