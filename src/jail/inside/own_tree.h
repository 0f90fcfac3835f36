// OwnTree: the files of one step alone.
//
// A step whose answer counts must find what the install left, and nothing that another step did
// to it. It works on a copy, in a mount namespace where the copy is /tree. Everything is copied
// file by file, so that nothing tells a planted file from its neighbours; only the folders called
// node_modules, which are most of it, are laid over the shared ones (overlayfs) where the kernel
// can do that well enough. /tmp, /dev/shm and the home are empty. Where the chamber has git, the
// copy is a repository (jail/snapshot): what is planted is in its commit like everything else.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "base/base/result.h"
#include "jail/inside/site.h"
#include "jail/sandbox/chamber.h"

namespace cg::inside {

struct OwnTree {
  std::string folder;                // of the scratch: has tree, tmp, shm, and two for each layer
  std::vector<std::string> layered;  // folders of the tree, relative, laid over the shared ones
  std::vector<std::string> seen;     // Step::seen
  std::string no_git;                // Ran::no_git
  std::int64_t made_at = 0;          // by the clock of its files, ns: all of them are older
};

class OwnTrees {
 public:
  /// Remembers which files the shared tree has from the beginning: call before any step.
  explicit OwnTrees(const Site& site);

  [[nodiscard]] Result<OwnTree, sandbox::Error> make(const sandbox::Step& step);
  /// After the step, when nobody is left in it: Ran::altered.
  [[nodiscard]] std::vector<std::string> altered(const OwnTree& own) const;
  /// Then: puts aside what is to be kept, removes the rest.
  void finish(const OwnTree& own, const sandbox::Step& step) const;
  /// "overlay" or "copy"; known after the first make().
  [[nodiscard]] const char* how() const { return layers_.value_or(false) ? "overlay" : "copy"; }

 private:
  [[nodiscard]] std::string add_repository(const OwnTree& own, const sandbox::Step& step) const;
  void keep_built(const OwnTree& own) const;
  void keep_packages(const OwnTree& own, const std::vector<std::string>& packages) const;
  [[nodiscard]] bool is_built(const std::string& path, const std::string& file) const;

  const Site& site_;
  std::set<std::string> first_;  // files and links, relative
  std::optional<bool> layers_;   // whether overlayfs serves
  unsigned count_ = 0;
};

/// In the step's mount namespace, with the right to mount: makes it /tree, /tmp and /dev/shm.
[[nodiscard]] Refused enter_own(const OwnTree& own);

/// Where who is not in the step's namespace finds `path` of the step.
[[nodiscard]] std::string found_at(const std::string& path, const OwnTree& own);

}  // namespace cg::inside
