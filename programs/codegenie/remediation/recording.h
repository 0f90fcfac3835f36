// Recording: the stream of one remediation in the audit log.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "access.h"
#include "base/base/text.h"
#include "trust/audit/workflow_log.h"
#include "trust/record/event.h"

namespace cg::program {

/// Fields of events are short: the beginning of a text says enough.
[[nodiscard]] inline std::string cut(std::string_view text, std::size_t most) {
  return std::string(cut_utf8(text, most));
}

/// The workflow's stream, and what has not been written to it yet.
class Recording {
 public:
  [[nodiscard]] static Result<Recording, Problem> start(const Access& access) {
    auto clock = std::make_unique<os::SystemClock>();
    CG_TRY_ASSIGN(audit::Log log, open_log(access, *clock));
    os::SystemRandom random;
    CG_TRY_ASSIGN(audit::WorkflowLog stream,
                  audit::WorkflowLog::start(log, "remediate", *clock, random));
    return Recording(std::move(clock), std::move(log), std::move(stream));
  }

  [[nodiscard]] std::string id() const { return stream_.id().str(); }
  record::Events& events() { return events_; }
  Result<Done, Problem> write() {
    if (events_.empty()) return Done{};
    const record::Events now = std::exchange(events_, {});
    return stream_.append(now);
  }
  Result<Done, Problem> end(const std::string& outcome) {
    CG_TRY(write());
    CG_TRY(std::move(stream_).end(log_, outcome));
    CG_TRY(log_.checkpoint());
    return Done{};
  }
  /// Nobody hears of a failure to record a failure but through the log itself.
  void give_up(const Problem& problem) {
    events_.emplace_back(record::RemediationRefused{static_cast<std::uint64_t>(problem.exit()),
                                                    cut(problem.what, 500)});
    static_cast<void>(end("refused"));
  }

 private:
  Recording(std::unique_ptr<os::SystemClock> clock, audit::Log log, audit::WorkflowLog stream)
      : clock_(std::move(clock)), log_(std::move(log)), stream_(std::move(stream)) {}

  std::unique_ptr<os::SystemClock> clock_;
  audit::Log log_;
  audit::WorkflowLog stream_;
  record::Events events_;
};

}  // namespace cg::program
