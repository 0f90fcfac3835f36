// LoadedLocks: the lockfiles of a repository as graphs, with the manifests they serve.
//
// A file that cannot be used is a FileError in a list, not the end: whether one broken
// lock of five stops the work is the caller's decision. The same holds for lockfiles
// that say something else than the manifests.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/os/dir.h"
#include "flow/repository/disagreement.h"
#include "flow/repository/file_error.h"
#include "flow/repository/files.h"
#include "npm/lockfile/lock.h"
#include "npm/npm/manifest.h"

namespace cg::repository {

struct LoadedLock {
  std::string path;
  /// False for a stray: another lockfile in the same folder is the one that counts.
  bool authoritative = true;
  /// Root first, if it was read, then its workspaces.
  std::vector<npm::Manifest> manifests;
  npm::Graph graph;

  /// "" for a lock at the top of the repository. Locations in the graph begin here.
  [[nodiscard]] std::string_view folder() const { return folder_of(path); }
};

struct LoadedLocks {
  std::vector<LoadedLock> locks;  // sorted by path
  std::vector<FileError> errors;
  std::vector<Disagreement> disagreements;
  std::size_t disagreements_left_out = 0;
  std::vector<Note> notes;
};

[[nodiscard]] LoadedLocks load_locks(const os::Dir& dir, const RepoFiles& files);

/// Reads one manifest as load_locks() does.
[[nodiscard]] Result<npm::Manifest, FileError> load_manifest(const os::Dir& dir,
                                                             const std::string& path);

}  // namespace cg::repository
