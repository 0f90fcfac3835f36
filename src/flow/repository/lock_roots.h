// Which lockfiles stand side by side, and which of them counts. Private to this module.
#pragma once

#include <string>
#include <vector>

#include "flow/repository/files.h"
#include "npm/npm/manifest.h"

namespace cg::repository {

/// A folder with lockfiles.
struct LockRoot {
  std::string folder;
  std::vector<LockFile> locks;
};

[[nodiscard]] std::vector<LockRoot> lock_roots(const RepoFiles& files);

/// "npm", "yarn" or "pnpm": who writes such a lockfile.
[[nodiscard]] std::string_view manager_of(npm::LockKind kind);

struct Choice {
  std::size_t index = 0;  // into LockRoot::locks
  std::string reason;     // "packageManager is pnpm@9.1.0"
};

/// The lockfile that an install would obey. npm-shrinkwrap.json goes before
/// package-lock.json; between managers decide, in this order, the field packageManager,
/// a pnpm-workspace.yaml, the only manager that `engines` names, and the order npm,
/// yarn, pnpm. `manifest` may be nullptr.
[[nodiscard]] Choice choose(const LockRoot& root, const npm::Manifest* manifest,
                            const RepoFiles& files);

}  // namespace cg::repository
