// Feedback: what is said of an answer that was turned down, so that the next one can be better.
//
// Which rule, the file and the line, and where a hunk found no place what stands there. Nothing
// of what the model wrote is in it but the path of a file that it was shown; the lines are the
// repository's, so the whole goes through the fence like all that others wrote.
#pragma once

#include <string>

#include "model/proposal/judge.h"
#include "model/proposal/proposal.h"

namespace cg::proposal {

/// "src/a.js:12", "target_version": for the log.
[[nodiscard]] std::string place_of(const Rejection& rejection);

[[nodiscard]] std::string feedback(const Rejection& rejection);
/// Of one that breaks no protocol; of others only that there was one.
[[nodiscard]] std::string feedback(const Violation& violation);

}  // namespace cg::proposal
