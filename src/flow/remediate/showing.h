// Showing: what a model would be asked about what recipes leave, made as if it were to be sent.
#pragma once

#include "flow/history/interrupted.h"
#include "flow/remediate/workshop.h"

namespace cg::remediate {

/// Each group that a model would be asked about as Remediation::shown, and the exit code. The
/// version alone is tried first, as before any question, unless that is left out. `left` is what an
/// interrupted run would go on from. Nobody is asked, nothing is spent and no branch is made.
[[nodiscard]] Result<Done, Problem> show_questions(const Given& given,
                                                   propose::Situation& situation,
                                                   const std::vector<propose::LockPlan>& plans,
                                                   history::Interrupted& left);

/// How much a model could be asked, and what that could cost, for Remediation::asking. That no
/// model is set up is a warning.
void forecast_asking(const Given& given, propose::Situation& situation,
                     const std::vector<propose::LockPlan>& plans);

}  // namespace cg::remediate
