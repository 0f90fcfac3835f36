// Publishing: every group of fixes is proven, and becomes a branch if it passes.
#pragma once

#include <vector>

#include "prove/evidence/bundle.h"
#include "proving/attempts.h"
#include "remediation/branches.h"
#include "remediation/case_of.h"

namespace cg::program {

struct Published {
  std::vector<SettledGroup> groups;
  std::vector<evidence::Commit> commits;  // of those that passed, in their order
  std::size_t found = 0;                  // of them, branches of an earlier run
};

/// The groups are those of `c.branches`. A branch is written as soon as its group has passed,
/// so whoever is killed loses no more than the group that was being proven.
[[nodiscard]] Result<Published, Problem> prove_and_write(const Trying& trying,
                                                         const Writing& writing,
                                                         const std::vector<LockPlan>& plans,
                                                         const report::Case& c, History& history);

/// Writes the branch of a group that passed, and keeps what became of it in `out`.
[[nodiscard]] Result<Done, Problem> settle_group(const Trying& trying, const Writing& writing,
                                                 const report::Case& c, SettledGroup settled,
                                                 Published& out);

/// All that passed as one plan, for what is told of all branches together.
struct Together {
  std::vector<LockPlan> plans;
  EditedFiles files;
  Scanned after;
};
[[nodiscard]] Result<Together, Problem> together(const Trying& trying, const Published& published);

}  // namespace cg::program
