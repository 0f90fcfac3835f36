// Managing: the package manager that each lock of a repository is installed and run with.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "fetch/manager/ready.h"
#include "flow/propose/situation.h"
#include "flow/repository/locks.h"
#include "trust/record/event.h"

namespace cg::proving {

class Managing {
 public:
  /// What is found once is kept for base and fix alike: programs are known by where they are.
  explicit Managing(propose::Situation& situation) : situation_(situation) {}

  /// For a lock whose folder is `inside` in a chamber and `outside` on the host, with the text of
  /// its .yarnrc.yml. Locks of npm have npm as `tools` know it.
  [[nodiscard]] Result<const manager::Ready*, Problem> of(
      const repository::LoadedLock& lock, const catalog::Tools& tools, const std::string& yarnrc,
      const std::string& inside, const std::string& outside, record::Events& events);

 private:
  [[nodiscard]] Result<os::Dir, Problem> folder_for(const std::string& lockfile) const;

  propose::Situation& situation_;
  std::map<std::string, manager::Ready> ready_;  // by the lock's path
};

}  // namespace cg::proving
