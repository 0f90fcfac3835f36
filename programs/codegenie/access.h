// How the commands reach the workspace and its log.
#pragma once

#include "base/json/value.h"
#include "flow/cli/parse.h"
#include "flow/supplies/surroundings.h"
#include "flow/workspace/access.h"
#include "session.h"
#include "trust/hash/blake3.h"

namespace cg::program {

using hash::blake3_name;
using json::number;
using workspace::Access;
using workspace::open_log;
using workspace::read_user_file;

[[nodiscard]] Result<Access, Problem> open_workspace(const Session& session);

/// Reads and judges the whole log, telling progress on standard error.
[[nodiscard]] Result<audit::LogReport, Problem> verify_log(const Access& access,
                                                           const cli::Invocation& invocation,
                                                           const Session& session);

}  // namespace cg::program
