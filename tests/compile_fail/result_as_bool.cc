// must fail: cannot convert 'cg::Result<bool, int>' to 'bool'
//
// Reading a Result<bool> as bool would mean "there was no error", which is
// easily taken for the answer.
#include "base/base/result.h"

cg::Result<bool, int> is_known();

bool answer() {
#ifdef MUST_FAIL
  return is_known();
#else
  return is_known().has_value();
#endif
}
