// A repository made by git, and codegenie-git to work on it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "fetch/gitrepo/client.h"
#include "support/support.h"

namespace cg::gitrepo {

class Bench {
 public:
  /// `repo` with three commits on main and a package.json, a lock and more in it.
  Bench();

  [[nodiscard]] std::string path(const std::string& name) const { return scratch_ / name; }
  [[nodiscard]] std::string repo() const { return path("repo"); }
  /// git in `folder` of the scratch, without any configuration of the machine; its
  /// output without the last newline. Fails the test if git fails.
  std::string git(const std::vector<std::string>& words, const std::string& folder = "repo",
                  const std::string& input = "") const;
  [[nodiscard]] test::Ran try_git(const std::vector<std::string>& words, const std::string& folder,
                                  const std::string& input = "") const;
  void write(const std::string& name, const std::string& bytes) const;
  void commit(const std::string& message, const std::string& folder = "repo") const;

  [[nodiscard]] ObjectId id(const std::string& rev, const std::string& folder = "repo") const;
  /// A change of package.json, a new file, one deleted.
  [[nodiscard]] PrepareOrder order(const std::string& folder = "repo") const;
  [[nodiscard]] static WriteOrder write_order(const std::string& repo, const Prepared& prepared);

  /// Every file beneath by its content, but for objects and refs of ours.
  [[nodiscard]] std::map<std::string, std::string> everything(const std::string& folder) const;
  /// "" or what fsck complains of.
  [[nodiscard]] std::string fsck(const std::string& folder = "repo") const;

  Git program{CG_GIT};

 private:
  test::ScratchDir scratch_;
};

inline const Filter kManifests{{"package.json", "package-lock.json"}, {}, {"node_modules"}};
inline constexpr const char* kBranch = "codegenie/cve-1-a-1.0.1";

}  // namespace cg::gitrepo
