// must fail: cannot convert .*'cg::budget::Token'.* to 'cg::budget::Receipt&&'
//
// What a call cost is settled with its receipt; a token that can still be used is none.
#include <utility>

#include "model/budget/budget.h"

void settle(cg::budget::Ledger& ledger, cg::budget::Token token) {
#ifdef MUST_FAIL
  ledger.reconcile(std::move(token), {});
#else
  ledger.reconcile(cg::budget::Receipt(std::move(token)), {});
#endif
}
