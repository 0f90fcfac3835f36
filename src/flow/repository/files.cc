#include "flow/repository/files.h"

#include <algorithm>
#include <array>
#include <deque>

#include "fetch/gitrepo/names.h"
#include "npm/lockfile/lock.h"

namespace cg::repository {

namespace {

using Type = os::FileInfo::Type;

// Filled by tools from elsewhere: what lies there is not what people of the
// repository wrote, and it is most of the names.
constexpr std::array<std::string_view, 20> kSkipped = {".cache",
                                                       ".codegenie",
                                                       ".git",
                                                       ".gradle",
                                                       ".hg",
                                                       ".next",
                                                       ".npm",
                                                       ".nuxt",
                                                       ".nx",
                                                       ".parcel-cache",
                                                       ".pnpm",
                                                       ".pnpm-store",
                                                       ".svn",
                                                       ".terraform",
                                                       ".turbo",
                                                       ".venv",
                                                       ".yarn",
                                                       "__pycache__",
                                                       "bower_components",
                                                       "node_modules"};

// Of these, what holds nothing but what was installed, or another tool's own files.
constexpr std::array<std::string_view, 6> kInstalled = {".git",        ".hg",  ".pnpm",
                                                        ".pnpm-store", ".svn", "node_modules"};
constexpr std::array<std::string_view, 3> kHistory = {".git", ".hg", ".svn"};

bool may_hide(std::string_view name, Hidden hidden) {
  const auto is_in = [&](const auto& names) {
    return std::binary_search(names.begin(), names.end(), name);
  };
  if (hidden == Hidden::unseen) return false;
  return hidden == Hidden::seen ? !is_in(kHistory) : !is_in(kInstalled);
}

bool is_skipped(std::string_view path, std::string_view name) {
  if (std::binary_search(kSkipped.begin(), kSkipped.end(), name)) return true;
  return path.ends_with("vendor/bundle") || path.ends_with("vendor/cache");
}

bool is_dockerfile(std::string_view name) {
  if (name.ends_with(".dockerignore")) return false;
  return name == "Dockerfile" || name == "Containerfile" || name.starts_with("Dockerfile.") ||
         name.starts_with("Containerfile.") || name.ends_with(".Dockerfile") ||
         name.ends_with(".dockerfile");
}

std::vector<std::string>* list_for(RepoFiles& files, std::string_view name) {
  if (name == "bun.lock" || name == "bun.lockb") return &files.unsupported_locks;
  if (name == "pnpm-workspace.yaml") return &files.pnpm_workspaces;
  if (name == "lerna.json") return &files.lerna;
  if (name == ".npmrc") return &files.npmrcs;
  if (name == ".nvmrc" || name == ".node-version") return &files.node_versions;
  if (name.starts_with("tsconfig") && name.ends_with(".json")) return &files.tsconfigs;
  return is_dockerfile(name) ? &files.dockerfiles : nullptr;
}

class Walk {
 public:
  Walk(const os::Dir& root, const EachFile& also, Hidden hidden)
      : root_(root), also_(also), hidden_(hidden) {}

  RepoFiles run() {
    queue_.push_back({"", 0});
    // Breadth first: where a bound stops us, the files near the top are known.
    while (!queue_.empty() && files_.complete) {
      const Folder folder = std::move(queue_.front());
      queue_.pop_front();
      look_into(folder);
    }
    while (!hiding_.empty()) {
      const Folder folder = std::move(hiding_.front());
      hiding_.pop_front();
      search(folder);
    }
    sort();
    return std::move(files_);
  }

 private:
  struct Folder {
    std::string path;
    std::size_t depth;
  };

  void note(const std::string& path, std::string what) {
    add_note(files_.notes, path.empty() ? "." : path, std::move(what));
  }

  void look_into(const Folder& folder) {
    if (folder.path.empty()) return look_into(folder, root_);
    const auto opened = root_.open_dir(folder.path);
    if (!opened) return note(folder.path, "folder not read: " + os::describe(opened.error()));
    look_into(folder, *opened);
  }

  void look_into(const Folder& folder, const os::Dir& dir) {
    const auto found = dir.entries(kMaxEntries - files_.entries);
    if (!found) {
      files_.complete = found.error().kind != os::Error::Kind::too_big;
      return note(folder.path, files_.complete
                                   ? "folder not read: " + os::describe(found.error())
                                   : "more than " + std::to_string(kMaxEntries) +
                                         " names in the repository; not looked at from here on");
    }
    files_.entries += found->size();
    for (const os::Entry& entry : *found) look_at(folder, dir, entry);
  }

  void look_at(const Folder& folder, const os::Dir& dir, const os::Entry& entry) {
    if (entry.name == ".git") return look_at_git(folder, entry.type);
    const std::string path = join(folder.path, entry.name);
    if (entry.type == Type::folder) return enter(folder, path, entry.name);
    const bool plain = entry.type == Type::file;
    if (entry.type == Type::symlink) {
      note(path, "a symbolic link, not followed");
    } else if (!plain) {
      note(path, "neither a file nor a folder");
    }
    if (entry.name == "package.json") {
      files_.manifests.push_back(path);
    } else if (const auto kind = lockfile::lock_kind_of(entry.name)) {
      add_lock(path, *kind, entry.type);
    } else if (auto* list = list_for(files_, entry.name); list != nullptr && plain) {
      list->push_back(path);
    }
    if (plain && also_) also_(dir, path, entry.name);
  }

  void add_lock(const std::string& path, npm::LockKind kind, Type type) {
    if (type != Type::file) {
      files_.skipped.push_back({path, type == Type::symlink ? "a symbolic link, not followed"
                                                            : "neither a file nor a folder"});
    } else if (!gitrepo::is_safe_path(path)) {
      files_.skipped.push_back({path, "a name that no fix is written to"});
      note(path, "a lockfile under a name that no fix is written to; not read");
    } else {
      files_.locks.push_back({path, kind});
    }
  }

  /// For names of locks alone, in a folder that tools fill.
  void search(const Folder& folder) {
    const auto dir = root_.open_dir(folder.path);
    const std::size_t room = kMaxEntries - searched_;
    const auto found =
        dir ? dir->entries(room) : Result<std::vector<os::Entry>, os::Error>(fail(dir.error()));
    if (!found) {
      if (found.error().kind == os::Error::Kind::too_big) files_.complete = false;
      return note(folder.path, "not searched: " + os::describe(found.error()));
    }
    searched_ += found->size();
    for (const os::Entry& entry : *found) {
      const std::string path = join(folder.path, entry.name);
      if (entry.type != Type::folder) {
        if (is_lock_name(entry.name)) files_.hidden.push_back(path);
      } else if (folder.depth < kMaxDepth && may_hide(entry.name, hidden_)) {
        hiding_.push_back({path, folder.depth + 1});
      }
    }
  }

  void look_at_git(const Folder& folder, Type type) {
    if (!folder.path.empty()) return note(folder.path, "a git repository of its own");
    files_.git = type == Type::folder ? RepoFiles::Git::folder
                 : type == Type::file ? RepoFiles::Git::file
                                      : RepoFiles::Git::other;
  }

  void enter(const Folder& folder, const std::string& path, std::string_view name) {
    if (is_skipped(path, name)) {
      if (may_hide(name, hidden_)) hiding_.push_back({path, folder.depth + 1});
      return;
    }
    if (folder.depth == kMaxDepth) return note(path, "too deep, not looked into");
    queue_.push_back({path, folder.depth + 1});
  }

  void sort() {
    const auto by_path = [](const auto& a, const auto& b) { return a.path < b.path; };
    for (auto* list : {&files_.hidden, &files_.manifests, &files_.unsupported_locks,
                       &files_.pnpm_workspaces, &files_.lerna, &files_.tsconfigs,
                       &files_.dockerfiles, &files_.npmrcs, &files_.node_versions}) {
      std::sort(list->begin(), list->end());
    }
    std::sort(files_.locks.begin(), files_.locks.end(), by_path);
    std::sort(files_.skipped.begin(), files_.skipped.end(), by_path);
  }

  const os::Dir& root_;
  const EachFile& also_;
  Hidden hidden_;
  RepoFiles files_;
  std::deque<Folder> queue_;
  std::deque<Folder> hiding_;
  std::size_t searched_ = 0;  // names in folders that tools fill
};

}  // namespace

void add_note(std::vector<Note>& notes, std::string path, std::string what) {
  if (notes.size() < kMaxNotes) {
    notes.push_back({std::move(path), std::move(what)});
  } else if (notes.size() == kMaxNotes) {
    notes.push_back({".", "more notes than are kept; the others were left out"});
  }
}

RepoFiles discover(const os::Dir& dir, const EachFile& also, Hidden hidden) {
  return Walk(dir, also, hidden).run();
}

bool is_lock_name(std::string_view name) {
  return std::find(kLockNames.begin(), kLockNames.end(), name) != kLockNames.end();
}

std::string_view skipped_folder(std::string_view path) {
  for (std::size_t at = path.find('/'); at != path.npos; at = path.find('/', at + 1)) {
    const std::string_view folder = path.substr(0, at);
    if (is_skipped(folder, name_of(folder))) return folder;
  }
  return {};
}

std::string_view folder_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
}

std::string_view name_of(std::string_view path) { return path.substr(path.rfind('/') + 1); }

std::string join(std::string_view folder, std::string_view name) {
  std::string out(folder);
  if (!out.empty()) out += '/';
  out += name;
  return out;
}

}  // namespace cg::repository
