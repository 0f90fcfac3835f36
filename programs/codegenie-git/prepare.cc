#include <algorithm>
#include <set>

#include "base/base/text.h"
#include "fetch/gitrepo/names.h"
#include "memory_odb.h"
#include "operations.h"
#include "patch.h"

namespace cg::git {

namespace {

using gitrepo::Change;
using gitrepo::NewObject;
using gitrepo::PrepareOrder;

bool is_person(const gitrepo::Person& person) {
  const auto plain = [](char c) {
    return static_cast<unsigned char>(c) >= 0x20 && c != '<' && c != '>' && c != 0x7f;
  };
  const auto is_name = [&](const std::string& text) {
    return !trim(text).empty() && is_utf8(text) && std::all_of(text.begin(), text.end(), plain);
  };
  return is_name(person.name) && is_name(person.email);
}

Result<Done, Error> check(const PrepareOrder& order) {
  std::set<std::string> paths;
  for (const Change& change : order.changes) {
    if (!gitrepo::is_safe_path(change.path)) {
      return refuse(Kind::bad_request, "a file cannot be named " + change.path);
    }
    if (!paths.insert(change.path).second) {
      return refuse(Kind::bad_request, change.path + " is changed twice");
    }
  }
  if (paths.empty()) return refuse(Kind::nothing_to_commit, "no file is changed");
  if (!is_person(order.author) || !is_person(order.committer)) {
    return refuse(Kind::bad_request, "author and committer need a name and an address");
  }
  if (trim(order.message).empty() || !is_utf8(order.message) ||
      order.message.find('\0') != std::string::npos) {
    return refuse(Kind::bad_request, "the message is empty or no text");
  }
  constexpr std::int64_t kLatest = 253'402'300'799;  // the end of the year 9999
  if (order.time < 0 || order.time > kLatest || std::abs(order.offset_minutes) > 14 * 60) {
    return refuse(Kind::bad_request, "the time is out of range");
  }
  return Done{};
}

/// What stands at `path` now: the mode to keep, 0 if nothing does.
Result<git_filemode_t, Error> mode_at(const git_tree* tree, const std::string& path) {
  git_tree_entry* found = nullptr;
  const int code = git_tree_entry_bypath(&found, tree, path.c_str());
  const Owned<git_tree_entry, git_tree_entry_free> entry(found);
  if (code == GIT_ENOTFOUND) return GIT_FILEMODE_UNREADABLE;
  if (code != 0) return refuse_git(code, Kind::damaged, path);
  const git_filemode_t mode = git_tree_entry_filemode(entry.get());
  if (mode != GIT_FILEMODE_BLOB && mode != GIT_FILEMODE_BLOB_EXECUTABLE) {
    return refuse(Kind::bad_request, path + " is no plain file in the base");
  }
  return mode;
}

/// A folder of the path that is a file, link or submodule in the base.
Result<Done, Error> check_folders(const git_tree* tree, const std::string& path) {
  for (std::size_t at = path.find('/'); at != path.npos; at = path.find('/', at + 1)) {
    git_tree_entry* found = nullptr;
    const int code = git_tree_entry_bypath(&found, tree, path.substr(0, at).c_str());
    const Owned<git_tree_entry, git_tree_entry_free> entry(found);
    if (code == GIT_ENOTFOUND) return Done{};
    if (code != 0) return refuse_git(code, Kind::damaged, path);
    if (git_tree_entry_filemode(entry.get()) != GIT_FILEMODE_TREE) {
      return refuse(Kind::bad_request, path.substr(0, at) + " is no folder in the base");
    }
  }
  return Done{};
}

Result<git_tree_update, Error> update_for(git_repository* repo, const git_tree* tree,
                                          const Change& change) {
  CG_TRY(check_folders(tree, change.path));
  CG_TRY_ASSIGN(const git_filemode_t mode, mode_at(tree, change.path));
  git_tree_update update{};
  update.path = change.path.c_str();
  if (!change.bytes) {
    if (mode == GIT_FILEMODE_UNREADABLE) {
      return refuse(Kind::bad_request, change.path + " is to be deleted and is not there");
    }
    update.action = GIT_TREE_UPDATE_REMOVE;
    update.filemode = mode;
    return update;
  }
  update.action = GIT_TREE_UPDATE_UPSERT;
  update.filemode = mode == GIT_FILEMODE_UNREADABLE ? GIT_FILEMODE_BLOB : mode;
  const int code =
      git_blob_create_from_buffer(&update.id, repo, change.bytes->data(), change.bytes->size());
  if (code != 0) return refuse_git(code, Kind::damaged, change.path);
  return update;
}

Result<Tree, Error> changed_tree(git_repository* repo, git_tree* base, const PrepareOrder& order) {
  std::vector<git_tree_update> updates;
  for (const Change& change : order.changes) {
    CG_TRY_ASSIGN(const git_tree_update update, update_for(repo, base, change));
    updates.push_back(update);
  }
  git_oid id{};
  int code = git_tree_create_updated(&id, repo, base, updates.size(), updates.data());
  if (code != 0) return refuse_git(code, Kind::bad_request, "the files do not fit together");
  git_tree* found = nullptr;
  code = git_tree_lookup(&found, repo, &id);
  if (code != 0) return refuse_git(code, Kind::damaged, "the new tree");
  return Tree(found);
}

Result<Signature, Error> signature_of(const gitrepo::Person& person, const PrepareOrder& order) {
  git_signature* made = nullptr;
  const int code = git_signature_new(&made, person.name.c_str(), person.email.c_str(), order.time,
                                     order.offset_minutes);
  if (code != 0) return refuse_git(code, Kind::bad_request, person.name);
  return Signature(made);
}

Result<std::string, Error> commit_text(git_repository* repo, const PrepareOrder& order,
                                       const git_tree* tree, const git_commit* base) {
  CG_TRY_ASSIGN(const Signature author, signature_of(order.author, order));
  CG_TRY_ASSIGN(const Signature committer, signature_of(order.committer, order));
  Buffer text;
  const git_commit* parents[] = {base};
  const int code = git_commit_create_buffer(&text.raw, repo, author.get(), committer.get(), nullptr,
                                            order.message.c_str(), tree, 1, parents);
  if (code != 0) return refuse_git(code, Kind::bad_request, "the commit");
  return text.text();
}

/// Blobs, then trees in the order they were made: a tree after those in it.
std::vector<NewObject> new_objects(const MemoryOdb& memory) {
  std::vector<NewObject> out;
  for (const auto kind : {NewObject::Kind::blob, NewObject::Kind::tree}) {
    const git_object_t type = kind == NewObject::Kind::blob ? GIT_OBJECT_BLOB : GIT_OBJECT_TREE;
    for (const ObjectId& id : memory.order()) {
      if (memory.at(id).type == type) out.push_back({kind, memory.at(id).bytes});
    }
  }
  return out;
}

}  // namespace

Result<gitrepo::Prepared, Error> prepare(const Location& location, const PrepareOrder& order) {
  CG_TRY(check(order));
  MemoryOdb memory;
  CG_TRY_ASSIGN(const Repo repo, open_repository(location));
  CG_TRY(memory.put_over(repo.get()));
  CG_TRY_ASSIGN(const Commit base, find_commit(repo.get(), order.base));
  CG_TRY_ASSIGN(const Tree before, tree_of(base.get()));
  CG_TRY_ASSIGN(const Tree after, changed_tree(repo.get(), before.get(), order));
  gitrepo::Prepared prepared;
  prepared.tree = id_of(*git_tree_id(after.get()));
  if (prepared.tree == id_of(*git_tree_id(before.get()))) {
    return refuse(Kind::nothing_to_commit, "every file is as it was");
  }
  CG_TRY_ASSIGN(prepared.text, commit_text(repo.get(), order, after.get(), base.get()));
  git_oid id{};
  git_odb_hash(&id, prepared.text.data(), prepared.text.size(), GIT_OBJECT_COMMIT);
  prepared.commit = id_of(id);
  prepared.objects = new_objects(memory);
  CG_TRY_ASSIGN(TreeDiff diff, diff_trees(repo.get(), before.get(), after.get()));
  prepared.diff = std::move(diff.text);
  prepared.counts = std::move(diff.counts);
  return prepared;
}

}  // namespace cg::git
