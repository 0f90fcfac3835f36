// Branches: how the fix of a group becomes a commit.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "fix/plugin/capability.h"
#include "fix/report/case.h"
#include "flow/job/checkout.h"
#include "flow/remediate/fixing.h"
#include "prove/evidence/bundle.h"

namespace cg::remediate {

/// "codegenie/cve-2021-44906-minimist-1.2.6", from the group's most severe copy; of several
/// packages that Grouping::safe brings together "codegenie/in-range-" and 12 digits of the digest
/// of what they come to.
[[nodiscard]] std::string name_branch(const report::Case& c, const std::vector<std::size_t>& fixes,
                                      job::Grouping grouping, const std::string& prefix);

/// A commit on the base with these files, that exists nowhere but here.
[[nodiscard]] Result<gitrepo::Prepared, Problem> prepare_commit(const job::Checkout& checkout,
                                                                const job::EditedFiles& files,
                                                                const std::string& message);

/// Who wrote files that no engine did, by path.
using Authors = std::map<std::string, report::Author, std::less<>>;
[[nodiscard]] Authors authors_of(const propose::Candidate& candidate);

/// What files change, as git would show it; nothing of it is written anywhere.
struct Difference {
  std::string diff;
  std::vector<report::FileChange> changes;  // by path
};
/// Of a folder without git there is no diff, and lines are counted that one side has and the other
/// has not, however they are ordered.
[[nodiscard]] Result<Difference, Problem> difference(const job::Checkout& checkout,
                                                     const job::EditedFiles& files,
                                                     const Authors& authors);

struct WrittenBranch {
  report::Branch branch;
  gitrepo::Written::Outcome outcome;  // found: an earlier run had written it
  evidence::Commit commit;
  std::vector<gate::Passed> proof = {};  // that it was written for; for who learns from it
};

/// The fix of `one`, a case of this branch alone.
struct BranchOrder {
  const job::Request& request;
  const job::Checkout& checkout;
  const report::Case& one;
  const job::EditedFiles& files;
  const Authors& authors;
};

/// Writes it into the repository, for a proof, which is used up.
[[nodiscard]] Result<WrittenBranch, Problem> write_branch(const BranchOrder& order, Proven proof,
                                                          const plugin::GitLocalOps& right,
                                                          record::Events& events);
/// The same for what nothing was shown of, by another right, which reaches other branches alone.
[[nodiscard]] Result<WrittenBranch, Problem> write_branch(const BranchOrder& order,
                                                          const Unproven& why,
                                                          const plugin::GitUnprovenOps& right,
                                                          record::Events& events);

}  // namespace cg::remediate
