// The workspace: the operator's folder, private to its owner.
#pragma once

#include <string>
#include <vector>

#include "base/base/result.h"
#include "base/domain/error.h"
#include "base/os/dir.h"
#include "base/os/ports.h"
#include "flow/workspace/policy.h"

namespace cg::workspace {

/// An open workspace. `path` is absolute, symbolic links above it resolved.
struct Workspace {
  os::Dir home;
  std::string path;
};

/// Opens a workspace and refuses one that is not private: folders 0700, files
/// 0600, all of them ours, no symbolic link where we look.
[[nodiscard]] Result<Workspace, Problem> open(const std::string& home);

/// Makes a workspace, whole or not at all: it is built beside its place and moved
/// there in one step. An empty folder in its place is taken over.
[[nodiscard]] Result<Workspace, Problem> init(const std::string& place,
                                              const std::string& guard_dir, Preset preset,
                                              const std::string& tool, os::Clock& clock,
                                              os::Random& random);

[[nodiscard]] Result<Policy, Problem> read_policy(const Workspace& workspace);

/// Everything beneath that is not private, by path; at most `max` of them. Programs of ours that
/// chambers are shown may be read by all.
[[nodiscard]] Result<std::vector<std::string>, Problem> find_exposed(const Workspace& workspace,
                                                                     std::size_t max);

}  // namespace cg::workspace
