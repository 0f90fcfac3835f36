// How a jail is set up, and why in this order.
//
// Each act needs something that a later one gives up, so the order is nearly forced:
//
//   open the tree          while a path means what it meant to who asked
//   cgroups                need the host's /sys and the rights of who started us. A keeper stays
//                          behind as it is, to remove them in the end: a jail could not
//   gather, copy (root)    root may read every tree and mount anything: now or never
//   another user (root)    what goes wrong from here on does not go wrong as root
//   namespaces             all in one call; the user namespace is what gives an ordinary user
//                          the right to the others, and to mount in them
//   ids                    one user and one group are mapped; everybody else is nobody
//   gather, copy (others)  the first moment at which these may mount
//   loopback, host name    are no longer the host's, and ours to change
//   root                   put together, entered, and only then made read-only
//
// Gathering is what lets root and others share the rest. A part of the host (open_tree) or a new
// file system (fsmount) is a descriptor that is mounted nowhere, and can be attached later: by
// another user, in another namespace, beneath another root (root_fs.cc). The root is put together
// in a mount namespace where nobody else is, and before the first mount all that are there are
// made private, so the host never sees one of ours.
//
// That root is a file system in memory, filled with places (jail/sandbox/places.h) and loose
// parts. pivot_root(".", ".") swaps it with the old one, which comes to lie on top and is taken
// off. Unlike after chroot, there is no mount and no working folder left to climb back by, and the
// descriptors that the server still has are closed in every cell (cell_inside.cc).
//
// Example: a step asks for /etc/shadow. That is no place, so the name does not exist: it is not
// refused, it is not there. /usr/bin/node is there, through a mount that cannot be written.
//
// What the kernel answers is not enough: a namespace counts as held if its inode is another one
// than before. The server that comes of all this keeps its capabilities in its user namespace, for
// it makes a process namespace and a /proc for every step. The step's own process has given them
// up.
#include "jail/inside/furnish.h"

#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <linux/if.h>
#include <sched.h>
#include <signal.h>
#include <sys/fsuid.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "base/base/text.h"
#include "jail/inside/root_fs.h"
#include "jail/inside/tree_copy.h"

namespace cg::inside {

namespace {

using os::Fd;
using sandbox::Error;
using sandbox::Furnish;
using sandbox::Layer;

struct Namespace {
  const char* name;
  const char* file;
  int flag;
  bool mandatory;
};
constexpr std::array<Namespace, 6> kNamespaces{{
    {"user namespace", "/proc/self/ns/user", CLONE_NEWUSER, true},
    {"mount namespace", "/proc/self/ns/mnt", CLONE_NEWNS, true},
    {"network namespace", "/proc/self/ns/net", CLONE_NEWNET, true},
    {"ipc namespace", "/proc/self/ns/ipc", CLONE_NEWIPC, true},
    {"uts namespace", "/proc/self/ns/uts", CLONE_NEWUTS, true},
    {"cgroup namespace", "/proc/self/ns/cgroup", CLONE_NEWCGROUP, false},
}};
using Inodes = std::array<ino_t, kNamespaces.size()>;

Inodes inodes() {
  Inodes out{};
  for (std::size_t i = 0; i < out.size(); ++i) {
    struct stat status {};
    if (stat(kNamespaces[i].file, &status) == 0) out[i] = status.st_ino;
  }
  return out;
}

/// All at once; if that is refused, one by one, to know which.
Result<Done, Error> enter_namespaces() {
  int all = 0;
  for (const Namespace& n : kNamespaces) all |= n.flag;
  if (unshare(all) == 0) return Done{};
  for (const Namespace& n : kNamespaces) {
    if (unshare(n.flag) != 0 && n.mandatory) return fail(setup_failed(n.name, errno));
  }
  return Done{};
}

Result<std::vector<Layer>, Error> compare(const Inodes& before, const Inodes& after) {
  std::vector<Layer> out;
  for (std::size_t i = 0; i < before.size(); ++i) {
    const Namespace& n = kNamespaces[i];
    const bool held = before[i] != 0 && after[i] != 0 && before[i] != after[i];
    if (!held && n.mandatory) {
      return fail(Error{Error::Kind::setup, std::string(n.name) + ": still that of the host"});
    }
    out.push_back({n.name, held, n.mandatory, held ? "" : "not given by this kernel"});
  }
  return out;
}

bool write_to(const char* path, const std::string& text) {
  const Fd file(open(path, O_WRONLY | O_CLOEXEC));
  return file.is_open() &&
         write(file.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

Result<Done, Error> map_ids(unsigned user, unsigned group) {
  const std::string inside = std::to_string(sandbox::kInsideId) + " ";
  if (!write_to("/proc/self/setgroups", "deny") ||
      !write_to("/proc/self/uid_map", inside + std::to_string(user) + " 1\n") ||
      !write_to("/proc/self/gid_map", inside + std::to_string(group) + " 1\n")) {
    return fail(setup_failed("user namespace: its map", errno));
  }
  if (getuid() != sandbox::kInsideId || getgid() != sandbox::kInsideId) {
    return fail(Error{Error::Kind::setup, "user namespace: its map has no effect"});
  }
  return Done{};
}

/// With ::1 beside 127.0.0.1, also where the host gives new interfaces none. A kernel without
/// IPv6 has no such file.
Result<Done, Error> raise_loopback() {
  static_cast<void>(write_to("/proc/sys/net/ipv6/conf/lo/disable_ipv6", "0\n"));
  const Fd socket_fd(socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  ifreq request{};
  std::strncpy(request.ifr_name, "lo", sizeof request.ifr_name - 1);
  request.ifr_flags = IFF_UP | IFF_RUNNING;
  if (!socket_fd.is_open() || ioctl(socket_fd.get(), SIOCSIFFLAGS, &request) != 0) {
    return fail(setup_failed("loopback", errno));
  }
  return Done{};
}

/// Files made from here on belong to the unprivileged user, while root can still read
/// whatever there is to copy.
Result<Done, Error> make_files_for(unsigned id) {
  setfsgid(id);
  setfsuid(id);
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3> caps{};
  if (syscall(SYS_capget, &header, caps.data()) != 0) return fail(setup_failed("user", errno));
  for (auto& half : caps) half.effective = half.permitted;
  if (syscall(SYS_capset, &header, caps.data()) != 0) return fail(setup_failed("user", errno));
  return Done{};
}

/// The groups that may use these devices, by which the unprivileged user can; where only their
/// owner may, nobody but root can, and opening them will say so.
std::vector<gid_t> groups_for(const std::vector<std::string>& devices) {
  std::vector<gid_t> out;
  for (const std::string& path : devices) {
    struct stat status {};
    const bool there = stat(path.c_str(), &status) == 0 && S_ISCHR(status.st_mode);
    if (there && (status.st_mode & 0060U) == 0060U && status.st_gid != 0) {
      out.push_back(status.st_gid);
    }
  }
  return out;
}

Result<Done, Error> stop_being_root(unsigned id, const std::vector<gid_t>& groups) {
  if (setgroups(groups.size(), groups.data()) != 0 || setresgid(id, id, id) != 0 ||
      setresuid(id, id, id) != 0) {
    return fail(setup_failed("user", errno));
  }
  return Done{};
}

/// The parent stays behind to remove the cgroups once the child, which goes on, has ended.
void leave_keeper(const Groups& groups) {
  const pid_t before = getpid();
  prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);  // what a killed server leaves comes to the keeper
  const pid_t child = fork();
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    if (getppid() != before) _exit(1);
    return;
  }
  if (child < 0) {
    groups.remove();
    _exit(1);
  }
  prctl(PR_SET_PDEATHSIG, 0, 0, 0, 0);  // the child hears the end on its link
  close_range(0, 2, 0);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  while (waitpid(-1, nullptr, 0) > 0 || errno == EINTR) {
  }
  groups.remove();
  _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
}

struct Brought {
  std::vector<Loose> loose;
  Fd scratch;
};

Result<Brought, Error> bring(const Furnish& order, const Fd& tree) {
  Brought out;
  CG_TRY_ASSIGN(out.loose, gather(order));
  CG_TRY_ASSIGN(out.scratch, make_scratch(order, tree));
  return out;
}

Result<Fd, Error> open_folder(const std::string& path) {
  if (path.empty()) return Fd();
  Fd out(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!out.is_open()) {
    return fail(Error{Error::Kind::scene, printable(path) + ": " + strerrordesc_np(errno)});
  }
  return out;
}

struct Limited {
  std::optional<Groups> groups;
  std::string why_not;
};

Limited make_groups(const Furnish& order, bool root) {
  Limited out;
  out.groups = Groups::make(order.scene.scratch_bytes, out.why_not);
  if (!out.groups) return out;
  leave_keeper(*out.groups);
  if (root && !out.groups->give_to(sandbox::kUnprivilegedId)) {
    out.why_not = "could not be handed over";
    out.groups.reset();
  }
  return out;
}

Layer group_layer(const Limited& limited) {
  if (limited.groups) return {"cgroup memory and pids", true, false, limited.groups->version()};
  return {"cgroup memory and pids", false, false,
          limited.why_not + "; RLIMIT_DATA and RLIMIT_NPROC hold per process and user"};
}

Site site_of(const Furnish& order, std::optional<Groups> groups) {
  Site site;
  site.filter = order.filter;
  site.scratch = kScratch;
  site.hidden = {kScratch};
  site.branch = order.scene.branch;
  if (!order.scene.shelf.empty()) {
    site.shelf_program = kShelfProgram;
    site.shelf_folder = kShelfFolder;
    site.hidden.emplace_back(kShelf);
  }
  if (groups) site.groups = std::make_shared<const Groups>(*std::move(groups));
  return site;
}

}  // namespace

Result<Furnished, Error> furnish(const Furnish& order) {
  const bool root = geteuid() == 0;
  umask(0);
  CG_TRY_ASSIGN(const Fd tree, open_folder(order.scene.tree));
  Limited limited = make_groups(order, root);
  const Inodes before = inodes();
  Brought brought;
  unsigned user = geteuid();
  unsigned group = getegid();
  if (root) {
    user = group = sandbox::kUnprivilegedId;
    CG_TRY(make_files_for(user));
    CG_TRY_ASSIGN(brought, bring(order, tree));
    CG_TRY(stop_being_root(user, groups_for(order.scene.devices)));
  }
  prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);  // or /proc/self would not be ours to write the maps
  CG_TRY(enter_namespaces());
  CG_TRY_ASSIGN(std::vector<Layer> layers, compare(before, inodes()));
  CG_TRY(map_ids(user, group));
  prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  if (!root) {
    CG_TRY_ASSIGN(brought, bring(order, tree));
  }
  CG_TRY(raise_loopback());
  if (sethostname(sandbox::kHostName, std::strlen(sandbox::kHostName)) != 0)
    return fail(setup_failed("host name", errno));
  CG_TRY(enter_root(order, brought.loose, brought.scratch));
  layers.push_back({"root of its own", true, true, "read-only"});
  layers.push_back(group_layer(limited));
  return Furnished{site_of(order, std::move(limited.groups)), std::move(layers), ""};
}

Result<Furnished, Error> furnish_bare(const Furnish& order) {
  CG_TRY_ASSIGN(const Fd tree, open_folder(order.scene.tree));
  std::string folder = "/tmp/codegenie-unsafe-XXXXXX";
  if (mkdtemp(folder.data()) == nullptr) return fail(setup_failed("temporary folder", errno));
  const Fd target(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (tree.is_open()) {
    const auto copied = copy_tree(tree, target, CopyLimits{});
    if (!copied) return fail(Error{Error::Kind::scene, copied.error()});
  }
  const auto linked = add_links(target, order.scene.links);
  if (!linked) return fail(Error{Error::Kind::scene, linked.error()});
  Site site;
  site.namespaces = false;
  site.work = folder;
  if (!order.scene.shelf.empty()) {
    site.shelf_program = order.programs + "/codegenie-shelf";
    site.shelf_folder = order.scene.shelf;
  }
  std::vector<Layer> layers{{"isolation", false, true, "switched off by --unsafe-no-sandbox"}};
  return Furnished{std::move(site), std::move(layers), folder};
}

}  // namespace cg::inside
