// npm's configuration on this machine: which files there are, and what they say.
#pragma once

#include <string>
#include <vector>

#include "base/base/result.h"
#include "base/domain/error.h"
#include "flow/cli/config.h"
#include "flow/workspace/workspace.h"
#include "npm/registry/config.h"

namespace cg::supplies {

/// policy/registry.yaml of the workspace; both are empty if there is no such file.
struct RegistryPolicy {
  std::string registry;         // asked if npm's configuration names none
  std::string public_registry;  // what lockfiles name when they mean the configured one
};
[[nodiscard]] Result<RegistryPolicy, Problem> read_registry_policy(
    const workspace::Workspace& workspace);

/// The registry that an installed npm asks unless told otherwise, read from npm's own
/// files; nothing is run. Empty if there is no npm in PATH, or one we cannot read.
[[nodiscard]] std::string learn_public_registry(const cli::Environment& environment);

/// Where the above looks, and where read_layers() does and what those files name: what a
/// program that seals itself has to keep in reach.
[[nodiscard]] std::vector<std::string> npm_definition_files(const cli::Environment& environment);
[[nodiscard]] std::vector<std::string> npm_config_files(const cli::Environment& environment);

/// Writes what was learned into the workspace; nothing if that is nothing.
[[nodiscard]] Result<Done, Problem> keep_public_registry(const workspace::Workspace& workspace,
                                                         const std::string& url);

/// The operator's layers, and the repository's if `repo` is not empty.
[[nodiscard]] Result<registry::Layers, Problem> read_layers(const cli::Environment& environment,
                                                            const RegistryPolicy& policy,
                                                            const std::string& repo);

}  // namespace cg::supplies
