// The scan of a repository, top to bottom.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "context/locks.h"
#include "domain/error.h"
#include "os/dir.h"
#include "scan/finding.h"
#include "scan/match.h"
#include "scan/select.h"
#include "vulnindex/index.h"
#include "workspace/workspace.h"

namespace cg::program {

struct ScanRequest {
  std::string repo;  // as named
  Time now{};
  scan::Selection selection;
  scan::Order order = scan::Order::risk;
  std::string sbom;         // file; empty: none
  bool components = false;  // list every package too
};

struct Scanned {
  scan::Scan scan;
  context::LoadedLocks loaded;  // for who needs the graphs
  /// Per lock of `loaded`, what was found in it before anything was ignored or selected.
  std::vector<std::vector<scan::Hit>> hits;
  /// Files that could not be used: the result is not complete.
  std::optional<Problem> incomplete;
};

/// The folder of a repository that the user named.
[[nodiscard]] Result<os::Dir, Problem> open_repository(const std::string& path);

/// The workspace's policy, made stricter by what the repository has in
/// .codegenie/policy.yaml.
[[nodiscard]] Result<workspace::Policy, Problem> policy_for(const workspace::Workspace& workspace,
                                                            const os::Dir& repo);

/// Reads manifests and lockfiles, finds every vulnerable copy, applies the ignores of
/// the workspace and, as far as policy lets them count, of the repository.
[[nodiscard]] Result<Scanned, Problem> scan_repository(const os::Dir& repo,
                                                       const workspace::Workspace& workspace,
                                                       const workspace::Policy& policy,
                                                       vulnindex::Index& index,
                                                       const ScanRequest& request);

/// The same for lockfiles that were read already, or that stand nowhere but in memory.
[[nodiscard]] Result<Scanned, Problem> scan_loaded(
    const os::Dir& repo, const context::RepoFiles& files, context::LoadedLocks locks,
    const workspace::Workspace& workspace, const workspace::Policy& policy, vulnindex::Index& index,
    const ScanRequest& request);

}  // namespace cg::program
