#include "tree_walk.h"

#include <algorithm>

#include "fetch/gitrepo/names.h"
#include "fetch/gitrepo/wire.h"

namespace cg::git {

namespace {

constexpr std::size_t kMaxDepth = 128;
constexpr std::size_t kMaxEntries = 2'000'000;  // one tree may stand in many places

class Walker {
 public:
  Walker(git_repository* repo, const std::vector<std::string>& without, const Visit& visit)
      : repo_(repo), without_(without), visit_(visit) {}

  Result<Done, Error> folder(const git_tree* tree, const std::string& prefix, std::size_t depth) {
    if (depth > kMaxDepth) return refuse(Kind::hostile, "folders within folders: " + prefix);
    for (std::size_t i = 0; i < git_tree_entrycount(tree); ++i) {
      if (++seen_ > kMaxEntries) return refuse(Kind::too_large, "too many files");
      CG_TRY(entry(git_tree_entry_byindex(tree, i), prefix, depth));
    }
    return Done{};
  }

 private:
  Result<Done, Error> entry(const git_tree_entry* entry, const std::string& prefix,
                            std::size_t depth) {
    const std::string name = git_tree_entry_name(entry);
    TreeFile file{prefix + name, git_tree_entry_filemode(entry), *git_tree_entry_id(entry)};
    if (gitrepo::is_hostile_name(name) || file.path.size() > gitrepo::kMaxPath) {
      return refuse(Kind::hostile, "the tree has a file named " + file.path);
    }
    if (file.mode != GIT_FILEMODE_TREE) return visit_(file);
    if (std::find(without_.begin(), without_.end(), name) != without_.end()) return Done{};
    git_tree* found = nullptr;
    const int code = git_tree_lookup(&found, repo_, &file.id);
    const Tree tree(found);
    if (code != 0) return refuse_git(code, Kind::damaged, file.path);
    return folder(tree.get(), file.path + "/", depth + 1);
  }

  git_repository* repo_;
  const std::vector<std::string>& without_;
  const Visit& visit_;
  std::size_t seen_ = 0;
};

}  // namespace

Result<Done, Error> walk(git_repository* repo, const git_tree* top,
                         const std::vector<std::string>& without, const Visit& visit) {
  return Walker(repo, without, visit).folder(top, "", 0);
}

}  // namespace cg::git
