// must fail: 'cg::gate::Passed::Passed\(std::vector<cg::gate::Signal>, cg::gate::Isolated\)' is
// private
//
// That a fix passed its gates is said by judge() alone.
#include <utility>
#include <variant>
#include <vector>

#include "prove/gate/verdict.h"

cg::gate::Verdict forge(const cg::gate::Trial& base, const cg::gate::Trial& fix,
                        const cg::gate::Comparison& comparison, cg::gate::Isolated isolated) {
#ifdef MUST_FAIL
  static_cast<void>(base);
  static_cast<void>(fix);
  static_cast<void>(comparison);
  return cg::gate::Passed(std::vector<cg::gate::Signal>(), isolated);
#else
  static_cast<void>(isolated);
  return cg::gate::judge(base, fix, comparison);
#endif
}
