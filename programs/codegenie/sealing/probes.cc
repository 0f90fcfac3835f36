#include "sealing/probes.h"

#include <fcntl.h>
#include <link.h>
#include <linux/sched.h>
#include <netinet/in.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <string_view>

#include "base/base/text.h"
#include "base/os/open.h"

namespace cg::program {

namespace {

constexpr int kMptcp = 262;  // IPPROTO_MPTCP

/// Something that must not work. The arguments are such that it would do no harm if it did.
struct Attempt {
  const char* what;
  long (*act)();
};

long try_socket(int family, int type, int protocol) {
  const long fd = syscall(SYS_socket, family, type | SOCK_CLOEXEC, protocol);
  if (fd >= 0) close(static_cast<int>(fd));
  return fd;
}

long try_pair() {
  std::array<int, 2> fds{};
  const long made = syscall(SYS_socketpair, AF_UNIX, SOCK_DGRAM, 0, fds.data());
  if (made != 0) return made;
  close(fds[0]);
  close(fds[1]);
  return made;
}

/// To a descriptor that is not open: EBADF if the call were let through.
long try_send_to_address() {
  const sockaddr_in to{AF_INET, htons(9), {htonl(INADDR_LOOPBACK)}, {}};
  return syscall(SYS_sendto, -1, "", 0, MSG_NOSIGNAL, &to, sizeof to);
}

long try_fork() {
  const long child = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
  if (child == 0) _exit(0);
  if (child > 0) waitpid(static_cast<pid_t>(child), nullptr, 0);
  return child;
}

long try_executable_memory() {
  void* memory = mmap(nullptr, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return -1;
  munmap(memory, 4096);
  return 0;
}

long closed(long fd) {
  if (fd >= 0) close(static_cast<int>(fd));
  return fd;
}

/// Answered by the spawner where the kernel can hand calls over.
constexpr std::array kSocketAttempts{
    Attempt{"socket AF_INET", [] { return try_socket(AF_INET, SOCK_STREAM, 0); }},
    Attempt{"socket AF_INET6", [] { return try_socket(AF_INET6, SOCK_STREAM, 0); }},
    Attempt{"socket UDP", [] { return try_socket(AF_INET, SOCK_DGRAM, 0); }},
    Attempt{"socket MPTCP", [] { return try_socket(AF_INET, SOCK_STREAM, kMptcp); }},
    Attempt{"socket AF_UNIX", [] { return try_socket(AF_UNIX, SOCK_STREAM, 0); }},
    Attempt{"socket AF_VSOCK", [] { return try_socket(AF_VSOCK, SOCK_STREAM, 0); }},
    Attempt{"socket AF_NETLINK", [] { return try_socket(AF_NETLINK, SOCK_RAW, 0); }},
    Attempt{"socket AF_PACKET", [] { return try_socket(AF_PACKET, SOCK_RAW, 0); }},
    Attempt{"socketpair", try_pair},
    Attempt{"connect", [] { return syscall(SYS_connect, -1, nullptr, 0); }},
    Attempt{"bind", [] { return syscall(SYS_bind, -1, nullptr, 0); }},
    Attempt{"listen", [] { return syscall(SYS_listen, -1, 0); }},
    Attempt{"accept", [] { return syscall(SYS_accept4, -1, nullptr, nullptr, 0); }},
};
static_assert(kSocketAttempts.size() <= spawn::kMaxRefusals);

constexpr std::array kOtherAttempts{
    Attempt{"sendto an address", try_send_to_address},
    Attempt{"io_uring_setup", [] { return syscall(SYS_io_uring_setup, 1, nullptr); }},
    Attempt{"execve", [] { return syscall(SYS_execve, "", nullptr, nullptr); }},
    Attempt{"pidfd_getfd", [] { return closed(syscall(SYS_pidfd_getfd, -1, 0, 0)); }},
    Attempt{"unshare", [] { return syscall(SYS_unshare, 0); }},
    Attempt{"setns", [] { return syscall(SYS_setns, -1, 0); }},
    Attempt{"mount", [] { return syscall(SYS_mount, nullptr, nullptr, nullptr, 0, nullptr); }},
    Attempt{"bpf", [] { return syscall(SYS_bpf, -1, nullptr, 0); }},
    Attempt{"userfaultfd", [] { return closed(syscall(SYS_userfaultfd, 0)); }},
    Attempt{"perf_event_open", [] { return syscall(SYS_perf_event_open, nullptr, 0, -1, -1, 0); }},
    Attempt{"keyctl", [] { return syscall(SYS_keyctl, 0, 0, 0, 0, 0); }},
    Attempt{"open_by_handle_at", [] { return syscall(SYS_open_by_handle_at, -1, nullptr, 0); }},
    Attempt{"executable memory", try_executable_memory},
};

/// Those that the sanitizers make too, so that a build with them lets them (calls.cc).
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif
constexpr std::array kSanitizersAttempts{
    Attempt{"fork", try_fork},
    Attempt{"ptrace", [] { return syscall(SYS_ptrace, PTRACE_ATTACH, 0, 0, 0); }},
    Attempt{"process_vm_readv",
            [] { return syscall(SYS_process_vm_readv, getpid(), nullptr, 0, nullptr, 0, 0); }},
    Attempt{"kill", [] { return syscall(SYS_kill, getpid(), 0); }},
    Attempt{"openat", [] { return closed(syscall(SYS_openat, AT_FDCWD, ".", O_PATH)); }},
#ifdef SYS_open
    Attempt{"open", [] { return closed(syscall(SYS_open, ".", O_PATH)); }},
#endif
};

/// What came of attempts: those that were not refused, by name.
struct Tally {
  std::size_t refused = 0;
  std::string through;

  template <std::size_t N>
  void run(const std::array<Attempt, N>& attempts) {
    for (const Attempt& attempt : attempts) {
      errno = 0;
      if (attempt.act() < 0 && (errno == EPERM || errno == EACCES)) {
        ++refused;
      } else {
        through += (through.empty() ? "" : ", ") + std::string(attempt.what);
      }
    }
  }
};

Finding seccomp_ring() {
  Tally tally;
  tally.run(kSocketAttempts);
  tally.run(kOtherAttempts);
  if (!kSanitized) tally.run(kSanitizersAttempts);
  if (!tally.through.empty()) {
    return {"egress", "seccomp", Status::fail, "not refused: " + tally.through};
  }
  return {"egress", "seccomp", Status::ok,
          std::to_string(tally.refused) +
              " forbidden calls tried, all refused: sockets of every family, connect, io_uring, "
              "exec, fork, ptrace, open"};
}

Finding reports_ring(const Seal& seal) {
  if (!seal.reports) {
    return {"egress", "reports", Status::warn,
            "refused socket calls fail and are not recorded: this kernel hands no calls over"};
  }
  const std::size_t told = seal.host->take_refusals().size();
  const bool all = told == kSocketAttempts.size();
  return {"egress", "reports", all ? Status::ok : Status::fail,
          std::to_string(told) + " of " + std::to_string(kSocketAttempts.size()) +
              " refused socket calls were noted; outside this check each is an event and exit 6"};
}

/// A folder that every machine has and no command needs.
Finding landlock_ring(const Seal& seal) {
  if (seal.landlock.abi == 0) {
    return {"egress", "landlock", Status::warn,
            "not in this kernel: every file that this user may read can be read"};
  }
  const long fd = closed(os::open_path("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  const bool held = fd < 0 && errno == EACCES;
  const std::string abi = "ABI " + std::to_string(seal.landlock.abi);
  if (!held) return {"egress", "landlock", Status::fail, abi + ", but / could be opened"};
  return {"egress", "landlock", Status::ok,
          abi + ": only the workspace and what the command line names can be opened"};
}

Finding namespace_ring(const Seal& seal) {
  if (seal.empty_network) {
    return {"egress", "namespaces", Status::ok, "a network of its own with nothing in it"};
  }
  return {"egress", "namespaces", Status::warn,
          "no network namespace of its own (" + seal.network_detail + "); seccomp holds alone"};
}

/// The file names of the shared libraries that are loaded.
std::vector<std::string> loaded_libraries() {
  std::vector<std::string> out;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* data) {
        const std::string_view path(info->dlpi_name);
        const std::size_t slash = path.rfind('/');
        if (slash != std::string_view::npos) {
          static_cast<std::vector<std::string>*>(data)->emplace_back(path.substr(slash + 1));
        }
        return 0;
      },
      &out);
  return out;
}

Finding library_ring() {
  std::string all;
  std::string speaking;
  for (const std::string& library : loaded_libraries()) {
    all += (all.empty() ? "" : " ") + library;
    for (const char* bad : {"libssl", "libcurl", "libnghttp", "libgnutls", "libssh", "libresolv"}) {
      if (library.starts_with(bad)) speaking += (speaking.empty() ? "" : " ") + library;
    }
  }
  if (!speaking.empty()) return {"egress", "libraries", Status::fail, "loaded: " + speaking};
  return {"egress", "libraries", Status::ok, "none for TLS, HTTP or names: " + printable(all)};
}

std::string firewall_words(const spawn::Outward& outward) {
  const auto told = [](std::uint32_t count, const char* one, const char* many) {
    return count == spawn::kNotTold ? std::string(many) + " cannot be seen by this user"
                                    : counted(count, one, many);
  };
  return told(outward.chains, "chain of nftables", "chains of nftables") + ", " +
         told(outward.tables, "table of iptables", "tables of iptables");
}

}  // namespace

Finding host_ring(const spawn::Outward& outward) {
  const int why = static_cast<int>(outward.route);
  if (why == EPERM || why == EACCES) {
    return {"egress", "host", Status::ok,
            "a filter of this host refuses connections beyond loopback"};
  }
  if (why != 0) {
    return {"egress", "host", Status::ok,
            "no way beyond loopback: " + os::describe(os::from_errno(why, ""))};
  }
  const auto some = [](std::uint32_t count) { return count != spawn::kNotTold && count > 0; };
  if (some(outward.chains) || some(outward.tables)) {
    return {"egress", "host", Status::ok,
            "a firewall sees what leaves (" + firewall_words(outward) +
                "); what it lets pass was not tried, as that would send something"};
  }
  return {"egress", "host", Status::warn,
          "no ring there: programs that may open sockets have a way beyond loopback, and no "
          "firewall was found (" +
              firewall_words(outward) +
              "); their seccomp filters and the broker's one host hold alone"};
}

std::vector<Finding> check_egress(const Seal& seal) {
  std::vector<Finding> findings = {seccomp_ring()};
  findings.push_back(reports_ring(seal));
  findings.push_back(landlock_ring(seal));
  findings.push_back(namespace_ring(seal));
  findings.push_back(library_ring());
  const auto grants = seal.host->grants();
  findings.push_back(grants ? host_ring(grants->outward)
                            : Finding{"egress", "host", Status::fail, "the spawner is gone"});
  return findings;
}

}  // namespace cg::program
