// Start: what surrounds every run of the program.
#pragma once

#include "ci_key.h"
#include "commands.h"

namespace cg::program {

/// All of main(): secures the standard streams, ignores SIGPIPE, runs the command
/// line and returns the exit code. A failed assertion or an exception of the
/// standard library prints one line, "codegenie: bug: ...", and exits with 70.
[[nodiscard]] int start(const CommandSet& (*commands)(), int argc, const char* const* argv,
                        CiKey ci_key = {});

}  // namespace cg::program
