// Recording: the stream of one workflow in the audit log.
#pragma once

#include <memory>
#include <string>

#include "flow/workspace/access.h"
#include "trust/audit/workflow_log.h"
#include "trust/record/event.h"

namespace cg::workspace {

/// The workflow's stream, and what has not been written to it yet.
class Recording {
 public:
  [[nodiscard]] static Result<Recording, Problem> start(const Access& access,
                                                        const std::string& task);

  [[nodiscard]] std::string id() const { return stream_.id().str(); }
  record::Events& events() { return events_; }
  Result<Done, Problem> write();
  Result<Done, Problem> end(const std::string& outcome);
  /// Ends it with the event of a refusal. Nobody hears of a failure to record a failure but
  /// through the log itself.
  void give_up(const Problem& problem);

 private:
  Recording(std::unique_ptr<os::SystemClock> clock, audit::Log log, audit::WorkflowLog stream)
      : clock_(std::move(clock)), log_(std::move(log)), stream_(std::move(stream)) {}

  std::unique_ptr<os::SystemClock> clock_;
  audit::Log log_;
  audit::WorkflowLog stream_;
  record::Events events_;
};

}  // namespace cg::workspace
