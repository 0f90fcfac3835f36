// must fail: use of deleted function 'cg::budget::Token::Token\(const cg::budget::Token&\)'
//
// One right is one call.
#include <utility>

#include "model/budget/budget.h"

void invoke(cg::budget::Token token);

void call(cg::budget::Token token) {
#ifdef MUST_FAIL
  invoke(token);
#else
  invoke(std::move(token));
#endif
}
