// The entries of the audit log, one after another.
#pragma once

#include <optional>
#include <string>

#include "flow/workspace/access.h"
#include "trust/audit/walk.h"

namespace cg::history {

/// Goes through the spanning stream up to the first thing that does not hold, which
/// is returned beside what was seen.
[[nodiscard]] Result<std::optional<Problem>, Problem> for_each_entry(
    const workspace::Access& access, const audit::Walker::OnHeld& on_held);
/// The same for the stream of one workflow.
[[nodiscard]] Result<std::optional<Problem>, Problem> for_each_entry_of(
    const workspace::Access& access, const std::string& workflow,
    const audit::Walker::OnHeld& on_held);

}  // namespace cg::history
