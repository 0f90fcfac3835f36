#include "jail/inside/groups.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "base/base/text.h"

namespace cg::inside {

namespace {

using os::Fd;

constexpr unsigned kMaxLeft = 256;
constexpr unsigned kMaxNames = 64;
constexpr std::uint64_t kForTheKernel = 64U << 20U;  // what it counts besides, files' own apart

const char* memory_limit(bool two) { return two ? "memory.max" : "memory.limit_in_bytes"; }

std::string read_small(int at, const char* name) {
  const Fd file(openat(at, name, O_RDONLY | O_CLOEXEC));
  std::array<char, 4096> buffer{};
  if (!file.is_open()) return "";
  const ssize_t n = read(file.get(), buffer.data(), buffer.size());
  return n > 0 ? std::string(buffer.data(), static_cast<std::size_t>(n)) : "";
}

bool write_small(int at, const char* name, const std::string& text) {
  const Fd file(openat(at, name, O_WRONLY | O_CLOEXEC));
  return file.is_open() &&
         write(file.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

/// The path after "N:controller:" in /proc/self/cgroup; nothing if there is no such line.
std::optional<std::string> own_path(const std::string& listing, std::string_view controller) {
  for (const std::string_view line : split(listing, '\n')) {
    const auto parts = split(line, ':');
    if (parts.size() < 3 || parts[1] != controller) continue;
    return std::string(line.substr(parts[0].size() + parts[1].size() + 2));
  }
  return std::nullopt;
}

std::uint64_t field(const std::string& text, std::string_view name) {
  for (const std::string_view line : split(text, '\n')) {
    if (!line.starts_with(name) || line.size() <= name.size() || line[name.size()] != ' ') continue;
    return parse_u64(line.substr(name.size() + 1)).value_or(0);
  }
  return 0;
}

constexpr std::string_view kPrefix = "codegenie-jail-";

/// Removes an empty folder of ours, and what its steps left in it. Nothing happens to one with a
/// process in it: the kernel refuses.
void remove_folder(int fd, const std::string& path) {
  unlinkat(fd, "server", AT_REMOVEDIR);
  // Of steps whose server was killed.
  for (unsigned n = 1; n <= kMaxLeft && rmdir(path.c_str()) != 0; ++n) {
    unlinkat(fd, ("step-" + std::to_string(n)).c_str(), AT_REMOVEDIR);
  }
}

/// Removes what jails left in `parent` whose every process was killed, its keeper too. Whoever uses
/// a folder holds a lock on it, which ends with the last of them.
void sweep(const std::string& parent) {
  const std::unique_ptr<DIR, int (*)(DIR*)> listing(opendir(parent.c_str()), closedir);
  if (listing == nullptr) return;
  unsigned seen = 0;
  while (const dirent* entry = readdir(listing.get())) {
    if (!std::string_view(entry->d_name).starts_with(kPrefix) || ++seen > kMaxLeft) continue;
    const Fd fd(openat(dirfd(listing.get()), entry->d_name, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!fd.is_open() || flock(fd.get(), LOCK_EX | LOCK_NB) != 0) continue;
    remove_folder(fd.get(), parent + "/" + entry->d_name);
  }
}

/// The folder at `path`, locked; nothing if it is another's, or a sweep took it before the lock.
std::shared_ptr<Fd> claim(const std::string& path) {
  if (mkdir(path.c_str(), 0700) != 0) return nullptr;
  auto fd = std::make_shared<Fd>(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (fd->is_open() && flock(fd->get(), LOCK_EX | LOCK_NB) == 0) {
    struct stat held {};
    struct stat there {};
    if (fstat(fd->get(), &held) == 0 && stat(path.c_str(), &there) == 0 &&
        held.st_ino == there.st_ino) {
      return fd;
    }
  }
  errno = EEXIST;
  return nullptr;
}

}  // namespace

std::optional<Groups> Groups::make(std::uint64_t files, std::string& why) {
  const std::string listing = read_small(AT_FDCWD, "/proc/self/cgroup");
  std::vector<std::string> parents;
  Groups groups;
  groups.left_ = files + files / 4 + kForTheKernel;  // a small file costs more than its bytes
  const auto memory = own_path(listing, "memory");
  const auto pids = own_path(listing, "pids");
  if (memory && pids) {
    parents = {"/sys/fs/cgroup/memory" + *memory, "/sys/fs/cgroup/pids" + *pids};
  } else if (const auto unified = own_path(listing, "")) {
    groups.two_ = true;
    parents = {"/sys/fs/cgroup" + *unified};
  } else {
    why = "no cgroups";
    return std::nullopt;
  }
  for (const std::string& parent : parents) {
    sweep(parent);
    if (groups.add_folder(parent)) continue;
    why = std::string("not delegated (") + strerrordesc_np(errno) + ")";
    groups.remove();
    return std::nullopt;
  }
  if (groups.two_ &&
      !write_small(groups.folders_[0].fd->get(), "cgroup.subtree_control", "+memory +pids")) {
    why = "not delegated (its controllers cannot be used)";
    groups.remove();
    return std::nullopt;
  }
  return groups;
}

/// Process ids come again, and are given out by each pid namespace anew: a name in use is no reason
/// to go without limits.
bool Groups::add_folder(const std::string& parent) {
  for (unsigned n = 0; n < kMaxNames; ++n) {
    const std::string path =
        parent + "/" + std::string(kPrefix) + std::to_string(getpid()) + "-" + std::to_string(n);
    auto fd = claim(path);
    if (fd != nullptr) {
      folders_.push_back({path, std::move(fd)});
      return true;
    }
    if (errno != EEXIST) return false;
  }
  return false;
}

bool Groups::give_to(unsigned id) const {
  if (fchownat(folders_.front().fd->get(), memory_limit(two_), id, id, 0) != 0) return false;
  for (const Folder& folder : folders_) {
    const int fd = folder.fd->get();
    if (fchown(fd, id, id) != 0) return false;
    if (fchownat(fd, "cgroup.procs", id, id, 0) != 0) return false;
    if (!two_) continue;
    // Version 2 lets a process be moved only by who may write in the group above both.
    if (mkdirat(fd, "server", 0755) != 0) return false;
    if (fchownat(fd, "server/cgroup.procs", id, id, 0) != 0) return false;
    if (!write_small(fd, "server/cgroup.procs", "0")) return false;
  }
  return true;
}

void Groups::remove() const {
  for (const Folder& folder : folders_) remove_folder(folder.fd->get(), folder.path);
}

std::optional<Group> Groups::make_group() const {
  static unsigned count = 0;
  Group group(two_, left_, "step-" + std::to_string(++count));
  for (const Folder& folder : folders_) {
    if (mkdirat(folder.fd->get(), group.name_.c_str(), 0700) != 0) return std::nullopt;
    Fd fd(openat(folder.fd->get(), group.name_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    group.parts_.push_back({folder.fd, std::move(fd)});
    if (!group.parts_.back().fd.is_open()) return std::nullopt;
  }
  if (two_) write_small(group.parts_[0].fd.get(), "memory.oom.group", "1");
  return group;
}

Group::~Group() {
  for (const Part& part : parts_) unlinkat(part.parent->get(), name_.c_str(), AT_REMOVEDIR);
}

bool Group::enter() const {
  for (const Part& part : parts_) {
    if (!write_small(part.fd.get(), "cgroup.procs", "0")) return false;
  }
  return true;
}

bool Group::limit(std::uint64_t memory, unsigned processes) const {
  const int at = parts_.front().fd.get();
  const bool held =
      write_small(at, memory_limit(two_), std::to_string(memory)) &&
      write_small(parts_.front().parent->get(), memory_limit(two_), std::to_string(memory + left_));
  // Swap would only make the end slower. Kernels without it have no such file.
  write_small(at, two_ ? "memory.swap.max" : "memory.memsw.limit_in_bytes",
              two_ ? "0" : std::to_string(memory));
  return write_small(parts_.back().fd.get(), "pids.max", std::to_string(processes)) && held;
}

bool Group::ran_out_of_memory() const {
  const char* file = two_ ? "memory.events" : "memory.oom_control";
  return field(read_small(parts_.front().fd.get(), file), "oom_kill") > 0;
}

std::uint64_t Group::peak_memory() const {
  const char* file = two_ ? "memory.peak" : "memory.max_usage_in_bytes";
  return parse_u64(trim(read_small(parts_.front().fd.get(), file))).value_or(0);
}

}  // namespace cg::inside
