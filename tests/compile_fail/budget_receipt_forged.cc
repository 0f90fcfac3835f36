// must fail: no matching function for call to 'cg::budget::Receipt::Receipt\(int\)'
//
// Only a token that was used up is a receipt.
#include <utility>

#include "model/budget/budget.h"

cg::budget::Receipt receipt(cg::budget::Token token) {
#ifdef MUST_FAIL
  static_cast<void>(token);
  return cg::budget::Receipt(1);
#else
  return cg::budget::Receipt(std::move(token));
#endif
}
