// How the commands reach the workspace and its log.
#pragma once

#include "base/json/value.h"
#include "flow/cli/parse.h"
#include "flow/supplies/surroundings.h"
#include "flow/workspace/access.h"
#include "prove/evidence/bundle.h"
#include "prove/evidence/witness.h"
#include "session.h"
#include "trust/hash/blake3.h"

namespace cg::program {

using hash::blake3_name;
using json::number;
using workspace::Access;
using workspace::open_log;
using workspace::read_user_file;

[[nodiscard]] Result<Access, Problem> open_workspace(const Session& session);

/// Likewise. For somebody who never had a workspace, and names none, the default one is made first
/// and `made` is its path. A guard that remembers any log means that one was lost: it is not
/// replaced in passing.
[[nodiscard]] Result<Access, Problem> open_first_workspace(const Session& session,
                                                           std::string& made);
/// A new workspace at `home`, as `init` makes it.
[[nodiscard]] Result<workspace::Workspace, Problem> make_workspace(const Session& session,
                                                                   const std::string& home,
                                                                   workspace::Preset preset);

/// Reads and judges the whole log, telling progress on standard error.
[[nodiscard]] Result<audit::LogReport, Problem> verify_log(const Access& access,
                                                           const cli::Invocation& invocation,
                                                           const Session& session);

/// What the log of the workspace says of a workflow, once all of it was read and holds.
[[nodiscard]] Result<evidence::Witness, Problem> read_witness(const Access& access,
                                                              const std::string& workflow,
                                                              const cli::Invocation& invocation,
                                                              const Session& session);

/// The evidence of a workflow of this workspace, if it holds and is what the log says; else what
/// is wrong with it.
[[nodiscard]] Result<evidence::Files, Problem> sound_evidence(const Access& access,
                                                              const WorkflowId& workflow,
                                                              const cli::Invocation& invocation,
                                                              const Session& session);

}  // namespace cg::program
