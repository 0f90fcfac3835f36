#include "flow/workspace/recording.h"

#include <utility>

#include "base/base/text.h"

namespace cg::workspace {

Result<Recording, Problem> Recording::start(const Access& access, const std::string& task) {
  auto clock = std::make_unique<os::SystemClock>();
  CG_TRY_ASSIGN(audit::Log log, open_log(access, *clock));
  os::SystemRandom random;
  CG_TRY_ASSIGN(audit::WorkflowLog stream, audit::WorkflowLog::start(log, task, *clock, random));
  return Recording(std::move(clock), std::move(log), std::move(stream));
}

Result<Done, Problem> Recording::write() {
  if (events_.empty()) return Done{};
  const record::Events now = std::exchange(events_, {});
  return stream_.append(now);
}

Result<Done, Problem> Recording::end(const std::string& outcome) {
  CG_TRY(write());
  CG_TRY(std::move(stream_).end(log_, outcome));
  CG_TRY(log_.checkpoint());
  return Done{};
}

void Recording::give_up(const Problem& problem) {
  events_.emplace_back(record::RemediationRefused{static_cast<std::uint64_t>(problem.exit()),
                                                  cut(problem.what, 500)});
  static_cast<void>(end("refused"));
}

}  // namespace cg::workspace
