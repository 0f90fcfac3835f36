// must fail: 'cg::plugin::FsReadWrite::FsReadWrite\(std::string\)' is private
//
// A right to write files comes from the mint alone, which tells the log.
#include <string>

#include "fix/plugin/capability.h"

cg::Result<cg::plugin::FsReadWrite, cg::plugin::MintError> forge(const cg::plugin::Mint& mint,
                                                                 const std::string& root,
                                                                 cg::record::Events& events) {
#ifdef MUST_FAIL
  static_cast<void>(mint);
  static_cast<void>(events);
  return cg::plugin::FsReadWrite(root);
#else
  return mint.fs_read_write(root, events);
#endif
}
