// Interrupted: what a remediation that was killed left, so that the next goes on there.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "flow/history/workflows.h"
#include "model/budget/budget.h"
#include "prove/gate/attempts.h"

namespace cg::history {

struct Interrupted {
  /// By propose::Group::id: what was tried and could not be brought to an end.
  std::map<std::string, std::vector<gate::AttemptSummary>> attempts;
  std::string workflow;             // its id; empty: there is none
  std::vector<budget::Call> calls;  // that somebody is to be paid for
  unsigned violations = 0;
};

/// The last remediation of this repository and base, if it asked for the same and never
/// ended, or was ended by a signal. `own` is the workflow that asks.
[[nodiscard]] Result<Interrupted, Problem> interrupted(const workspace::Access& access,
                                                       const std::string& own,
                                                       const record::RemediationStarted& about);

/// A list in one field of an event, and back.
[[nodiscard]] std::string joined(const std::vector<std::string>& words);
[[nodiscard]] std::vector<std::string> parted(std::string_view text);

}  // namespace cg::history
