#include "flow/repository/enclosing.h"

#include <sys/stat.h>

#include <algorithm>

#include "base/base/text.h"
#include "base/os/dir.h"
#include "fetch/gitrepo/locate.h"
#include "flow/repository/files.h"

namespace cg::repository {

namespace {

bool has_lock(const std::string& folder) {
  return std::any_of(kLockNames.begin(), kLockNames.end(), [&](std::string_view name) {
    struct stat status {};
    return lstat((folder + "/" + std::string(name)).c_str(), &status) == 0;
  });
}

}  // namespace

std::optional<std::string> lock_above(const std::string& folder) {
  const auto location = gitrepo::locate(folder);
  if (!location || location->prefix.empty() || has_lock(folder)) return std::nullopt;
  const std::string& top = location->work_tree;
  std::string at = top + "/" + location->prefix;
  while (at.size() > top.size()) {
    at.resize(at.rfind('/'));
    if (has_lock(at)) return at;
  }
  return std::nullopt;
}

std::string repository_of(const std::string& named) {
  auto above = lock_above(named);
  if (!above) return named;
  // By its real path: who names a folder may name it by a link.
  const auto location = gitrepo::locate(named);
  if (!location) return named;
  const auto dir = os::Dir::open(location->work_tree + "/" + location->prefix);
  if (!dir) return named;
  const RepoFiles files = discover(*dir);
  const bool none = files.locks.empty() && files.unsupported_locks.empty() && files.skipped.empty();
  return none ? *std::move(above) : named;
}

std::string taken_instead(const std::string& named, const std::string& taken) {
  return "no lockfile in " + printable(named) + "; taken is " + printable(taken) + ", around it";
}

}  // namespace cg::repository
