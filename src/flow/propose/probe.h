// Probe: one harmless question to the model that policy names, by the way of every other: fenced,
// paid for from a budget, told in the log. It is about nothing that is anybody's.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "fix/plugin/skill.h"
#include "flow/workspace/recording.h"
#include "model/budget/budget.h"
#include "model/leaf/conversation.h"
#include "model/tiers/calls.h"

namespace cg::propose {

struct Probed {
  std::string model;
  leaf::Settings settings;
  /// The call as it was settled; nothing if it was not made, for `unaffordable`.
  std::optional<budget::Call> paid;
  std::string unaffordable;
  std::optional<tiers::Called> called;
  std::chrono::milliseconds took{0};
  std::vector<std::string> warnings;
};

/// Hears, before anything is sent, what the call may cost at most.
using Foretold = std::function<void(const budget::Call& reserved)>;

/// A Problem if policy names no model or no price. `skill`: see kSkill.
[[nodiscard]] Result<Probed, Problem> probe_model(const workspace::Access& access,
                                                  const workspace::Policy& policy,
                                                  const plugin::Skill& skill,
                                                  workspace::Recording& recording,
                                                  const Foretold& foretold);

}  // namespace cg::propose
