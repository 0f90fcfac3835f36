// must fail: is private
// A patch alone is no SafeDiff: nobody has looked at what it changes.
#include "model/proposal/safe_diff.h"

cg::Result<cg::proposal::SafeDiff, cg::proposal::DiffRefusal> made(cg::json::Patch patch) {
#ifdef MUST_FAIL
  return cg::proposal::SafeDiff(std::move(patch), "");
#else
  return cg::proposal::SafeDiff::parse(cg::json::write_diff(patch), {});
#endif
}
