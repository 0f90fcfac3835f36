// The case of a run: what its plans, scans and lookups come to, and then its gates.
#pragma once

#include <vector>

#include "fix/report/case.h"
#include "flow/remediate/apply.h"
#include "flow/remediate/fixing.h"

namespace cg::remediate {

/// Everything but what proving and writing add: gates, commits, evidence and the end.
void fill_case(report::Case& c, const job::Request& request, propose::Situation& situation,
               const std::vector<propose::LockPlan>& plans, const Applied& applied);

/// Of it, what all plans together change: packages that move, files, findings. `replaced` has
/// those files that planning does not read, as they are at the base.
void fill_changes(report::Case& c, propose::Situation& situation,
                  const std::vector<propose::LockPlan>& plans, const Applied& applied,
                  const job::EditedFiles& replaced);

/// `c` with these plans alone, and one branch that holds all of them.
[[nodiscard]] report::Case case_of_group(const report::Case& c,
                                         const std::vector<propose::LockPlan>& plans,
                                         const std::string& prefix);

/// Puts in place of what was planned what came of it, and judges anew.
void settle_case(report::Case& c, const std::vector<SettledGroup>& groups);

/// How it ends, from its copies: outcome, exit code, tier.
void judge_case(report::Case& c, job::Extent extent);

}  // namespace cg::remediate
