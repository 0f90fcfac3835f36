// Origin: from a commit to the workflow that proved it, and what the log has to say of that.
//
// A commit names no workflow, only its plan (ADR 0013). The log has the plan beside the commit's
// id, and the workflow's evidence lies under its own.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "flow/workspace/access.h"
#include "prove/evidence/witness.h"
#include "trust/hash/digest.h"

namespace cg::history {

/// What stands behind the one `Codegenie-Plan: sha256:` of a commit's message. Nothing if there
/// is none, or more than one, or another form.
[[nodiscard]] std::optional<hash::Digest> named_plan(std::string_view message);

struct Origin {
  std::string workflow;
  std::string commit;  // that carries out the plan
};

/// Every workflow that made a commit of this plan, newest first.
[[nodiscard]] Result<std::vector<Origin>, Problem> origins_of(const workspace::Access& access,
                                                              const hash::Digest& plan);

/// What the log says of a workflow, once all of the log was read and holds. `at` hears now and
/// then how many entries it was so far.
[[nodiscard]] Result<evidence::Witness, Problem> sound_witness(
    const workspace::Access& access, const std::string& workflow,
    const std::function<void(std::uint64_t)>& at);

}  // namespace cg::history
