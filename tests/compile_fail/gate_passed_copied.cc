// must fail: use of deleted function 'cg::gate::Passed::Passed\(const cg::gate::Passed&\)'
//
// One pass is one pass: who hands it on no longer has it.
#include <utility>

#include "prove/gate/verdict.h"

void consume(cg::gate::Passed passed);

void hand_on(cg::gate::Passed passed) {
#ifdef MUST_FAIL
  consume(passed);
#else
  consume(std::move(passed));
#endif
}
