// What becomes of a socket call that was refused: an event, and the end of the run.
#pragma once

#include <optional>

#include "base/domain/error.h"
#include "session.h"

namespace cg::program {

/// Asks the spawner. Each refused call becomes an EgressViolation in the log, if there is a
/// workspace; the problem is CG-SEAL-002. None: there was nothing to refuse.
[[nodiscard]] std::optional<Problem> note_refusals(const Session& session);

}  // namespace cg::program
