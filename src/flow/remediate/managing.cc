#include "flow/remediate/managing.h"

#include <sys/stat.h>

#include "base/base/text.h"

namespace cg::remediate {

Result<const manager::Ready*, Problem> Managing::of(
    const repository::LoadedLock& lock, const catalog::Tools& tools, const std::string& yarnrc,
    const std::string& inside, const std::string& outside, record::Events& events) {
  const auto known = ready_.find(lock.path);
  if (known != ready_.end()) return &known->second;
  static const npm::Manifest kNone;
  auto wish = manager::wish_of(lock.manifests.empty() ? kNone : lock.manifests.front(),
                               lock.graph.kind(), lock.graph.lock_version(), yarnrc);
  if (!wish) return &ready_.emplace(lock.path, manager::Ready{tools, "", {}, {}}).first->second;
  struct stat found {};
  if (!wish->own.empty() && lstat((outside + "/" + wish->own).c_str(), &found) != 0) {
    wish->notes.push_back("yarnPath names " + printable(cut_utf8(wish->own, 100)) +
                          ", which is not in the repository");
    wish->own.clear();
    if (wish->by == manager::Wish::By::yarn_path) {
      wish->by = manager::Wish::By::lock;
      wish->range = wish->fits;
    }
  }
  CG_TRY_ASSIGN(const os::Dir folder,
                situation_.base.checkout.scratch("manager-" + std::to_string(ready_.size())));
  CG_TRY_ASSIGN(manager::Ready ready,
                manager::make_ready(*situation_.catalog, *wish, tools, folder, inside));
  if (ready.fetched) {
    events.emplace_back(record::ManagerFetched{ready.fetched->integrity, cut(lock.path, 500),
                                               ready.fetched->package, ready.fetched->version});
  }
  return &ready_.emplace(lock.path, std::move(ready)).first->second;
}

}  // namespace cg::remediate
