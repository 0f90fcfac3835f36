#include "jail/inside/root_fs.h"

#include <fcntl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "base/base/text.h"
#include "jail/inside/tree_copy.h"

namespace cg::inside {

namespace {

using os::Fd;
using sandbox::Error;
using sandbox::Furnish;
using sandbox::Place;

constexpr std::uint64_t kRootBytes = 8U << 20U;
constexpr std::size_t kMaxCopied = 4U << 20U;

Error scene_error(const std::string& path, int code) {
  return {Error::Kind::scene, printable(path) + ": " + strerrordesc_np(code)};
}

enum class Rights { read_only, device, untouched };

/// The host's `path`, loose. What it holds cannot be written through it.
Result<Loose, int> loosen(const std::string& from, const std::string& to, Rights rights) {
  Loose out;
  out.path = to;
  out.fd = Fd(open_tree(AT_FDCWD, from.c_str(),
                        OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE | AT_SYMLINK_NOFOLLOW));
  struct stat status {};
  if (!out.fd.is_open() || fstat(out.fd.get(), &status) != 0) return fail(errno);
  if (S_ISLNK(status.st_mode)) return fail(ELOOP);
  out.folder = S_ISDIR(status.st_mode);
  mount_attr attributes{};
  if (rights == Rights::read_only) {
    attributes.attr_set = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV;
  } else if (rights == Rights::device) {
    attributes.attr_set = MOUNT_ATTR_NOSUID | MOUNT_ATTR_NOEXEC;
  }
  attributes.propagation = MS_PRIVATE;
  if (mount_setattr(out.fd.get(), "", AT_EMPTY_PATH | AT_RECURSIVE, &attributes,
                    sizeof attributes) != 0) {
    return fail(errno);
  }
  return out;
}

bool is_real_folder(const std::string& path) {
  struct stat status {};
  return lstat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

/// A path of Scene::readable may be a link on the host: what it leads to is bound.
std::string real_path(const std::string& path) {
  char* real = realpath(path.c_str(), nullptr);
  std::string out = real != nullptr ? real : path;
  free(real);
  return out;
}

bool is_wanted(const Place& place) {
  switch (place.kind) {
    case Place::Kind::bind:
    case Place::Kind::device:
      return true;
    case Place::Kind::follow:
      return is_real_folder(place.path);
    case Place::Kind::copied:
    case Place::Kind::written:
    case Place::Kind::link:
    case Place::Kind::scratch:
    case Place::Kind::terminals:
      return false;
  }
  return false;
}

/// What lies in /usr is there already, and read-only.
bool is_in_usr(const std::string& path) { return path == "/usr" || path.starts_with("/usr/"); }

Result<Done, Error> gather_place(std::vector<Loose>& out, const Place& place) {
  const bool asked_for = !place.what.empty();
  if (asked_for && is_in_usr(place.path)) return Done{};
  const std::string from = asked_for ? real_path(place.path) : place.path;
  auto loose = loosen(from, place.path,
                      place.kind == Place::Kind::device ? Rights::device : Rights::read_only);
  if (loose) {
    out.push_back(*std::move(loose));
    return Done{};
  }
  if (asked_for) return fail(scene_error(place.path, loose.error()));
  if (loose.error() == ENOENT || loose.error() == ELOOP) return Done{};
  return fail(setup_failed("mount of " + place.path, loose.error()));
}

Result<Done, Error> gather_shelf(std::vector<Loose>& out, const Furnish& order) {
  if (order.scene.shelf.empty()) return Done{};
  auto folder = loosen(order.scene.shelf, kShelfFolder, Rights::read_only);
  if (!folder) return fail(scene_error(order.scene.shelf, folder.error()));
  const std::string program = order.programs + "/codegenie-shelf";
  auto bound = loosen(program, kShelfProgram, Rights::read_only);
  if (!bound) {
    return fail(
        Error{Error::Kind::missing, printable(program) + ": " + strerrordesc_np(bound.error())});
  }
  out.push_back(*std::move(folder));
  out.push_back(*std::move(bound));
  return Done{};
}

// --- what is made in the new root; `at` is its folder, paths start with a slash ---

/// Folders on the way to `path`, and `path` itself if it is to be one.
void make_way(int at, const std::string& path, bool folder) {
  for (std::size_t slash = path.find('/', 1); slash != std::string::npos;
       slash = path.find('/', slash + 1)) {
    mkdirat(at, path.substr(1, slash - 1).c_str(), 0755);
  }
  if (folder) {
    mkdirat(at, path.c_str() + 1, 0755);
    return;
  }
  const Fd file(openat(at, path.c_str() + 1, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644));
}

Result<Done, Error> attach(int at, const std::string& path, bool folder, int what) {
  make_way(at, path, folder);
  if (move_mount(what, "", at, path.c_str() + 1, MOVE_MOUNT_F_EMPTY_PATH) != 0) {
    return fail(setup_failed("mount of " + path, errno));
  }
  return Done{};
}

Result<Done, Error> write_file(int at, const std::string& path, std::string_view text) {
  make_way(at, path, false);
  const Fd file(openat(at, path.c_str() + 1, O_WRONLY | O_CLOEXEC));
  if (!file.is_open() ||
      write(file.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size())) {
    return fail(setup_failed(path, errno));
  }
  return Done{};
}

Result<Done, Error> copy_file(int at, const std::string& path) {
  const Fd source(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!source.is_open()) return Done{};
  struct stat status {};
  if (fstat(source.get(), &status) != 0 || !S_ISREG(status.st_mode)) return Done{};
  std::string bytes(std::min(kMaxCopied, static_cast<std::size_t>(status.st_size)), '\0');
  const ssize_t n = read(source.get(), bytes.data(), bytes.size());
  bytes.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
  return write_file(at, path, bytes);
}

Result<Done, Error> make_link(int at, const std::string& path, const std::string& target) {
  make_way(at, path.substr(0, path.rfind('/')), true);
  if (symlinkat(target.c_str(), at, path.c_str() + 1) != 0) return fail(setup_failed(path, errno));
  return Done{};
}

/// The same link as the host's; a folder was gathered.
Result<Done, Error> follow_link(int at, const std::string& path) {
  std::array<char, 256> target{};
  const ssize_t size = readlink(path.c_str(), target.data(), target.size() - 1);
  if (size <= 0) return Done{};
  if (symlinkat(target.data(), at, path.c_str() + 1) != 0) return fail(setup_failed(path, errno));
  return Done{};
}

/// A part of the scratch file system, which is in the new root already: one that is mounted
/// nowhere yet cannot be taken apart before Linux 6.15.
Result<Done, Error> attach_scratch(int at, const Place& place) {
  const std::string from = std::string(kScratch + 1) + "/" + place.what;
  const Fd part(open_tree(at, from.c_str(), OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC));
  if (!part.is_open()) return fail(setup_failed("mount of " + place.path, errno));
  return attach(at, place.path, true, part.get());
}

/// Those of the host are on another file system. A kernel that has none to give leaves a step
/// without: that is nothing less for the isolation.
Result<Done, Error> attach_terminals(int at, const std::string& path) {
  make_way(at, path, true);
  const Fd config(fsopen("devpts", FSOPEN_CLOEXEC));
  const std::string most = std::to_string(sandbox::kMaxTerminals);
  if (!config.is_open() ||
      fsconfig(config.get(), FSCONFIG_SET_STRING, "ptmxmode", "0666", 0) != 0 ||
      fsconfig(config.get(), FSCONFIG_SET_STRING, "mode", "0600", 0) != 0 ||
      fsconfig(config.get(), FSCONFIG_SET_STRING, "max", most.c_str(), 0) != 0 ||
      fsconfig(config.get(), FSCONFIG_CMD_CREATE, nullptr, nullptr, 0) != 0) {
    return Done{};
  }
  const Fd mounted(fsmount(config.get(), FSMOUNT_CLOEXEC, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NOEXEC));
  if (!mounted.is_open()) return Done{};
  return attach(at, path, true, mounted.get());
}

Result<Done, Error> make_place(int at, const Place& place) {
  switch (place.kind) {
    case Place::Kind::follow:
      return follow_link(at, place.path);
    case Place::Kind::copied:
      return copy_file(at, place.path);
    case Place::Kind::written:
      return write_file(at, place.path, place.what);
    case Place::Kind::link:
      return make_link(at, place.path, place.what);
    case Place::Kind::scratch:
      return attach_scratch(at, place);
    case Place::Kind::terminals:
      return attach_terminals(at, place.path);
    case Place::Kind::bind:
    case Place::Kind::device:
      return Done{};
  }
  return Done{};
}

Result<Done, Error> pivot_to(const Fd& root) {
  if (fchdir(root.get()) != 0 || syscall(SYS_pivot_root, ".", ".") != 0 ||
      umount2(".", MNT_DETACH) != 0 || chdir("/") != 0) {
    return fail(setup_failed("root of its own", errno));
  }
  mount_attr attributes{};
  attributes.attr_set = MOUNT_ATTR_RDONLY;
  if (mount_setattr(AT_FDCWD, "/", 0, &attributes, sizeof attributes) != 0) {
    return fail(setup_failed("read-only root", errno));
  }
  return Done{};
}

}  // namespace

Error setup_failed(const std::string& layer, int code) {
  return {Error::Kind::setup, layer + ": " + strerrorname_np(code) + ": " + strerrordesc_np(code)};
}

Result<Fd, Error> new_tmpfs(std::uint64_t bytes, const char* inodes) {
  const Fd config(fsopen("tmpfs", FSOPEN_CLOEXEC));
  const std::string size = std::to_string(bytes);
  if (!config.is_open() ||
      fsconfig(config.get(), FSCONFIG_SET_STRING, "size", size.c_str(), 0) != 0 ||
      fsconfig(config.get(), FSCONFIG_SET_STRING, "nr_inodes", inodes, 0) != 0 ||
      fsconfig(config.get(), FSCONFIG_SET_STRING, "mode", "0755", 0) != 0 ||
      fsconfig(config.get(), FSCONFIG_CMD_CREATE, nullptr, nullptr, 0) != 0) {
    return fail(setup_failed("tmpfs", errno));
  }
  Fd mounted(fsmount(config.get(), FSMOUNT_CLOEXEC, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV));
  if (!mounted.is_open()) return fail(setup_failed("tmpfs", errno));
  return mounted;
}

Result<std::vector<Loose>, Error> gather(const Furnish& order) {
  std::vector<Loose> out;
  for (const Place& place : sandbox::places(order.scene)) {
    if (is_wanted(place)) CG_TRY(gather_place(out, place));
  }
  CG_TRY(gather_shelf(out, order));
  // A kernel lets an unprivileged user mount /proc only where one can be seen in full. This
  // one is the host's: each step's own is mounted over it.
  auto proc = loosen("/proc", "/proc", Rights::untouched);
  if (!proc) return fail(setup_failed("/proc", proc.error()));
  out.push_back(*std::move(proc));
  return out;
}

Result<Fd, Error> make_scratch(const Furnish& order, const Fd& tree) {
  // Empty files take memory of the kernel's that no size counts: one for each page at most.
  const auto inodes =
      std::clamp<std::uint64_t>(order.scene.scratch_bytes / 4'096, 4'096, 2U << 20U);
  CG_TRY_ASSIGN(Fd scratch, new_tmpfs(order.scene.scratch_bytes, std::to_string(inodes).c_str()));
  const std::string home = std::string(sandbox::kHome).substr(1);
  if (mkdirat(scratch.get(), "tree", 0755) != 0 || mkdirat(scratch.get(), "tmp", 01777) != 0 ||
      mkdirat(scratch.get(), "shm", 01777) != 0 ||
      mkdirat(scratch.get(), home.c_str(), 0700) != 0) {
    return fail(setup_failed("scratch", errno));
  }
  const Fd work(openat(scratch.get(), "tree", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (tree.is_open()) {
    CopyLimits limits;
    limits.bytes = order.scene.scratch_bytes;
    const auto copied = copy_tree(tree, work, limits);
    if (!copied) return fail(Error{Error::Kind::scene, copied.error()});
  }
  const auto linked = add_links(work, order.scene.links);
  if (!linked) return fail(Error{Error::Kind::scene, linked.error()});
  return scratch;
}

Result<Done, Error> enter_root(const Furnish& order, const std::vector<Loose>& loose,
                               const Fd& scratch) {
  if (mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) {
    return fail(setup_failed("private mounts", errno));
  }
  CG_TRY_ASSIGN(const Fd root, new_tmpfs(kRootBytes, "4k"));
  const int at = root.get();
  // Any folder will do, and this one is there.
  if (move_mount(at, "", AT_FDCWD, "/proc", MOVE_MOUNT_F_EMPTY_PATH) != 0) {
    return fail(setup_failed("root of its own", errno));
  }
  for (const char* folder : {"/proc", "/dev", "/etc", "/.empty"}) make_way(at, folder, true);
  CG_TRY(attach(at, kScratch, true, scratch.get()));
  const auto all = sandbox::places(order.scene);
  for (const Place& place : all) CG_TRY(make_place(at, place));
  for (const Loose& part : loose) CG_TRY(attach(at, part.path, part.folder, part.fd.get()));
  return pivot_to(root);
}

}  // namespace cg::inside
