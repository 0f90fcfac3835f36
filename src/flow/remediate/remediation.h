// Remediation: what a run came to.
#pragma once

#include <string>
#include <vector>

#include "fix/report/case.h"
#include "flow/remediate/fixing.h"
#include "flow/remediate/keeping.h"
#include "prove/preflight/obstacle.h"

namespace cg::remediate {

struct Remediation {
  report::Case outcome;
  job::EditedFiles files;                       // that the plan changes, all branches together
  std::string diff;                             // of all of them, for --dry-run
  std::size_t found = 0;                        // branches that an earlier run had written
  std::vector<std::string> recalled;            // with a plan that a model was paid for before
  std::vector<preflight::Obstacle> preflight;   // to a proof, seen before anything was run
  std::vector<SettledGroup> groups;             // what was proven; with Extent::branch
  std::vector<evidence::FailedAttempt> failed;  // attempts that became no branch, in their order
  Keeping kept;                                 // what all steps printed
  std::string handoff;                // beneath the workspace; empty if nothing is left to do
  std::vector<std::string> refusals;  // why nothing was planned; empty if something was
  std::vector<std::string> warnings;
};

}  // namespace cg::remediate
