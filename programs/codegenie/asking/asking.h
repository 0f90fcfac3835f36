// Asking a model about what recipes cannot fix, and proving what it proposes.
#pragma once

#include <vector>

#include "asking/handed_on.h"
#include "asking/model_access.h"
#include "proving/publishing.h"

namespace cg::program {

/// What asking takes besides what trying a fix takes.
struct AskingMeans {
  const Checkout& checkout;
  vulnindex::Index& index;
  tiers::Asking& asking;
  GateDisplay& display;
  std::vector<std::string>& notes;  // for the operator, one line each
};

/// How a run ends that nobody is to be asked in any more.
[[nodiscard]] ExitCode exit_of(const tiers::GivenUp& stopped);

/// One attempt after another at one group: a question, a plan, the gates.
[[nodiscard]] Result<Attempted, Problem> ask_and_try(const Trying& trying, const AskingMeans& with,
                                                     const HandedOn& group,
                                                     std::vector<gate::AttemptSummary> history);

}  // namespace cg::program
