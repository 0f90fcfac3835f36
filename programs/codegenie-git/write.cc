#include <sys/stat.h>
#include <unistd.h>

#include <array>

#include "base/base/text.h"
#include "base/os/dir.h"
#include "fetch/gitrepo/names.h"
#include "operations.h"

namespace cg::git {

namespace {

using gitrepo::NewObject;
using gitrepo::WriteOrder;
using gitrepo::Written;

constexpr std::size_t kMaxWorktrees = 10'000;
constexpr std::size_t kMaxHead = 4'096;
constexpr std::size_t kShortId = 12;
constexpr std::string_view kHeads = "refs/heads/";
constexpr std::string_view kSuperseded = "refs/codegenie/superseded/";

Result<Done, Error> check(const WriteOrder& order) {
  const bool is_beneath = !order.prefix.empty() && order.branch.starts_with(order.prefix) &&
                          order.branch.size() > order.prefix.size();
  if (!is_beneath || !gitrepo::is_ref_name(order.branch)) {
    return refuse(Kind::bad_request, "no branch may be named " + order.branch);
  }
  const bool is_armoured =
      order.signature.empty() || (order.signature.starts_with("-----BEGIN ") &&
                                  order.signature.find('\0') == order.signature.npos);
  if (!is_armoured || order.text.find('\0') != order.text.npos) {
    return refuse(Kind::bad_request, "the signature or the commit is no text");
  }
  return Done{};
}

/// A folder on the way to the ref that is a link could make one branch another.
Result<Done, Error> check_way(const Location& location, const std::string& ref) {
  for (std::size_t at = ref.find('/');; at = ref.find('/', at + 1)) {
    const std::string path = location.common_dir + "/" + ref.substr(0, at);
    struct stat status {};
    if (lstat(path.c_str(), &status) == 0 && S_ISLNK(status.st_mode)) {
      return refuse(Kind::hostile, path + " is a symbolic link");
    }
    if (at == ref.npos) return Done{};
  }
}

/// A run that was killed leaves its lock on a ref behind, and nobody else writes refs of
/// these names: the caller holds the repository's RepoLock.
void drop_stale_lock(const Location& location, const std::string& ref) {
  static_cast<void>(unlink((location.common_dir + "/" + ref + ".lock").c_str()));
}

/// Files in which git notes the branch of a work tree, or the one that a rebase under
/// way will come back to.
constexpr std::array kHeadFiles = {"HEAD", "rebase-merge/head-name", "rebase-apply/head-name"};

bool is_on(const os::Dir& dir, const std::string& folder, const std::string& ref) {
  for (const char* name : kHeadFiles) {
    const auto text = dir.read(folder + name, kMaxHead);
    if (!text) continue;
    std::string_view target = trim(*text);
    if (target.starts_with("ref:")) target = trim(target.substr(4));
    if (target == ref) return true;
  }
  return false;
}

Result<Done, Error> check_not_checked_out(const Location& location, const std::string& ref) {
  const auto common = os::Dir::open(location.common_dir);
  if (!common) return refuse(Kind::storage, os::describe(common.error()));
  if (is_on(*common, "", ref)) return refuse(Kind::branch_checked_out, ref);
  const auto names = common->list("worktrees", kMaxWorktrees);
  if (!names && names.error().kind == os::Error::Kind::not_found) return Done{};
  if (!names) return refuse(Kind::hostile, "worktrees: " + os::describe(names.error()));
  for (const std::string& name : *names) {
    if (is_on(*common, "worktrees/" + name + "/", ref)) {
      return refuse(Kind::branch_checked_out, ref + " in the work tree " + name);
    }
  }
  return Done{};
}

Result<Done, Error> check_tree(git_repository* repo, git_odb* odb, const git_oid& id) {
  git_tree* found = nullptr;
  const int code = git_tree_lookup(&found, repo, &id);
  const Tree tree(found);
  if (code != 0) return refuse_git(code, Kind::bad_request, "a tree");
  for (std::size_t i = 0; i < git_tree_entrycount(tree.get()); ++i) {
    const git_tree_entry* entry = git_tree_entry_byindex(tree.get(), i);
    const bool is_foreign = git_tree_entry_filemode(entry) == GIT_FILEMODE_COMMIT;
    if (gitrepo::is_hostile_name(git_tree_entry_name(entry)) ||
        (!is_foreign && git_odb_exists(odb, git_tree_entry_id(entry)) == 0)) {
      return refuse(Kind::bad_request, std::string("a tree with ") + git_tree_entry_name(entry));
    }
  }
  return Done{};
}

Result<Done, Error> write_objects(git_repository* repo, const std::vector<NewObject>& objects) {
  git_odb* opened = nullptr;
  int code = git_repository_odb(&opened, repo);
  const Odb odb(opened);
  if (code != 0) return refuse_git(code, Kind::damaged, "objects");
  for (const NewObject& object : objects) {
    const bool is_tree = object.kind == NewObject::Kind::tree;
    git_oid id{};
    code = git_odb_write(&id, odb.get(), object.bytes.data(), object.bytes.size(),
                         is_tree ? GIT_OBJECT_TREE : GIT_OBJECT_BLOB);
    if (code != 0) return refuse_git(code, Kind::storage, "an object");
    if (is_tree) CG_TRY(check_tree(repo, odb.get(), id));
  }
  return Done{};
}

Result<Commit, Error> write_commit(git_repository* repo, const WriteOrder& order) {
  std::string signature = order.signature;
  while (signature.ends_with('\n')) signature.pop_back();
  git_oid id{};
  const int code = git_commit_create_with_signature(
      &id, repo, order.text.c_str(), signature.empty() ? nullptr : signature.c_str(), nullptr);
  if (code != 0) return refuse_git(code, Kind::bad_request, "the commit");
  return find_commit(repo, id_of(id));
}

bool same_work(const git_commit* a, const git_commit* b) {
  if (git_oid_equal(git_commit_tree_id(a), git_commit_tree_id(b)) == 0) return false;
  if (std::string_view(git_commit_message_raw(a)) != git_commit_message_raw(b)) return false;
  const unsigned parents = git_commit_parentcount(a);
  if (git_commit_parentcount(b) != parents) return false;
  for (unsigned i = 0; i < parents; ++i) {
    if (git_oid_equal(git_commit_parent_id(a, i), git_commit_parent_id(b, i)) == 0) return false;
  }
  return true;
}

/// The ref as it is, null if there is none.
Result<Reference, Error> look_up(git_repository* repo, const std::string& ref) {
  git_reference* found = nullptr;
  const int code = git_reference_lookup(&found, repo, ref.c_str());
  if (code == GIT_ENOTFOUND) return Reference();
  if (code != 0) return refuse_git(code, Kind::damaged, ref);
  Reference reference(found);
  if (git_reference_type(found) != GIT_REFERENCE_DIRECT) {
    return refuse(Kind::hostile, ref + " stands for another branch");
  }
  return reference;
}

/// Moves `ref` to `id` if it still is at `before`; null: if it still is not there.
Result<Done, Error> move(git_repository* repo, const std::string& ref, const git_oid& id,
                         const git_oid* before) {
  git_reference* made = nullptr;
  const int code =
      before == nullptr
          ? git_reference_create(&made, repo, ref.c_str(), &id, 0, "codegenie")
          : git_reference_create_matching(&made, repo, ref.c_str(), &id, 1, before, "codegenie");
  const Reference reference(made);
  if (code == 0) return Done{};
  if (code == GIT_EEXISTS || code == GIT_EMODIFIED) {
    return refuse_git(code, Kind::locked, ref + " was moved by somebody else");
  }
  const git_error* last = git_error_last();
  const bool is_name = last != nullptr && last->klass == GIT_ERROR_REFERENCE;
  return refuse_git(code, is_name ? Kind::branch_in_the_way : Kind::storage, ref);
}

/// A branch `a` leaves no room for `a/b`.
Result<Done, Error> check_room(git_repository* repo, const std::string& ref) {
  for (std::size_t at = ref.find('/', kHeads.size()); at != ref.npos; at = ref.find('/', at + 1)) {
    git_reference* found = nullptr;
    const int code = git_reference_lookup(&found, repo, ref.substr(0, at).c_str());
    const Reference reference(found);
    if (code == 0) {
      return refuse(Kind::branch_in_the_way, "there is a branch " + ref.substr(0, at));
    }
  }
  return Done{};
}

/// Gives the old head a name, unless it has it.
Result<std::string, Error> keep(git_repository* repo, const Location& location,
                                const std::string& branch, const git_oid& old) {
  const std::string name =
      std::string(kSuperseded) + branch + "/" + id_of(old).hex().substr(0, kShortId);
  CG_TRY(check_way(location, name));
  drop_stale_lock(location, name);
  CG_TRY_ASSIGN(const Reference there, look_up(repo, name));
  if (there == nullptr) CG_TRY(move(repo, name, old, nullptr));
  return name;
}

Result<Written, Error> replace(git_repository* repo, const Location& location,
                               const WriteOrder& order, const git_oid& old,
                               const git_commit* commit) {
  const ObjectId before = id_of(old);
  auto there = find_commit(repo, before);
  const bool is_same = there && same_work(there->get(), commit);
  if (is_same) return Written{Written::Outcome::found, before, before, ""};
  CG_TRY_ASSIGN(std::string kept, keep(repo, location, order.branch, old));
  CG_TRY(move(repo, std::string(kHeads) + order.branch, *git_commit_id(commit), &old));
  return Written{Written::Outcome::replaced, id_of(*git_commit_id(commit)), before,
                 std::move(kept)};
}

}  // namespace

Result<Written, Error> write_branch(const Location& location, const WriteOrder& order) {
  CG_TRY(check(order));
  const std::string ref = std::string(kHeads) + order.branch;
  CG_TRY_ASSIGN(const Repo repo, open_repository(location));
  CG_TRY(check_way(location, ref));
  drop_stale_lock(location, ref);
  CG_TRY(check_not_checked_out(location, ref));
  CG_TRY_ASSIGN(const Reference there, look_up(repo.get(), ref));
  if (there == nullptr) CG_TRY(check_room(repo.get(), ref));
  CG_TRY(write_objects(repo.get(), order.objects));
  CG_TRY_ASSIGN(const Commit commit, write_commit(repo.get(), order));
  const git_oid id = *git_commit_id(commit.get());
  if (there == nullptr) {
    CG_TRY(move(repo.get(), ref, id, nullptr));
    return Written{Written::Outcome::created, id_of(id), ObjectId(), ""};
  }
  return replace(repo.get(), location, order, *git_reference_target(there.get()), commit.get());
}

}  // namespace cg::git
