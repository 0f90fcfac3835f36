// How a remediation ends: what is told of all branches together, handoff, evidence, refusal.
#pragma once

#include <string>
#include <vector>

#include "flow/job/request.h"
#include "flow/remediate/branches.h"
#include "flow/remediate/remediation.h"
#include "flow/workspace/recording.h"
#include "prove/evidence/bundle.h"

namespace cg::remediate {

/// Adds what was not settled when the run was ended, as nobody's fault.
void add_untried(const std::vector<propose::Group>& all, std::vector<SettledGroup>& settled);

/// All that passed as one plan.
struct Together {
  std::vector<propose::LockPlan> plans;
  job::EditedFiles rewritten;
  Authors authors;  // of those
};
[[nodiscard]] Together together(propose::Situation& situation,
                                const std::vector<SettledGroup>& groups);

/// Why a model was not asked to the end decides how the run ends, unless all is fixed. That it
/// refused is recorded here: the run went on, and only now it is known that nothing was fixed.
void heed_stops(Remediation& out, record::Events& events);

/// A refusal is an outcome: it is recorded and told like any other.
[[nodiscard]] Result<Done, Problem> end_refused(const job::Request& request,
                                                const workspace::Access& access,
                                                const propose::Base& base,
                                                workspace::Recording& recording, Remediation& out);

/// It could not go on. What needs a person is handed on, and the problem says where.
[[nodiscard]] Problem end_failed(const job::Request& request, const workspace::Access& access,
                                 Problem problem, workspace::Recording& recording,
                                 Remediation& out);

/// Handoff for people, evidence for those branches that were written (`commits`), the end of
/// the workflow.
[[nodiscard]] Result<Done, Problem> end(const job::Request& request,
                                        const workspace::Access& access,
                                        const propose::Situation& situation,
                                        const scan::Scanned& after,
                                        std::vector<evidence::Commit> commits,
                                        workspace::Recording& recording, Remediation& out);

}  // namespace cg::remediate
