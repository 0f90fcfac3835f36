// must fail: 'cg::gate::Isolated::Isolated\(cg::sandbox::Isolation\)' is private
//
// An isolation that was not in force in both trials cannot be claimed, so none never passes
// and emulation is never called more.
#include <optional>

#include "prove/gate/verdict.h"

std::optional<cg::gate::Isolated> claim(const cg::sandbox::InForce& base,
                                        const cg::sandbox::InForce& fix) {
#ifdef MUST_FAIL
  static_cast<void>(base);
  static_cast<void>(fix);
  return cg::gate::Isolated(cg::sandbox::Isolation::none);
#else
  return cg::gate::Isolated::of(base, fix);
#endif
}
