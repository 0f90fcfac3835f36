// What each part of a bundle has to agree with. For this module only.
#pragma once

#include "fix/report/case.h"
#include "prove/evidence/bundle.h"
#include "prove/evidence/bundle_report.h"

namespace cg::evidence {

/// The plan is the case's.
void judge_plan(const Files& files, const report::Case& c, BundleReport& out);
/// The commits are those that the case names, and name the plans.
void judge_commits(const Files& files, const report::Case& c, BundleReport& out);
/// The lines are one unbroken chain, and what they say of the bundle is so.
void judge_events(const Files& files, const report::Case& c, BundleReport& out);
/// The end of that chain is in the log, whose key is the anchor's.
void judge_proof(const Files& files, const report::Case& c, const Trust& trust, BundleReport& out);

}  // namespace cg::evidence
