// must fail: 'cg::plugin::NpmInstall::NpmInstall\(std::string\)' is private
//
// A right to ask a registry comes from the mint alone, which tells the log.
#include <string>

#include "fix/plugin/capability.h"

cg::Result<cg::plugin::NpmInstall, cg::plugin::MintError> forge(const cg::plugin::Mint& mint,
                                                                const std::string& registry,
                                                                cg::record::Events& events) {
#ifdef MUST_FAIL
  static_cast<void>(mint);
  static_cast<void>(events);
  return cg::plugin::NpmInstall(registry);
#else
  return mint.npm_install(registry, events);
#endif
}
