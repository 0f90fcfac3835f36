// must fail: ignoring returned value of type 'cg::Result
#include "base/base/result.h"

cg::Result<cg::Done, int> save();

void run() {
#ifdef MUST_FAIL
  save();
#else
  if (!save()) return;
#endif
}
