#include "flow/proving/managing.h"

#include <sys/stat.h>

#include "base/base/text.h"
#include "trust/hash/blake3.h"

namespace cg::proving {

namespace {

constexpr const char* kManagers = "cache/managers";

}  // namespace

/// The same in every run: whoever recalls a step meets the programs where it left them. One run at
/// a time works on a repository.
Result<os::Dir, Problem> Managing::folder_for(const std::string& lockfile) const {
  const std::string about = situation_.base.checkout.repository() + "\n" + lockfile;
  const std::string name = to_hex(hash::blake3(as_bytes(about))).substr(0, 32);
  const os::Dir& home = situation_.catalog->home();
  auto laid = [&]() -> Result<os::Dir, os::Error> {
    CG_TRY(home.make_dir(kManagers));
    CG_TRY_ASSIGN(const os::Dir all, home.open_dir(kManagers));
    CG_TRY(all.remove_tree(name));
    CG_TRY(all.make_dir(name));
    return all.open_dir(name);
  }();
  if (laid) return *std::move(laid);
  return fail(Problem{ErrorCode::home_io,
                      "a folder for the package manager cannot be made",
                      {{"path", os::describe(laid.error())}},
                      "the fix is not proven, so no branch was made of it",
                      {}});
}

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
  CG_TRY_ASSIGN(const os::Dir folder, folder_for(lock.path));
  CG_TRY_ASSIGN(manager::Ready ready,
                manager::make_ready(*situation_.catalog, *wish, tools, folder, inside));
  if (ready.fetched) {
    events.emplace_back(record::ManagerFetched{ready.fetched->integrity, cut(lock.path, 500),
                                               ready.fetched->package, ready.fetched->version});
  }
  return &ready_.emplace(lock.path, std::move(ready)).first->second;
}

}  // namespace cg::proving
