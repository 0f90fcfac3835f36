#include "operations.h"
#include "patch.h"

namespace cg::git {

namespace {

Result<Tree, Error> parent_tree(const git_commit* commit) {
  if (git_commit_parentcount(commit) == 0) return Tree();
  git_commit* found = nullptr;
  const int code = git_commit_parent(&found, commit, 0);
  const Commit parent(found);
  if (code != 0) return refuse_git(code, Kind::damaged, "the parent is not here");
  return tree_of(parent.get());
}

/// Both parts of a commit's text: signature, and what it is over.
Result<Done, Error> take_apart(git_repository* repo, const git_commit* commit,
                               gitrepo::Shown& shown) {
  git_oid id = *git_commit_id(commit);
  Buffer signature;
  Buffer signed_text;
  const int code =
      git_commit_extract_signature(&signature.raw, &signed_text.raw, repo, &id, nullptr);
  if (code == 0) {
    shown.signature = signature.text();
    shown.text = signed_text.text();
    return Done{};
  }
  if (code != GIT_ENOTFOUND) return refuse_git(code, Kind::damaged, id_of(id).hex());
  shown.text = std::string(git_commit_raw_header(commit)) + "\n" + git_commit_message_raw(commit);
  return Done{};
}

}  // namespace

Result<gitrepo::Shown, Error> show(const Location& location, const gitrepo::ShowOrder& order) {
  CG_TRY_ASSIGN(const Repo repo, open_repository(location));
  CG_TRY_ASSIGN(const Commit commit, find_commit(repo.get(), order.what));
  gitrepo::Shown shown;
  shown.commit = id_of(*git_commit_id(commit.get()));
  shown.tree = id_of(*git_commit_tree_id(commit.get()));
  for (unsigned i = 0; i < git_commit_parentcount(commit.get()); ++i) {
    shown.parents.push_back(id_of(*git_commit_parent_id(commit.get(), i)));
  }
  shown.message = git_commit_message_raw(commit.get());
  CG_TRY(take_apart(repo.get(), commit.get(), shown));
  CG_TRY_ASSIGN(const Tree tree, tree_of(commit.get()));
  CG_TRY_ASSIGN(const Tree before, parent_tree(commit.get()));
  CG_TRY_ASSIGN(TreeDiff diff, diff_trees(repo.get(), before.get(), tree.get()));
  shown.diff = std::move(diff.text);
  return shown;
}

}  // namespace cg::git
