// How the commands reach the workspace and its log.
#pragma once

#include <string>

#include "base/base/result.h"
#include "base/domain/error.h"
#include "base/json/value.h"
#include "base/os/ports.h"
#include "flow/cli/parse.h"
#include "flow/workspace/workspace.h"
#include "session.h"
#include "trust/audit/log.h"
#include "trust/audit/verify.h"

namespace cg::program {

/// The workspace of the settings, and the folders that belong to it.
struct Access {
  workspace::Workspace workspace;
  std::string guard_dir;
  std::string anchor_dir;

  [[nodiscard]] audit::Place place() const { return {workspace.path, guard_dir}; }
  [[nodiscard]] audit::VerifyOptions verify_options() const {
    return {workspace.path, guard_dir, anchor_dir};
  }
};

[[nodiscard]] Result<Access, Problem> open_workspace(const Session& session);
[[nodiscard]] Result<audit::Log, Problem> open_log(const Access& access, os::Clock& clock);

/// Reads and judges the whole log, telling progress on standard error.
[[nodiscard]] Result<audit::LogReport, Problem> verify_log(const Access& access,
                                                           const cli::Invocation& invocation,
                                                           const Session& session);

/// "codegenie 0.1.0"
[[nodiscard]] std::string tool_name();

/// A count for JSON.
[[nodiscard]] json::Value number(std::uint64_t value);
[[nodiscard]] std::string blake3_name(const hash::Digest& digest);

/// The problem of a flag or argument that has a bad value.
[[nodiscard]] Problem bad_value(const std::string& what, const std::string& help);

}  // namespace cg::program
