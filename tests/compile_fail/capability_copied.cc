// must fail: use of deleted function 'cg::plugin::GitLocalOps::GitLocalOps\(const
//
// Who hands a right on has it no longer.
#include <utility>

#include "fix/plugin/capability.h"

cg::plugin::GitLocalOps hand_on(cg::plugin::GitLocalOps& right) {
#ifdef MUST_FAIL
  return right;
#else
  return std::move(right);
#endif
}
