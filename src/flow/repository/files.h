// RepoFiles: which files of a repository matter, found by one walk.
//
// The walk reads names and types only: it opens folders, never files. It follows no
// symbolic link, looks for nothing but the names of locks in what package managers and tools
// fill (node_modules, caches), if at all, and stops at kMaxEntries names and kMaxDepth folders.
// What it passed over is a Note, so that "nothing found" is never silent. Paths are relative to
// the folder that was given and sorted; names may be any bytes.
//
// This list is the one that every command goes by. Which of the locks that are not on it git
// tracks is flow/repository/tracked.h.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/os/dir.h"
#include "npm/npm/graph.h"

namespace cg::repository {

inline constexpr std::size_t kMaxDepth = 12;
inline constexpr std::size_t kMaxEntries = 100'000;
inline constexpr std::size_t kMaxNotes = 1'000;

/// Something worth telling that is no error: "a symbolic link, not followed".
struct Note {
  std::string path;
  std::string what;
  friend bool operator==(const Note&, const Note&) = default;
};

/// Adds a note while there is room; the last one says that there were more.
void add_note(std::vector<Note>& notes, std::string path, std::string what);

struct LockFile {
  std::string path;
  npm::LockKind kind = npm::LockKind::package_lock;  // yarn_classic for any yarn.lock
  friend bool operator==(const LockFile&, const LockFile&) = default;
};

struct RepoFiles {
  /// package.json; also those that are symbolic links, so that reading them says so.
  std::vector<std::string> manifests;
  std::vector<LockFile> locks;
  std::vector<std::string> unsupported_locks;  // bun.lock, bun.lockb
  /// Locks that nobody reads, and why: links, and names that a fix could not be written to. Also
  /// tracked ones that were not looked for, once add_tracked() was here.
  std::vector<Note> skipped;
  std::vector<std::string> hidden;  // locks in folders that tools fill, as far as looked for
  std::vector<std::string> pnpm_workspaces;
  std::vector<std::string> lerna;
  std::vector<std::string> tsconfigs;
  std::vector<std::string> dockerfiles;
  std::vector<std::string> npmrcs;
  std::vector<std::string> node_versions;  // .nvmrc, .node-version

  /// What stands at `.git` in the folder itself.
  enum class Git { none, folder, file, other };
  Git git = Git::none;

  std::vector<Note> notes;
  std::size_t entries = 0;  // names seen
  bool complete = true;     // false if a bound stopped the walk
};

/// Called for each plain file: the folder it is in, its path, its name.
using EachFile =
    std::function<void(const os::Dir& folder, const std::string& path, const std::string& name)>;

/// Whether locks are looked for in folders that tools fill.
enum class Hidden {
  unseen,
  seen,              // in all of them
  seen_uninstalled,  // but for node_modules and their like, which are nobody's own
};

[[nodiscard]] RepoFiles discover(const os::Dir& dir, const EachFile& also = {},
                                 Hidden hidden = Hidden::unseen);

/// The lockfiles of all package managers, whether they are read or not.
inline constexpr std::array<std::string_view, 6> kLockNames = {
    "package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml", "bun.lock",
    "bun.lockb"};
[[nodiscard]] bool is_lock_name(std::string_view name);
/// The first folder of `path` that tools fill and discover() does not enter; empty if there is
/// none.
[[nodiscard]] std::string_view skipped_folder(std::string_view path);

/// "" for "package.json", "a/b" for "a/b/package.json".
[[nodiscard]] std::string_view folder_of(std::string_view path);
/// "package.json" for both.
[[nodiscard]] std::string_view name_of(std::string_view path);
/// `folder` and `name` joined; `folder` may be empty.
[[nodiscard]] std::string join(std::string_view folder, std::string_view name);

}  // namespace cg::repository
