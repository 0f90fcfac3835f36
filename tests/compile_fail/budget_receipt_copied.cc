// must fail: use of deleted function 'cg::budget::Receipt::Receipt\(const cg::budget::Receipt&\)'
//
// A call is settled once.
#include <utility>

#include "model/budget/budget.h"

void settle(cg::budget::Receipt receipt);

void hand_on(cg::budget::Receipt receipt) {
#ifdef MUST_FAIL
  settle(receipt);
#else
  settle(std::move(receipt));
#endif
}
