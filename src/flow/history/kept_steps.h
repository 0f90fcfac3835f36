// What the log says of steps that were kept.
#pragma once

#include "flow/workspace/access.h"
#include "prove/recall/memory.h"

namespace cg::history {

/// Answers from the streams of workflows that have ended, each read once, when it is first asked
/// about. A log that does not hold vouches for nothing. `access` must outlive it.
[[nodiscard]] recall::Vouch vouching(const workspace::Access& access);

}  // namespace cg::history
