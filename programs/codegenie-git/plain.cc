#include "plain.h"

#include <algorithm>
#include <array>
#include <vector>

#include "base/os/dir.h"

namespace cg::git {

namespace {

using Type = os::FileInfo::Type;

constexpr std::size_t kMaxNames = 2'000'000;
constexpr std::size_t kMaxNesting = 64;

/// Of links that people and tools make in a git folder none is among these.
constexpr std::array<std::string_view, 13> kRead = {
    "HEAD",      "config",          "objects",   "refs",   "packed-refs", "index",   "shallow",
    "worktrees", "config.worktree", "commondir", "gitdir", "info",        "reftable"};

struct Folder {
  std::string path;  // beneath the git folder, "" for itself
  std::size_t nesting;
  bool read;  // by us or libgit2
};

class Walk {
 public:
  explicit Walk(const os::Dir& root) : root_(root) { queue_.push_back({"", 0, false}); }

  Result<Done, Error> run() {
    while (!queue_.empty()) {
      const Folder folder = std::move(queue_.back());
      queue_.pop_back();
      CG_TRY(look_into(folder));
    }
    return Done{};
  }

 private:
  Result<Done, Error> look_into(const Folder& folder) {
    if (folder.path.empty()) return look_at_all(folder, root_);
    const auto dir = root_.open_dir(folder.path);
    // What we may not look into, libgit2 may not either; it says what it misses.
    if (!dir) return Done{};
    return look_at_all(folder, *dir);
  }

  Result<Done, Error> look_at_all(const Folder& folder, const os::Dir& dir) {
    const auto found = dir.entries(kMaxNames - seen_);
    if (!found && found.error().kind == os::Error::Kind::too_big) {
      return refuse(Kind::too_large, root_.path() + " has too many names in it");
    }
    if (!found) return refuse(Kind::storage, os::describe(found.error()));
    seen_ += found->size();
    for (const os::Entry& entry : *found) CG_TRY(look_at(folder, entry));
    return Done{};
  }

  Result<Done, Error> look_at(const Folder& folder, const os::Entry& entry) {
    const bool top = folder.path.empty();
    const std::string path = top ? entry.name : folder.path + "/" + entry.name;
    const bool read =
        folder.read || (top && std::find(kRead.begin(), kRead.end(), entry.name) != kRead.end());
    if (entry.type == Type::folder) {
      if (folder.nesting == kMaxNesting) return refuse(Kind::too_large, path + " lies too deep");
      queue_.push_back({path, folder.nesting + 1, read});
      return Done{};
    }
    const bool fine = entry.type == Type::file || (entry.type == Type::symlink && !read);
    if (fine) return Done{};
    return refuse(Kind::hostile, root_.path_of(path) + " is neither a file nor a folder");
  }

  const os::Dir& root_;
  std::vector<Folder> queue_;
  std::size_t seen_ = 0;
};

}  // namespace

Result<Done, Error> check_plain(const std::string& folder) {
  const auto root = os::Dir::open(folder);
  if (!root) return refuse(Kind::storage, os::describe(root.error()));
  return Walk(*root).run();
}

}  // namespace cg::git
