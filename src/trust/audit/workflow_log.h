// WorkflowLog: the stream of one workflow, written by the process that runs it.
#pragma once

#include <string>

#include "base/base/result.h"
#include "base/domain/error.h"
#include "base/domain/ids.h"
#include "trust/audit/log.h"

namespace cg::audit {

class WorkflowLog {
 public:
  /// Announces the workflow in the spanning stream and opens its own.
  [[nodiscard]] static Result<WorkflowLog, Problem> start(Log& log, const std::string& task,
                                                          os::Clock& clock, os::Random& random);

  [[nodiscard]] Result<Done, Problem> append(const record::Events& events);

  /// Seals the stream and records its count and head in the spanning stream,
  /// together with `outcome`. The workflow is over.
  [[nodiscard]] Result<Done, Problem> end(Log& log, const std::string& outcome) &&;

  [[nodiscard]] const WorkflowId& id() const { return id_; }

 private:
  WorkflowLog(WorkflowId id, os::Dir dir, StreamFile file, Guard guard, std::string guard_name,
              os::Clock& clock)
      : id_(std::move(id)),
        dir_(std::move(dir)),
        file_(std::move(file)),
        guard_(std::move(guard)),
        guard_name_(std::move(guard_name)),
        clock_(&clock) {}

  WorkflowId id_;
  os::Dir dir_;
  StreamFile file_;
  Guard guard_;
  std::string guard_name_;
  os::Clock* clock_;
};

}  // namespace cg::audit
