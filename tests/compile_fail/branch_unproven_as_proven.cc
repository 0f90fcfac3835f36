// must fail: no matching function for call to 'write_branch\(
//
// What nothing was shown of cannot be written where proven branches are.
#include "flow/remediate/branches.h"

cg::Result<cg::remediate::WrittenBranch, cg::Problem> write(const cg::remediate::BranchOrder& order,
                                                            const cg::remediate::Unproven& why,
                                                            const cg::plugin::GitLocalOps& right,
                                                            const cg::plugin::GitUnprovenOps& other,
                                                            cg::record::Events& events) {
#ifdef MUST_FAIL
  static_cast<void>(other);
  return cg::remediate::write_branch(order, why, right, events);
#else
  static_cast<void>(right);
  return cg::remediate::write_branch(order, why, other, events);
#endif
}
