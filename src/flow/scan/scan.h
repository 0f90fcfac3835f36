// The scan of a repository, top to bottom.
#pragma once

#include <optional>
#include <string>

#include "base/base/result.h"
#include "base/domain/error.h"
#include "base/os/dir.h"
#include "flow/repository/locks.h"
#include "flow/repository/tracked.h"
#include "flow/workspace/workspace.h"
#include "vuln/findings/finding.h"
#include "vuln/findings/match.h"
#include "vuln/findings/select.h"
#include "vuln/vulnindex/index.h"

namespace cg::scan {

struct Request {
  std::string repo;  // as named
  Time now{};
  findings::Selection selection;
  findings::Order order = findings::Order::risk;
  std::string sbom;         // file; empty: none
  bool components = false;  // list every package too
  /// What git tracks, where somebody asked it; else it is read from the index.
  std::optional<repository::Tracked> tracked = {};
};

struct Scanned {
  findings::Scan scan;
  repository::LoadedLocks loaded;  // for who needs the graphs
  /// Per lock of `loaded`, what was found in it before anything was ignored or selected.
  std::vector<std::vector<findings::Hit>> hits;
  /// Files that could not be used: the result is not complete.
  std::optional<Problem> incomplete;
  /// Tracked lockfiles that were not read (scan.repo.skipped): what is told of the others holds,
  /// but the repository is not to be called clean.
  std::optional<Problem> skipped;
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
                                                       const Request& request);

/// The same for lockfiles that were read already, or that stand nowhere but in memory.
[[nodiscard]] Result<Scanned, Problem> scan_loaded(const os::Dir& repo,
                                                   const repository::RepoFiles& files,
                                                   repository::LoadedLocks locks,
                                                   const workspace::Workspace& workspace,
                                                   const workspace::Policy& policy,
                                                   vulnindex::Index& index, const Request& request);

}  // namespace cg::scan
