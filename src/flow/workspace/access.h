// Access: the workspace as a run opens it, with the folders that belong to its log.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "base/base/result.h"
#include "base/domain/error.h"
#include "base/os/ports.h"
#include "flow/workspace/workspace.h"
#include "trust/audit/log.h"
#include "trust/audit/verify.h"

namespace cg::workspace {

struct Access {
  Workspace workspace;
  std::string guard_dir;
  std::string anchor_dir;

  [[nodiscard]] audit::Place place() const { return {workspace.path, guard_dir}; }
  [[nodiscard]] audit::VerifyOptions verify_options() const {
    return {workspace.path, guard_dir, anchor_dir};
  }
};

[[nodiscard]] Result<audit::Log, Problem> open_log(const Access& access, os::Clock& clock);

/// Reads and judges the whole log; `at` hears now and then how many entries it was so far.
[[nodiscard]] Result<audit::LogReport, Problem> verify_log(
    const Access& access, const std::function<void(std::uint64_t)>& at);

/// The bytes of a file that the user named.
[[nodiscard]] Result<std::string, Problem> read_user_file(const std::string& path, std::size_t max);

}  // namespace cg::workspace
