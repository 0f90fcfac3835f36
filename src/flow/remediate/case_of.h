// The case of a run: what its plans, scans and lookups come to, and then its gates.
#pragma once

#include <vector>

#include "fix/report/case.h"
#include "flow/proving/apply.h"
#include "flow/remediate/fixing.h"

namespace cg::remediate {

/// Plan::Copy::reason of what could not be proven; the cause is in Case::unproven.
inline constexpr const char* kUnprovenReason =
    "the repository cannot be run as it is, so no fix can be compared with it";

/// Everything but what proving and writing add: gates, commits, evidence and the end.
void fill_case(report::Case& c, const job::Request& request, propose::Situation& situation,
               const std::vector<propose::LockPlan>& plans, const scan::Scanned& after,
               std::vector<report::FileChange> changes);

/// Of it, what all plans together change: packages that move, files, findings.
void fill_changes(report::Case& c, propose::Situation& situation,
                  const std::vector<propose::LockPlan>& plans, const scan::Scanned& after,
                  std::vector<report::FileChange> changes);

/// Adds what moves on branches that are kept unproven.
void add_unproven_moves(report::Case& c, propose::Situation& situation,
                        const std::vector<SettledGroup>& groups);

/// Of the packages that move, what their new versions bring, from tarballs that are at hand or can
/// be had. The error is damage of what is stored.
[[nodiscard]] Result<Done, Problem> fill_news(report::Case& c, catalog::Catalog& catalog);

/// `c` with what was attempted alone: its plans, its gates, and one branch that holds all of it.
[[nodiscard]] report::Case case_of_group(const report::Case& c, const Attempted& attempted,
                                         const job::Request& request);

/// Puts in place of what was planned what came of it, and judges anew.
void settle_case(report::Case& c, const std::vector<SettledGroup>& groups);

/// How it ends, from its copies: outcome, exit code, tier.
void judge_case(report::Case& c, job::Extent extent);

}  // namespace cg::remediate
