// must fail: use of deleted function 'cg::audit::Log::Log\(const cg::audit::Log&\)'
//
// Two copies would each believe that they know the end of the log.
#include <utility>

#include "trust/audit/log.h"

cg::audit::Log take(cg::audit::Log& log) {
#ifdef MUST_FAIL
  return log;
#else
  return std::move(log);
#endif
}
