// must fail: 'cg::plugin::GitUnprovenOps::GitUnprovenOps\(cg::plugin::GitScope\)' is private
//
// The right to branches that nobody has proven comes from the mint alone, which tells the log.
#include <utility>

#include "fix/plugin/capability.h"

cg::Result<cg::plugin::GitUnprovenOps, cg::plugin::MintError> forge(const cg::plugin::Mint& mint,
                                                                    cg::plugin::GitScope scope,
                                                                    cg::record::Events& events) {
#ifdef MUST_FAIL
  static_cast<void>(mint);
  static_cast<void>(events);
  return cg::plugin::GitUnprovenOps(std::move(scope));
#else
  return mint.git_unproven_ops(std::move(scope), events);
#endif
}
