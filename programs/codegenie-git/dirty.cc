#include "dirty.h"

#include <map>
#include <optional>
#include <set>

#include "base/os/dir.h"
#include "fetch/gitrepo/names.h"
#include "fetch/gitrepo/wire.h"
#include "tree_walk.h"

namespace cg::git {

namespace {

using gitrepo::DirtyFile;
using How = DirtyFile::How;
using Files = std::map<std::string, ObjectId>;

constexpr std::size_t kMaxDirty = 1'000;

struct IndexFiles {
  Files files;
  std::set<std::string> absent;  // that a sparse checkout leaves out
};

/// Nothing if there is no index, or one of a kind that libgit2 does not read.
std::optional<IndexFiles> read_index(const Location& location, const gitrepo::Filter& interest) {
  git_index* opened = nullptr;
  const std::string path = location.git_dir + "/index";
  const int code = git_index_open(&opened, path.c_str());
  const Index index(opened);
  if (code != 0 || git_index_entrycount(index.get()) == 0) return std::nullopt;
  IndexFiles found;
  for (std::size_t i = 0; i < git_index_entrycount(index.get()); ++i) {
    const git_index_entry* entry = git_index_get_byindex(index.get(), i);
    if (!gitrepo::fits(interest, entry->path)) continue;
    const bool is_merged = git_index_entry_stage(entry) == 0;
    found.files[entry->path] = is_merged ? id_of(entry->id) : ObjectId();
    if ((entry->flags_extended & GIT_INDEX_ENTRY_SKIP_WORKTREE) != 0) {
      found.absent.insert(entry->path);
    }
  }
  return found;
}

ObjectId hash_of(const std::string& bytes) {
  git_oid id{};
  git_odb_hash(&id, bytes.data(), bytes.size(), GIT_OBJECT_BLOB);
  return id_of(id);
}

std::string without_returns(const std::string& bytes) {
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (bytes[i] == '\r' && i + 1 < bytes.size() && bytes[i + 1] == '\n') continue;
    out += bytes[i];
  }
  return out;
}

/// How the file in the work tree differs from `known`, if it does.
std::optional<How> compare(const os::Dir& tree, const std::string& path, const ObjectId& known) {
  const auto bytes = tree.read(path, gitrepo::kMaxFileBytes);
  if (!bytes) {
    return bytes.error().kind == os::Error::Kind::not_found ? How::deleted : How::modified;
  }
  if (hash_of(*bytes) == known || hash_of(without_returns(*bytes)) == known) return std::nullopt;
  return How::modified;
}

/// Names of interest that stand beside known files and are none.
std::vector<std::string> strangers(const os::Dir& tree, const std::string& prefix,
                                   const Files& known, const gitrepo::Filter& interest) {
  std::set<std::string> folders = {"", prefix.empty() ? "" : prefix + "/"};
  for (const auto& [path, id] : known) folders.insert(path.substr(0, path.rfind('/') + 1));
  std::vector<std::string> out;
  for (const std::string& folder : folders) {
    for (const std::string& name : interest.names) {
      const std::string path = folder + name;
      if (!known.contains(path) && tree.stat(path)) out.push_back(path);
    }
  }
  return out;
}

Result<Files, Error> files_of(git_repository* repo, const git_tree* head,
                              const gitrepo::Filter& interest) {
  Files files;
  if (head == nullptr) return files;
  CG_TRY(walk(repo, head, interest.without, [&](const TreeFile& file) -> Result<Done, Error> {
    const bool is_file =
        file.mode == GIT_FILEMODE_BLOB || file.mode == GIT_FILEMODE_BLOB_EXECUTABLE;
    if (is_file && gitrepo::fits(interest, file.path)) files[file.path] = id_of(file.id);
    return Done{};
  }));
  return files;
}

void add_staged(const Files& head, const Files& index, std::vector<DirtyFile>& out) {
  for (const auto& [path, id] : head) {
    const auto at = index.find(path);
    if (at == index.end() || at->second != id) out.push_back({How::staged, path});
  }
  for (const auto& [path, id] : index) {
    if (!head.contains(path)) out.push_back({How::staged, path});
  }
}

}  // namespace

Result<std::vector<DirtyFile>, Error> find_dirty(git_repository* repo, const Location& location,
                                                 const git_tree* head,
                                                 const gitrepo::Filter& interest) {
  std::vector<DirtyFile> out;
  if (location.work_tree.empty()) return out;
  const auto tree = os::Dir::open(location.work_tree);
  if (!tree) return refuse(Kind::storage, os::describe(tree.error()));
  CG_TRY_ASSIGN(const Files files, files_of(repo, head, interest));
  const auto index = read_index(location, interest);
  if (index) add_staged(files, index->files, out);
  Files known = files;
  if (index) known.insert(index->files.begin(), index->files.end());
  for (const auto& [path, id] : index ? index->files : files) {
    if (index && index->absent.contains(path)) continue;
    if (const auto how = compare(*tree, path, id)) out.push_back({*how, path});
  }
  for (std::string& path : strangers(*tree, location.prefix, known, interest)) {
    out.push_back({How::untracked, std::move(path)});
  }
  if (out.size() > kMaxDirty) out.resize(kMaxDirty);
  return out;
}

}  // namespace cg::git
