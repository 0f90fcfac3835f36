// Checkout: the files of a repository as they are at the base, in a folder of our own.
//
// With git the base commit counts and not the work tree, so uncommitted changes are
// neither fixed nor lost. Without git the folder itself is read, and nothing written to it.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "base/os/dir.h"
#include "fetch/gitrepo/client.h"
#include "flow/job/request.h"
#include "flow/repository/tracked.h"
#include "flow/workspace/access.h"
#include "trust/hash/digest.h"

namespace cg::job {

struct ExportedTree {
  std::string folder;                        // absolute, without a link in it
  std::map<std::string, std::string> links;  // path in it -> target
  hash::Digest digest{};                     // BLAKE3 over names, modes, contents and links
};

class Checkout {
 public:
  /// `work` is a name for a private folder beneath the workspace; it is removed again
  /// when the checkout goes out of scope, or by the next run if this one is killed.
  [[nodiscard]] static Result<Checkout, Problem> open(const workspace::Access& access,
                                                      const Request& request,
                                                      const std::string& work);
  Checkout(Checkout&& other) noexcept;
  Checkout(const Checkout&) = delete;
  Checkout& operator=(const Checkout&) = delete;
  Checkout& operator=(Checkout&&) = delete;
  ~Checkout();

  /// The repository, as far as planning looks at it.
  [[nodiscard]] const os::Dir& files() const { return *files_; }
  [[nodiscard]] bool has_git() const { return git_.has_value(); }
  [[nodiscard]] const gitrepo::Inspection& git() const { return *git_; }
  /// Commit id; empty without git.
  [[nodiscard]] std::string base() const;
  /// The branch that is checked out, if the base is its commit; else empty.
  [[nodiscard]] std::string branch() const;
  /// The folder that git is asked about: the work tree, or a bare repository itself.
  [[nodiscard]] const std::string& repository() const {
    return git_->work_tree.empty() ? git_->git_dir : git_->work_tree;
  }
  /// Every file of the base commit in the folder `name` of our own, which is emptied before.
  /// Symbolic links are told, not made (sandbox::Scene::links); those that lead out of the tree
  /// are left out, as are submodules whose objects the repository does not have: `left_out` gets
  /// their paths. With git only.
  [[nodiscard]] Result<ExportedTree, Problem> export_tree(const std::string& name,
                                                          std::vector<std::string>& left_out) const;
  /// Those files of the repository's folder that `filter` lets through, in the folder `name` of
  /// our own; `paths` are theirs, beneath the repository. With git only.
  [[nodiscard]] Result<os::Dir, Problem> export_some(const std::string& name,
                                                     const gitrepo::Filter& filter,
                                                     std::vector<std::string>& paths) const;
  /// The same of another commit.
  [[nodiscard]] Result<os::Dir, Problem> export_some_of(const gitrepo::ObjectId& commit,
                                                        const std::string& name,
                                                        const gitrepo::Filter& filter,
                                                        std::vector<std::string>& paths) const;
  /// An empty folder `name` of our own. With git only.
  [[nodiscard]] Result<os::Dir, Problem> scratch(const std::string& name) const;
  /// The folder that those of scratch() and export_tree() are made in: another one in each run.
  [[nodiscard]] const std::string& private_folder() const { return folder_; }
  /// `path` beneath files() as git calls it.
  [[nodiscard]] std::string in_git(const std::string& path) const;
  /// The lockfiles of the base commit, read or not. Nothing without git: then whoever reads the
  /// folder finds out.
  [[nodiscard]] const std::optional<repository::Tracked>& tracked() const { return tracked_; }
  /// One line each: dirty files, skipped links.
  [[nodiscard]] const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  Checkout() = default;
  [[nodiscard]] Result<Done, Problem> export_base(const workspace::Access& access,
                                                  const std::string& repo, const std::string& work);

  std::optional<gitrepo::Inspection> git_;
  std::optional<os::Dir> files_;
  std::string folder_;           // absolute, to be removed; empty without git
  std::optional<os::Dir> held_;  // the same, with a lock for as long as we live
  std::size_t exported_ = 0;     // files
  std::optional<repository::Tracked> tracked_;
  std::vector<std::string> warnings_;
};

/// What planning reads of a repository: all that repository::discover() knows a use for.
[[nodiscard]] gitrepo::Filter interest();

}  // namespace cg::job
