#include "flow/repository/tracked.h"

#include <algorithm>
#include <set>

#include "base/base/text.h"
#include "fetch/gitrepo/locate.h"
#include "flow/repository/git_index.h"
#include "npm/lockfile/lock.h"

namespace cg::repository {

namespace {

constexpr std::size_t kMaxTracked = 20'000;

Tracked not_told(std::string what) { return {Tracked::State::unknown, {}, std::move(what)}; }

/// What of the index lies beneath `prefix` and is a lock.
Tracked read_index(const os::Dir& git, const std::string& prefix) {
  const auto bytes = git.read("index", kMaxIndexBytes);
  // A repository in which nothing was ever added has none.
  if (!bytes && bytes.error().kind == os::Error::Kind::not_found) {
    return {Tracked::State::listed, {}, {}};
  }
  if (!bytes) return not_told("git's index: " + os::describe(bytes.error()));
  Tracked out{Tracked::State::listed, {}, {}};
  const std::string above = prefix.empty() ? prefix : prefix + "/";
  const auto read = read_git_index(*bytes, [&](const IndexEntry& entry) {
    if (!entry.path.starts_with(above) || !is_lock_name(name_of(entry.path))) return;
    if (out.locks.size() > kMaxTracked) return;
    std::string path(entry.path.substr(above.size()));
    // A conflict has up to three entries of one path.
    if (!out.locks.empty() && out.locks.back().path == path) return;
    out.locks.push_back({std::move(path), entry.absent ? "a sparse checkout leaves it out" : ""});
  });
  if (!read) return not_told(read.error());
  if (out.locks.size() > kMaxTracked) return not_told("it has too many lockfiles");
  return out;
}

/// The first part of `path` that is there and no folder, as a link that stands for one; empty if
/// there is none.
std::string_view in_the_way(const os::Dir& dir, std::string_view path) {
  for (std::size_t at = path.find('/'); at != path.npos; at = path.find('/', at + 1)) {
    const auto there = dir.stat(std::string(path.substr(0, at)));
    if (!there) return {};
    if (there->type != os::FileInfo::Type::folder) return path.substr(0, at);
  }
  return {};
}

/// Why the walk did not come across it; empty if it is not there.
std::string why_not_found(const os::Dir& dir, const std::string& path) {
  const std::string_view link = in_the_way(dir, path);
  if (!link.empty()) return "behind " + std::string(name_of(link)) + ", a symbolic link or file";
  const auto there = dir.stat(path);
  if (!there && there.error().kind == os::Error::Kind::not_found) return {};
  const std::string_view folder = skipped_folder(path);
  if (!folder.empty()) return "in " + std::string(name_of(folder)) + ", a folder that tools fill";
  const auto depth = static_cast<std::size_t>(std::count(path.begin(), path.end(), '/'));
  if (depth > kMaxDepth) return "too deep, not looked into";
  return there ? "not looked at" : os::describe(there.error());
}

class Marker {
 public:
  Marker(const os::Dir& dir, RepoFiles& files) : dir_(dir), files_(files) {
    for (const LockFile& lock : files.locks) known_.insert(lock.path);
    for (const Note& note : files.skipped) known_.insert(note.path);
    known_.insert(files.unsupported_locks.begin(), files.unsupported_locks.end());
  }

  void mark(const TrackedLock& lock) {
    if (known_.contains(lock.path)) return;
    const std::string why = lock.why.empty() ? why_not_found(dir_, lock.path) : lock.why;
    // Deleted and not yet committed: there is nothing to read, and nobody hides it.
    if (!why.empty()) add(lock.path, why);
  }

  void add(const std::string& path, std::string why) {
    files_.skipped.push_back({path, std::move(why)});
  }

 private:
  const os::Dir& dir_;
  RepoFiles& files_;
  std::set<std::string> known_;
};

/// Where nothing is tracked there is nothing to be told of: who reads the lock says what is wrong.
void take_back(RepoFiles& files) {
  for (const Note& note : files.skipped) {
    if (const auto kind = lockfile::lock_kind_of(name_of(note.path))) {
      files.locks.push_back({note.path, *kind});
    }
  }
  files.skipped.clear();
  std::sort(files.locks.begin(), files.locks.end(),
            [](const LockFile& a, const LockFile& b) { return a.path < b.path; });
}

}  // namespace

Tracked read_tracked(const std::string& folder) {
  const auto location = gitrepo::locate(folder);
  if (!location) {
    if (location.error().kind == gitrepo::Error::Kind::not_a_repository) return {};
    return not_told(location.error().what);
  }
  const auto git = os::Dir::open(location->git_dir);
  if (!git) return not_told(os::describe(git.error()));
  return read_index(*git, location->prefix);
}

RepoFiles discover_tracked(const os::Dir& dir, const Tracked& tracked) {
  const Hidden hidden = tracked.state == Tracked::State::listed   ? Hidden::unseen
                        : tracked.state == Tracked::State::no_git ? Hidden::seen_uninstalled
                                                                  : Hidden::seen;
  RepoFiles files = discover(dir, {}, hidden);
  if (tracked.state == Tracked::State::no_git) take_back(files);
  Marker marker(dir, files);
  for (const TrackedLock& lock : tracked.locks) marker.mark(lock);
  if (tracked.state == Tracked::State::unknown) {
    for (const std::string& path : files.hidden) {
      marker.add(path, why_not_found(dir, path) + "; what git tracks cannot be told: " +
                           printable(cut_utf8(tracked.what, 200)));
    }
  }
  std::sort(files.skipped.begin(), files.skipped.end(),
            [](const Note& a, const Note& b) { return a.path < b.path; });
  return files;
}

}  // namespace cg::repository
