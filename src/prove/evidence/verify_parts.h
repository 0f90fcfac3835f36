// What each part of a bundle has to agree with. For this module only.
#pragma once

#include <optional>

#include "fix/report/case.h"
#include "prove/evidence/bundle.h"
#include "prove/evidence/bundle_report.h"
#include "prove/evidence/tale.h"

namespace cg::evidence {

/// The plan is the case's.
void judge_plan(const Files& files, const report::Case& c, BundleReport& out);
/// The commits are those that the case names, and name the plans.
void judge_commits(const Files& files, const report::Case& c, const Trust& trust,
                   BundleReport& out);
/// The lines are one unbroken chain; what they tell, if they are, and name the evidence.
[[nodiscard]] std::optional<Tale> judge_events(const Files& files, const report::Case& c,
                                               BundleReport& out);
/// Every number and claim of the case follows from what the events tell.
void judge_case(const Files& files, const report::Case& c, const Tale& tale, BundleReport& out);
/// Findings, advisories and provenance: the same in case, scans and events.
void judge_findings(const Files& files, const report::Case& c, const Tale& tale, BundleReport& out);
/// Case, events and documents say the same of each gate, and of where it ran.
void judge_gates(const Files& files, const report::Case& c, const Tale& tale, BundleReport& out);
/// What attempts without a branch left, and what steps printed: of attempts and steps that the
/// events have.
void judge_attempts(const Files& files, const Tale& tale, BundleReport& out);
/// What is written from the case alone is what this case gives.
void judge_texts(const Files& files, const report::Case& c, const Tale& tale, BundleReport& out);
/// The end of the chain is in a log: the workspace's if there is one, and the anchor's.
void judge_proof(const Files& files, const report::Case& c, const Trust& trust, BundleReport& out);

}  // namespace cg::evidence
