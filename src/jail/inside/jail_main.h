// What the program codegenie-jail does.
#pragma once

namespace cg::inside {

/// Reads a Furnish on descriptor 0 and answers on it; then steps, until the other side is
/// gone. Returns the exit code: 0, 2 for a message that does not belong there, 3 if it could
/// not be set up (and an Error was sent).
[[nodiscard]] int jail_main();

}  // namespace cg::inside
