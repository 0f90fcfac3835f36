#include "flow/repository/lock_roots.h"

#include <algorithm>
#include <map>

namespace cg::repository {

namespace {

using npm::LockKind;

/// Smaller goes first within what no other rule decides.
int rank(LockKind kind) {
  switch (kind) {
    case LockKind::npm_shrinkwrap:
      return 0;
    case LockKind::package_lock:
      return 1;
    case LockKind::yarn_classic:
    case LockKind::yarn_berry:
      return 2;
    case LockKind::pnpm:
      return 3;
  }
  return 4;
}

bool has_manager(const LockRoot& root, std::string_view manager) {
  return std::any_of(root.locks.begin(), root.locks.end(),
                     [&](const LockFile& lock) { return manager_of(lock.kind) == manager; });
}

std::string only_engine(const npm::Manifest& manifest) {
  std::string found;
  for (const auto& [name, range] : manifest.engines) {
    if (name != "npm" && name != "yarn" && name != "pnpm") continue;
    if (!found.empty()) return {};
    found = name;
  }
  return found;
}

/// The manager that the repository names, and by what; both empty if by nothing.
std::pair<std::string, std::string> named_manager(const LockRoot& root,
                                                  const npm::Manifest* manifest,
                                                  const RepoFiles& files) {
  if (manifest != nullptr && !manifest->package_manager.empty()) {
    const std::string& field = manifest->package_manager;
    const std::string manager = field.substr(0, field.find('@'));
    if (has_manager(root, manager)) return {manager, "packageManager is " + field};
  }
  const std::string workspaces = join(root.folder, "pnpm-workspace.yaml");
  if (has_manager(root, "pnpm") &&
      std::find(files.pnpm_workspaces.begin(), files.pnpm_workspaces.end(), workspaces) !=
          files.pnpm_workspaces.end()) {
    return {"pnpm", "there is a pnpm-workspace.yaml"};
  }
  if (manifest != nullptr) {
    const std::string engine = only_engine(*manifest);
    if (!engine.empty() && has_manager(root, engine)) {
      return {engine, "engines names " + engine + " alone"};
    }
  }
  return {};
}

}  // namespace

std::vector<LockRoot> lock_roots(const RepoFiles& files) {
  std::map<std::string, LockRoot, std::less<>> roots;
  for (const LockFile& lock : files.locks) {
    LockRoot& root = roots[std::string(folder_of(lock.path))];
    root.folder = folder_of(lock.path);
    root.locks.push_back(lock);
  }
  std::vector<LockRoot> out;
  for (auto& [folder, root] : roots) out.push_back(std::move(root));
  return out;
}

std::string_view manager_of(LockKind kind) {
  switch (kind) {
    case LockKind::package_lock:
    case LockKind::npm_shrinkwrap:
      return "npm";
    case LockKind::yarn_classic:
    case LockKind::yarn_berry:
      return "yarn";
    case LockKind::pnpm:
      return "pnpm";
  }
  return {};
}

Choice choose(const LockRoot& root, const npm::Manifest* manifest, const RepoFiles& files) {
  const auto [manager, reason] = named_manager(root, manifest, files);
  Choice best;
  bool found = false;
  for (std::size_t i = 0; i < root.locks.size(); ++i) {
    const LockKind kind = root.locks[i].kind;
    if (!manager.empty() && manager_of(kind) != manager) continue;
    if (found && rank(root.locks[best.index].kind) <= rank(kind)) continue;
    best.index = i;
    found = true;
  }
  best.reason = !reason.empty() ? reason
                : root.locks[best.index].kind == LockKind::npm_shrinkwrap
                    ? "npm-shrinkwrap.json goes before other lockfiles"
                    : "nothing names a package manager, and npm goes before yarn before pnpm";
  return best;
}

}  // namespace cg::repository
