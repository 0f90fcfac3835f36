// Which files a command can reach: those of its command line, its settings and its entry.
#pragma once

#include "commands.h"
#include "flow/cli/parse.h"
#include "jail/seal/landlock.h"
#include "session.h"

namespace cg::program {

/// From what the operator said alone: flags and arguments that name files or folders, the
/// settings, npm's own configuration, a job file. Of the repository only the pointers of a
/// linked work tree are looked at.
///
/// A folder that is to be made and is not there yet stands for the nearest one above it
/// that is.
[[nodiscard]] seal::Reach reach_of(const Entry& entry, const cli::Invocation& invocation,
                                   const Session& session);

}  // namespace cg::program
