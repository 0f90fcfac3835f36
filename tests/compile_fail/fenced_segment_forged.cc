// must fail: 'cg::prompt::FencedSegment::FencedSegment\(.*\)' is private
//
// A segment that was not scanned, redacted and cut is none.
#include "model/prompt/fence.h"

cg::prompt::FencedSegment forge(const std::string& text, const cg::prompt::Nonce& nonce) {
#ifdef MUST_FAIL
  static_cast<void>(nonce);
  return cg::prompt::FencedSegment(text, text.size(), cg::SourceKind::repo_readme);
#else
  return cg::prompt::fence(text, cg::SourceKind::repo_readme, nonce).segment;
#endif
}
