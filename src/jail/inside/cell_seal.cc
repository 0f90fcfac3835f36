#include "jail/inside/cell_seal.h"

#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <linux/securebits.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "jail/inside/own_tree.h"
#include "jail/sandbox/places.h"

namespace cg::inside {

namespace {

constexpr unsigned long kWaitKillable = 1UL << 5U;  // newer than Debian 12's headers
/// Of a root that has them: an empty folder, and an empty device, to cover things with.
constexpr const char* kEmptyFolder = "/.empty";
constexpr const char* kEmptyFile = "/dev/null";

Refused cover_proc() {
  for (const std::string& path : sandbox::covered_in_proc().folders) {
    if (mount(kEmptyFolder, path.c_str(), nullptr, MS_BIND, nullptr) != 0 && errno != ENOENT) {
      return {"cover of /proc", errno};
    }
  }
  for (const std::string& path : sandbox::covered_in_proc().files) {
    if (mount(kEmptyFile, path.c_str(), nullptr, MS_BIND, nullptr) != 0 && errno != ENOENT) {
      return {"cover of /proc", errno};
    }
  }
  return {};
}

Refused change_identity(unsigned id) {
  if (setgroups(0, nullptr) != 0 || setresgid(id, id, id) != 0 || setresuid(id, id, id) != 0) {
    return {"user", errno};
  }
  return {};
}

Refused drop_capabilities() {
  prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  unsigned long cap = 0;
  while (prctl(PR_CAPBSET_DROP, cap, 0, 0, 0) == 0) ++cap;
  if (errno != EINVAL || cap == 0) return {"no capabilities", errno};  // EINVAL: past the last
  constexpr unsigned long kBits = SECBIT_NOROOT | SECBIT_NOROOT_LOCKED | SECBIT_NO_SETUID_FIXUP |
                                  SECBIT_NO_SETUID_FIXUP_LOCKED | SECBIT_NO_CAP_AMBIENT_RAISE |
                                  SECBIT_NO_CAP_AMBIENT_RAISE_LOCKED;
  if (prctl(PR_SET_SECUREBITS, kBits, 0, 0, 0) != 0) return {"no capabilities", errno};
  return {};
}

Refused clear_capabilities() {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  const std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3> none{};
  if (syscall(SYS_capset, &header, none.data()) != 0) return {"no capabilities", errno};
  return {};
}

}  // namespace

Refused own_view(const Site& site, const OwnTree* own) {
  if (!site.namespaces) return {};
  if (mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, "hidepid=2") != 0) {
    return {"/proc of its own", errno};
  }
  Refused refused = cover_proc();
  if (refused.layer == nullptr && own != nullptr) refused = enter_own(*own);
  if (refused.layer != nullptr) return refused;
  for (const std::string& path : site.hidden) {
    if (mount(kEmptyFolder, path.c_str(), nullptr, MS_BIND, nullptr) != 0) return {"cover", errno};
  }
  return {};
}

Refused drop_everything(const Site& site) {
  // Bare, there may be no capability to drop with; nothing is claimed then.
  Refused refused = site.namespaces ? drop_capabilities() : Refused{};
  if (refused.layer == nullptr && site.become) refused = change_identity(*site.become);
  if (refused.layer == nullptr && site.namespaces) refused = clear_capabilities();
  if (refused.layer != nullptr) return refused;
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return {"no_new_privs", errno};
  // After the last change of identity, which would clear it.
  if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0) return {"end with the parent", errno};
  return {};
}

std::string untraced(std::string program) {
  for (std::size_t at = 0; at + sizeof(sock_filter) <= program.size(); at += sizeof(sock_filter)) {
    sock_filter i{};
    std::memcpy(&i, program.data() + at, sizeof i);
    if (i.code != (BPF_RET | BPF_K) || i.k != SECCOMP_RET_USER_NOTIF) continue;
    i.k = SECCOMP_RET_ALLOW;
    std::memcpy(program.data() + at, &i, sizeof i);
  }
  return program;
}

Refused load_filter(const std::string& program, bool watched, int& listener) {
  std::vector<sock_filter> copy(program.size() / sizeof(sock_filter));
  std::memcpy(copy.data(), program.data(), copy.size() * sizeof(sock_filter));
  const sock_fprog loaded{static_cast<unsigned short>(copy.size()), copy.data()};
  const auto load = [&](unsigned long flags) {
    return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &loaded);
  };
  long code = -1;
  if (watched) {
    code = load(SECCOMP_FILTER_FLAG_NEW_LISTENER | kWaitKillable);
    if (code < 0 && errno == EINVAL) code = load(SECCOMP_FILTER_FLAG_NEW_LISTENER);
    listener = static_cast<int>(code);
  } else {
    code = load(0);
  }
  if (code < 0) return {"seccomp", errno};
  return {};
}

}  // namespace cg::inside
