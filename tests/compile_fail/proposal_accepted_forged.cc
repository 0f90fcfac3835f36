// must fail: is private
// What a model wants is carried out only if judge() compared it with what is known.
#include "model/proposal/judge.h"

cg::Result<cg::proposal::Accepted, cg::proposal::Rejection> made(
    const cg::proposal::Refuse& refusal, const cg::proposal::Known& known) {
#ifdef MUST_FAIL
  static_cast<void>(known);
  return cg::proposal::Accepted(cg::proposal::Declined{refusal.reason});
#else
  return cg::proposal::judge(refusal, known);
#endif
}
