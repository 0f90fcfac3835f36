// must fail: is private
// A patch alone is no SafeDiff: nobody has looked at what it changes.
#include "proposal/safe_diff.h"

cg::Result<cg::proposal::SafeDiff, cg::proposal::DiffFault> made(cg::codec::Patch patch) {
#ifdef MUST_FAIL
  return cg::proposal::SafeDiff(std::move(patch), "");
#else
  return cg::proposal::SafeDiff::parse(cg::codec::write_diff(patch), {});
#endif
}
