// Branches that a model's plans became, as the log has them: what was paid for once.
#pragma once

#include <string>
#include <vector>

#include "flow/workspace/access.h"
#include "trust/hash/digest.h"

namespace cg::history {

struct ModelBranch {
  std::string workflow;  // that asked, proved and wrote it
  std::string base;      // the commit that it starts from
  std::string group;     // which copies: propose::Group::id
  std::string branch;
  std::string commit;
  std::string kind;         // "callsite_rewrite"
  hash::Digest evidence{};  // of that workflow: EvidenceWritten::digest
};

/// Of all remediations that have ended, newest first. One that is not over vouches for nothing, nor
/// does one that wrote no evidence. The error is a log that does not hold.
[[nodiscard]] Result<std::vector<ModelBranch>, Problem> model_branches(
    const workspace::Access& access);

}  // namespace cg::history
