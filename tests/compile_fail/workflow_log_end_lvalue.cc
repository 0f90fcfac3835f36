// must fail: 'cg::audit::WorkflowLog' as 'this' argument discards qualifiers
//
// end() takes the stream away. std::move() is where a reader, and the linter, see
// that nothing may be appended afterwards.
#include <utility>

#include "trust/audit/workflow_log.h"

cg::Result<cg::Done, cg::Problem> finish(cg::audit::WorkflowLog& workflow, cg::audit::Log& log) {
#ifdef MUST_FAIL
  return workflow.end(log, "done");
#else
  return std::move(workflow).end(log, "done");
#endif
}
