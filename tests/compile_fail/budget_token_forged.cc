// must fail: 'cg::budget::Token::Token\(uint64_t, uint64_t\)' is private
//
// The right to a call is minted by the ledger, which sets aside what it may cost.
#include "model/budget/budget.h"

cg::Result<cg::budget::Token, cg::budget::Refusal> mint(cg::budget::Ledger& ledger) {
#ifdef MUST_FAIL
  static_cast<void>(ledger);
  return cg::budget::Token(1, 4096);
#else
  return ledger.precharge(1000, 4096);
#endif
}
