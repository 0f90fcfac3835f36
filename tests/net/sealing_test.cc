// Attempts to get out of the policies that the programs seal themselves with: first
// asked of the filter in user space, then of the kernel, each in a process of its own.
#include <arpa/inet.h>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <functional>

#include "fetch/net/policies.h"
#include "fetch/net/process.h"

namespace cg::net {
namespace {

using seal::Call;
using seal::Policy;
using seal::Verdict;

constexpr std::uint16_t kPort = 443;
constexpr std::uint64_t kMptcp = 262;
constexpr std::uint64_t kNoSignal = MSG_NOSIGNAL;
constexpr std::uint64_t kHigh = 1ULL << 32U;

Policy fetch() { return *fetch_policy(); }
Policy leaf() { return *leaf_policy(); }
Policy dialling() { return *dialling_policy(kPort); }
Policy resolving() { return *resolving_policy(kPort); }

TEST(Policies, FetchAndLeafUseSocketsTheyHaveAndGetNone) {
  const struct {
    Call call;
    Verdict verdict;
  } cases[] = {
      {{"read", {4}}, Verdict::allow},
      {{"write", {4}}, Verdict::allow},
      {{"write", {7}}, Verdict::allow},
      {{"write", {0}}, Verdict::kill},
      {{"write", {1}}, Verdict::kill},
      {{"write", {8}}, Verdict::kill},
      {{"write", {kHigh | 1}}, Verdict::kill},
      {{"recvmsg", {1}}, Verdict::allow},
      {{"recvmsg", {4}}, Verdict::kill},
      {{"sendto", {0, 0, 0, kNoSignal, 0}}, Verdict::allow},
      {{"sendto", {1, 0, 0, kNoSignal, 0}}, Verdict::allow},
      {{"sendto", {4, 0, 0, kNoSignal, 0}}, Verdict::kill},
      {{"sendto", {0, 0, 0, kNoSignal, 0x7fff}}, Verdict::kill},
      {{"sendto", {0, 0, 0, MSG_FASTOPEN, 0}}, Verdict::kill},
      {{"sendmsg", {1, 0, kNoSignal}}, Verdict::kill},
      {{"sendmmsg", {1}}, Verdict::kill},
      {{"socket", {AF_INET, SOCK_STREAM}}, Verdict::kill},
      {{"socketpair", {AF_UNIX}}, Verdict::kill},
      {{"connect", {4}}, Verdict::kill},
      {{"bind", {4}}, Verdict::kill},
      {{"setsockopt", {4}}, Verdict::kill},
      {{"close", {4}}, Verdict::allow},
      {{"close", {0}}, Verdict::kill},
      {{"close", {kHigh | 3}}, Verdict::kill},
      {{"close_range", {0}}, Verdict::kill},
      {{"dup2", {4, 0}}, Verdict::kill},
      {{"dup3", {4, 0}}, Verdict::kill},
      {{"fcntl", {4, F_DUPFD, 0}}, Verdict::kill},
      {{"mmap", {0, 4096, PROT_READ | PROT_WRITE}}, Verdict::allow},
      {{"mmap", {0, 4096, PROT_READ | PROT_EXEC}}, Verdict::kill},
      {{"mprotect", {0, 4096, PROT_EXEC}}, Verdict::kill},
  };
  for (const Policy& policy : {fetch(), leaf()}) {
    for (const auto& c : cases) {
      SCOPED_TRACE(std::string(policy.filter.name()) + " " + c.call.name + " " +
                   std::to_string(c.call.args[0]));
      EXPECT_EQ(policy.filter.evaluate(c.call), c.verdict);
    }
  }
}

TEST(Policies, TheDiallingBrokerConnectsAndCannotSend) {
  const Policy policy = dialling();
  constexpr std::uint64_t kType = SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK;
  const struct {
    Call call;
    Verdict verdict;
  } cases[] = {
      {{"socket", {AF_INET, kType, IPPROTO_TCP}}, Verdict::allow},
      {{"socket", {AF_INET6, kType, IPPROTO_TCP}}, Verdict::allow},
      {{"socket", {AF_INET, kType, kMptcp}}, Verdict::kill},
      {{"socket", {AF_INET, SOCK_DGRAM, 0}}, Verdict::kill},
      {{"socket", {AF_INET, SOCK_RAW, IPPROTO_TCP}}, Verdict::kill},
      {{"socket", {AF_UNIX, kType, 0}}, Verdict::kill},
      {{"socket", {AF_VSOCK, kType, 0}}, Verdict::kill},
      {{"socket", {AF_NETLINK, SOCK_RAW, 0}}, Verdict::kill},
      {{"connect", {4}}, Verdict::allow},
      {{"connect", {1}}, Verdict::kill},
      {{"getsockopt", {4, SOL_SOCKET, SO_ERROR}}, Verdict::allow},
      {{"getsockopt", {4, SOL_SOCKET, SO_PEERCRED}}, Verdict::kill},
      {{"setsockopt", {4, IPPROTO_TCP, TCP_FASTOPEN_CONNECT}}, Verdict::kill},
      {{"sendmsg", {1, 0, kNoSignal}}, Verdict::allow},
      {{"sendmsg", {4, 0, kNoSignal}}, Verdict::kill},
      {{"sendmsg", {1, 0, MSG_FASTOPEN}}, Verdict::kill},
      {{"sendto", {0, 0, 0, kNoSignal, 0}}, Verdict::allow},
      {{"sendto", {4, 0, 0, kNoSignal, 0}}, Verdict::kill},
      {{"sendto", {kHigh | 4, 0, 0, kNoSignal, 0}}, Verdict::kill},
      {{"write", {4}}, Verdict::kill},
      {{"writev", {4}}, Verdict::kill},
      {{"pwrite64", {4}}, Verdict::kill},
      {{"splice", {4}}, Verdict::kill},
      {{"sendfile", {4}}, Verdict::kill},
      {{"recvmsg", {1}}, Verdict::kill},
      {{"close", {1}}, Verdict::kill},
      {{"dup2", {4, 1}}, Verdict::kill},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.call.name + " " + std::to_string(c.call.args[0]));
    EXPECT_EQ(policy.filter.evaluate(c.call), c.verdict);
  }
}

TEST(Policies, NoneLeavesADoor) {
  for (const Policy& policy : {fetch(), leaf(), dialling(), resolving()}) {
    for (const char* name : {"execve",
                             "execveat",
                             "fork",
                             "vfork",
                             "clone",
                             "clone3",
                             "ptrace",
                             "process_vm_readv",
                             "process_vm_writev",
                             "pidfd_getfd",
                             "kcmp",
                             "bpf",
                             "perf_event_open",
                             "userfaultfd",
                             "keyctl",
                             "add_key",
                             "request_key",
                             "mount",
                             "umount2",
                             "pivot_root",
                             "chroot",
                             "unshare",
                             "setns",
                             "open_by_handle_at",
                             "io_uring_setup",
                             "io_uring_enter",
                             "io_uring_register",
                             "memfd_create",
                             "memfd_secret",
                             "openat2",
                             "unlink",
                             "unlinkat",
                             "rename",
                             "mkdir",
                             "symlink",
                             "link",
                             "chmod",
                             "truncate",
                             "kill",
                             "tgkill",
                             "listen",
                             "accept",
                             "accept4",
                             "socketpair",
                             "dup2",
                             "dup3",
                             "process_madvise",
                             "init_module",
                             "setuid"}) {
      // Not every architecture has all of them.
      EXPECT_NE(policy.filter.evaluate({name, {}}), Verdict::allow)
          << policy.filter.name() << " " << name;
    }
  }
}

TEST(Policies, ResolvingIsForResolvingAlone) {
  const Policy policy = resolving();
  const struct {
    Call call;
    Verdict verdict;
  } cases[] = {
      {{"socket", {AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0}}, Verdict::allow},
      {{"socket", {AF_INET6, SOCK_DGRAM, IPPROTO_UDP}}, Verdict::allow},
      {{"socket", {AF_UNIX, SOCK_STREAM, 0}}, Verdict::allow},
      {{"socket", {AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, 0}}, Verdict::allow},
      {{"socket", {AF_NETLINK, SOCK_RAW, 9}}, Verdict::refuse},
      {{"socket", {AF_INET, SOCK_STREAM, kMptcp}}, Verdict::refuse},
      {{"socket", {AF_INET, SOCK_RAW, IPPROTO_ICMP}}, Verdict::refuse},
      {{"socket", {AF_VSOCK, SOCK_STREAM, 0}}, Verdict::refuse},
      {{"socket", {AF_PACKET, SOCK_RAW, 0}}, Verdict::refuse},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(std::to_string(c.call.args[0]) + " " + std::to_string(c.call.args[1]));
    EXPECT_EQ(policy.filter.evaluate(c.call), c.verdict);
  }
}

// --- in the kernel ---

constexpr int kSealFailed = 100;

/// What `act` returns in a process sealed with `policy`, or minus the signal.
int sealed(const Policy& policy, const std::function<int()>& act) {
  const pid_t child = fork();
  if (child == 0) _exit(seal::seal(policy) ? act() : kSealFailed);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

sockaddr_in loopback() {
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(9);
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return to;
}

int try_connect(int fd) {
  const sockaddr_in to = loopback();
  return connect(fd, reinterpret_cast<const sockaddr*>(&to), sizeof to);
}

struct Attempt {
  const char* what;
  std::function<void()> act;
};

const std::vector<Attempt>& attempts() {
  static const std::vector<Attempt> all = {
      {"a UDP socket", [] { socket(AF_INET, SOCK_DGRAM, 0); }},
      {"a unix socket", [] { socket(AF_UNIX, SOCK_STREAM, 0); }},
      {"a vsock socket", [] { socket(AF_VSOCK, SOCK_STREAM, 0); }},
      {"an MPTCP socket", [] { socket(AF_INET, SOCK_STREAM, static_cast<int>(kMptcp)); }},
      {"a program", [] { execl("/bin/true", "true", nullptr); }},
      {"a process", [] { static_cast<void>(!fork()); }},
      {"a file", [] { static_cast<void>(!open("/etc/passwd", O_RDONLY)); }},
      {"io_uring", [] { syscall(SYS_io_uring_setup, 1, nullptr); }},
      {"ptrace", [] { syscall(SYS_ptrace, 0, 0, 0, 0); }},
      {"another's descriptor", [] { syscall(SYS_pidfd_getfd, 0, 0, 0); }},
      {"a namespace", [] { syscall(SYS_unshare, 0); }},
      {"executable memory",
       [] {
         static_cast<void>(
             mmap(nullptr, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
       }},
      {"a copy of a descriptor", [] { static_cast<void>(!dup2(0, 1)); }},
      {"closing the parent", [] { close(kParentFd); }},
      {"a signal", [] { kill(getppid(), 0); }},
  };
  return all;
}

TEST(Sealed, EveryAttemptEndsTheProcess) {
  for (const Policy& policy : {fetch(), dialling()}) {
    for (const Attempt& attempt : attempts()) {
      EXPECT_EQ(sealed(policy,
                       [&] {
                         attempt.act();
                         return 0;
                       }),
                -SIGSYS)
          << policy.filter.name() << ": " << attempt.what;
    }
  }
}

TEST(Sealed, DoingNothingDoesNotEndTheProcess) {
  for (const Policy& policy : {fetch(), dialling(), resolving()}) {
    EXPECT_EQ(sealed(policy, [] { return 7; }), 7) << policy.filter.name();
  }
}

TEST(Sealed, FetchCannotPointAConnectedSocketElsewhere) {
  const os::Fd connection(socket(AF_INET, SOCK_STREAM, 0));
  EXPECT_EQ(sealed(fetch(), [&] { return try_connect(connection.get()); }), -SIGSYS);
}

TEST(Sealed, FetchHasNoTcpSocket) {
  EXPECT_EQ(sealed(fetch(),
                   [] {
                     socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, IPPROTO_TCP);
                     return 0;
                   }),
            -SIGSYS);
}

/// In the child: descriptors 0 to 3 as the program has them, so that sockets are 4 on.
int with_first_four(const std::function<int()>& act) {
  const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  for (int fd = 0; fd < 4; ++fd) dup2(null, fd);
  close_range(4, ~0U, 0);
  return act();
}

int broker_child(const std::function<int()>& act) {
  const Policy policy = dialling();
  const pid_t child = fork();
  if (child == 0) {
    _exit(with_first_four([&] { return seal::seal(policy) ? act() : kSealFailed; }));
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

int tcp_socket() {
  return socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, IPPROTO_TCP);
}

TEST(Sealed, TheBrokerCanDialButNotSend) {
  EXPECT_EQ(broker_child([] { return tcp_socket(); }), 4);
  EXPECT_EQ(broker_child([] { return try_connect(tcp_socket()) < 0 ? 0 : 1; }), 0);
  EXPECT_EQ(broker_child([] { return static_cast<int>(write(tcp_socket(), "x", 1)); }), -SIGSYS);
  EXPECT_EQ(broker_child([] { return static_cast<int>(send(tcp_socket(), "x", 1, 0)); }), -SIGSYS);
  EXPECT_EQ(broker_child([] {
              const sockaddr_in to = loopback();
              return static_cast<int>(sendto(tcp_socket(), "x", 1, MSG_FASTOPEN,
                                             reinterpret_cast<const sockaddr*>(&to), sizeof to));
            }),
            -SIGSYS);
  EXPECT_EQ(broker_child([] {
              const int on = 1;
              return setsockopt(tcp_socket(), IPPROTO_TCP, TCP_FASTOPEN_CONNECT, &on, sizeof on);
            }),
            -SIGSYS);
}

TEST(Sealed, TheBrokerHasItsPortAloneWhereTheKernelCanTell) {
  const bool tells = seal::landlock_abi() >= 4;
  EXPECT_EQ(broker_child([] {
              try_connect(tcp_socket());  // port 9, not 443
              return errno;
            }) == EACCES,
            tells);
}

TEST(Sealed, TheBrokerHoldsAtMostFourSockets) {
  EXPECT_EQ(broker_child([] {
              for (int i = 0; i < 4; ++i) {
                if (tcp_socket() != 4 + i) return 1;
              }
              return tcp_socket() == -1 && errno == EMFILE ? 0 : 2;
            }),
            0);
}

TEST(Sealed, TheResolverMayReadItsFilesAndNoOthers) {
  EXPECT_EQ(sealed(resolving(),
                   [] {
                     const bool hosts = open("/etc/hosts", O_RDONLY) >= 0 || errno == ENOENT;
                     const bool passwd = open("/etc/passwd", O_RDONLY) >= 0;
                     if (!hosts) return 1;
                     return passwd == (seal::landlock_abi() > 0) ? 2 : 0;
                   }),
            0);
}

TEST(Sealed, TheResolverStillResolves) {
  EXPECT_EQ(sealed(resolving(),
                   [] {
                     addrinfo* found = nullptr;
                     return getaddrinfo("localhost", nullptr, nullptr, &found);
                   }),
            0);
}

TEST(Sealed, TheResolverIsRefusedRatherThanEnded) {
  EXPECT_EQ(sealed(resolving(),
                   [] {
                     execl("/bin/true", "true", nullptr);
                     return errno == EPERM ? 0 : 1;
                   }),
            0);
}

TEST(Sealed, TheLeafHasNoSocketNoFileAndNoProgram) {
  EXPECT_EQ(sealed(leaf(), [] { return socket(AF_INET, SOCK_STREAM, 0); }), -SIGSYS);
  EXPECT_EQ(sealed(leaf(), [] { return socket(AF_UNIX, SOCK_STREAM, 0); }), -SIGSYS);
  EXPECT_EQ(sealed(leaf(), [] { return try_connect(kFirstSocket); }), -SIGSYS);
  EXPECT_EQ(sealed(leaf(), [] { return open("/etc/hosts", O_RDONLY); }), -SIGSYS);
  EXPECT_EQ(sealed(leaf(), [] { return execl("/bin/true", "true", nullptr); }), -SIGSYS);
  EXPECT_EQ(sealed(leaf(), [] { return static_cast<int>(fork()); }), -SIGSYS);
  EXPECT_EQ(sealed(leaf(), [] { return static_cast<int>(write(2, "x", 1)); }), -SIGSYS);
}

}  // namespace
}  // namespace cg::net
