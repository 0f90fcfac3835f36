// The remediation of a repository, top to bottom.
#pragma once

#include <string>
#include <vector>

#include "fix/report/case.h"
#include "flow/job/request.h"
#include "flow/remediate/fixing.h"
#include "flow/supplies/surroundings.h"

namespace cg::remediate {

struct Remediation {
  report::Case outcome;
  job::EditedFiles files;             // that the plan changes, all branches together
  std::string diff;                   // of all of them, for --dry-run
  std::size_t found = 0;              // branches that an earlier run had written
  std::vector<SettledGroup> groups;   // what was proven; with Extent::branch
  std::string handoff;                // beneath the workspace; empty if nothing is left to do
  std::vector<std::string> refusals;  // why nothing was planned; empty if something was
  std::vector<std::string> warnings;
};

/// Does what `request` asks for and records it as a workflow. The user's checkout, index
/// and stash are not touched.
[[nodiscard]] Result<Remediation, Problem> remediate(const job::Request& request,
                                                     const supplies::Surroundings& surroundings,
                                                     supplies::Watcher& watcher);

}  // namespace cg::remediate
