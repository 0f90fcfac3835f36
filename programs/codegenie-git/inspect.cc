#include <sys/stat.h>

#include "dirty.h"
#include "fetch/gitrepo/wire.h"
#include "history.h"
#include "operations.h"
#include "tree_walk.h"

namespace cg::git {

namespace {

using gitrepo::Inspection;

bool is_there(const std::string& path) {
  struct stat status {};
  return lstat(path.c_str(), &status) == 0;
}

/// HEAD's branch, and its commit where there is one.
Result<Done, Error> read_head(git_repository* repo, Inspection& out) {
  git_reference* found = nullptr;
  int code = git_reference_lookup(&found, repo, "HEAD");
  const Reference head(found);
  if (code != 0) return refuse_git(code, Kind::damaged, "HEAD");
  if (git_reference_type(head.get()) == GIT_REFERENCE_SYMBOLIC) {
    out.head_ref = git_reference_symbolic_target(head.get());
  }
  git_oid id{};
  code = git_reference_name_to_id(&id, repo, "HEAD");
  if (code == GIT_ENOTFOUND && !out.head_ref.empty()) return Done{};
  if (code != 0) return refuse_git(code, Kind::damaged, "HEAD");
  out.head = id_of(id);
  return Done{};
}

Result<Done, Error> list_submodules(git_repository* repo, const git_tree* tree,
                                    const std::vector<std::string>& without, Inspection& out) {
  return walk(repo, tree, without, [&](const TreeFile& file) -> Result<Done, Error> {
    if (file.mode != GIT_FILEMODE_COMMIT) return Done{};
    if (out.submodules.size() == gitrepo::kMaxItems) {
      return refuse(Kind::too_large, "too many submodules");
    }
    out.submodules.push_back(file.path);
    return Done{};
  });
}

Result<Done, Error> read_base(git_repository* repo, const gitrepo::InspectOrder& order,
                              Inspection& out) {
  CG_TRY_ASSIGN(const Commit base, find_commit(repo, order.base));
  CG_TRY_ASSIGN(const Tree tree, tree_of(base.get()));
  out.base = id_of(*git_commit_id(base.get()));
  out.tree = id_of(*git_tree_id(tree.get()));
  out.committed = git_commit_time(base.get());
  out.conventional = mostly_conventional(repo, base.get());
  return list_submodules(repo, tree.get(), order.interest.without, out);
}

Result<Tree, Error> head_tree(git_repository* repo, const ObjectId& head) {
  if (head.is_none()) return Tree();
  CG_TRY_ASSIGN(const Commit commit, find_commit(repo, head));
  return tree_of(commit.get());
}

}  // namespace

Result<Inspection, Error> inspect(const Location& location, const gitrepo::InspectOrder& order) {
  CG_TRY_ASSIGN(const Repo repo, open_repository(location));
  Inspection out;
  out.work_tree = location.work_tree;
  out.git_dir = location.git_dir;
  out.common_dir = location.common_dir;
  out.prefix = location.prefix;
  out.bare = location.work_tree.empty();
  out.shallow = is_there(location.common_dir + "/shallow");
  out.linked = location.linked;
  CG_TRY(read_head(repo.get(), out));
  const bool has_base = !order.base.empty() || !out.head.is_none();
  if (has_base) CG_TRY(read_base(repo.get(), order, out));
  CG_TRY_ASSIGN(const Tree head, head_tree(repo.get(), out.head));
  CG_TRY_ASSIGN(out.dirty, find_dirty(repo.get(), location, head.get(), order.interest));
  return out;
}

}  // namespace cg::git
