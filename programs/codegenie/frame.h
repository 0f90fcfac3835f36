// The frame around every command: parse, settings, run, render, exit code.
//
// The result goes to standard output and everything else to standard error. With
// --format json, standard output gets exactly one JSON document, also when the
// run fails: the result if there is one, else the error. Whatever leaves, to either stream or to
// a file of -o, goes through cli::outgoing(): what others wrote moves no cursor and gives no CI
// runner an order.
#pragma once

#include "base/domain/exit_code.h"
#include "commands.h"
#include "session.h"

namespace cg::program {

/// Runs the command line of `session`. The files of -o are opened before the
/// command starts, so that a bad one costs nothing. If only the output failed, the
/// exit code is `usage`; an exit code that says more, such as `integrity`, stays.
[[nodiscard]] ExitCode run(const CommandSet& commands, Session& session);

}  // namespace cg::program
