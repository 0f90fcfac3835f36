#include "trust/audit/workflow_log.h"

#include <fcntl.h>

#include "trust/audit/layout.h"
#include "trust/audit/problems.h"
#include "trust/record/frame.h"

namespace cg::audit {

Result<WorkflowLog, Problem> WorkflowLog::start(Log& log, const std::string& task, os::Clock& clock,
                                                os::Random& random) {
  WorkflowId id = WorkflowId::make(clock.now(), random.bytes<10>());
  CG_TRY(log.append({record::WorkflowStarted{task, id.str()}}));
  auto dir = log.events_dir().open_dir(kWorkflowDir);
  if (!dir) return fail(writing(dir.error()));
  const std::string name = workflow_file(id.str());
  auto fd = dir->open_file(name, O_RDWR | O_CREAT | O_EXCL);
  if (!fd) return fail(writing(fd.error()));
  const auto synced = dir->sync();
  if (!synced) return fail(writing(synced.error()));
  std::string guard_name = log.id() + "." + id.str();
  CG_TRY_ASSIGN(Guard guard, Guard::open(log.place().guard_dir, guard_name));
  StreamFile file(*std::move(fd), dir->path_of(name), log.id(), id.str());
  return WorkflowLog(std::move(id), *std::move(dir), std::move(file), std::move(guard),
                     std::move(guard_name), clock);
}

Result<Done, Problem> WorkflowLog::append(const record::Events& events) {
  // What could not be sealed at the end is refused while it can still be said.
  if (file_.end() + kMaxGroup > record::kMaxSegmentContent) {
    return fail(writing({os::Error::Kind::too_big, file_.path(), 0}));
  }
  CG_TRY(file_.append(events, clock_->now(), [](const Written&) {}));
  const Standing& standing = file_.standing();
  return guard_.note({guard_name_, standing.entries, standing.head, 0});
}

Result<Done, Problem> WorkflowLog::end(Log& log, const std::string& outcome) && {
  const Standing standing = file_.standing();
  if (standing.entries > 0) {
    CG_TRY_ASSIGN(const std::string content, file_.content());
    const record::SegmentHeader header{0, standing.entries, record::kGenesis, standing.head};
    const auto sealed =
        dir_.write_atomic(workflow_file(id_.str()), record::seal_segment(header, content));
    if (!sealed) return fail(writing(sealed.error()));
  }
  CG_TRY(log.append({record::WorkflowEnded{standing.entries, standing.head, outcome, id_.str()}}));
  return guard_.remove();
}

}  // namespace cg::audit
