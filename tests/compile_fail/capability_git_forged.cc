// must fail: 'cg::plugin::GitLocalOps::GitLocalOps\(cg::plugin::GitScope\)' is private
//
// A right to write branches comes from the mint alone, which tells the log.
#include <utility>

#include "fix/plugin/capability.h"

cg::Result<cg::plugin::GitLocalOps, cg::plugin::MintError> forge(const cg::plugin::Mint& mint,
                                                                 cg::plugin::GitScope scope,
                                                                 cg::record::Events& events) {
#ifdef MUST_FAIL
  static_cast<void>(mint);
  static_cast<void>(events);
  return cg::plugin::GitLocalOps(std::move(scope));
#else
  return mint.git_local_ops(std::move(scope), events);
#endif
}
