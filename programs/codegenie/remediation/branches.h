// Branches: which steps go together, and how each group becomes a commit.
#pragma once

#include <string>
#include <vector>

#include "fix/plugin/capability.h"
#include "fix/report/case.h"
#include "prove/evidence/bundle.h"
#include "prove/gate/verdict.h"
#include "remediation/checkout.h"
#include "remediation/planning.h"

namespace cg::program {

/// Steps that touch the same copy, manifest key or package belong together, and so do
/// all that add overrides: nothing that needs another branch is left alone. Numbers of
/// Case::steps, from 1; groups by their first step.
[[nodiscard]] std::vector<std::vector<std::size_t>> group_steps(
    const std::vector<report::Step>& steps, Grouping grouping);

/// "codegenie/cve-2021-44906-minimist-1.2.6", from the group's most severe copy.
[[nodiscard]] std::string name_branch(const report::Case& c, const std::vector<std::size_t>& steps,
                                      const std::string& prefix);

/// A commit on the base with these files, that exists nowhere but here.
[[nodiscard]] Result<gitrepo::Prepared, Problem> prepare_commit(const Checkout& checkout,
                                                                const EditedFiles& files,
                                                                const std::string& message);

/// What is needed to write branches.
struct Writing {
  const Checkout& checkout;
  const RemediationRequest& request;
  const plugin::GitLocalOps& right;
};

/// Writes the fix of `one`, a case of this branch alone, into the repository, and its commit
/// into `branch`. `proof` is what it is written for. What the commit is goes to `commits`, what
/// happened to `events`. Returns whether an earlier run had written it.
[[nodiscard]] Result<gitrepo::Written::Outcome, Problem> write_branch(
    const Writing& writing, const report::Case& one, report::Branch& branch,
    const EditedFiles& files, std::vector<gate::Passed> proof,
    std::vector<evidence::Commit>& commits, record::Events& events);

}  // namespace cg::program
