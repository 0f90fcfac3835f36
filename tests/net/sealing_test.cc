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
using seal::Reaction;

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
    Reaction reaction;
  } cases[] = {
      {{"read", {4}}, Reaction::allow},
      {{"write", {4}}, Reaction::allow},
      {{"write", {7}}, Reaction::allow},
      {{"write", {0}}, Reaction::kill},
      {{"write", {1}}, Reaction::kill},
      {{"write", {8}}, Reaction::kill},
      {{"write", {kHigh | 1}}, Reaction::kill},
      {{"recvmsg", {1}}, Reaction::allow},
      {{"recvmsg", {4}}, Reaction::kill},
      {{"sendto", {0, 0, 0, kNoSignal, 0}}, Reaction::allow},
      {{"sendto", {1, 0, 0, kNoSignal, 0}}, Reaction::allow},
      {{"sendto", {4, 0, 0, kNoSignal, 0}}, Reaction::kill},
      {{"sendto", {0, 0, 0, kNoSignal, 0x7fff}}, Reaction::kill},
      {{"sendto", {0, 0, 0, MSG_FASTOPEN, 0}}, Reaction::kill},
      {{"sendmsg", {1, 0, kNoSignal}}, Reaction::kill},
      {{"sendmmsg", {1}}, Reaction::kill},
      {{"socket", {AF_INET, SOCK_STREAM}}, Reaction::kill},
      {{"socketpair", {AF_UNIX}}, Reaction::kill},
      {{"connect", {4}}, Reaction::kill},
      {{"bind", {4}}, Reaction::kill},
      {{"setsockopt", {4}}, Reaction::kill},
      {{"close", {4}}, Reaction::allow},
      {{"close", {0}}, Reaction::kill},
      {{"close", {kHigh | 3}}, Reaction::kill},
      {{"close_range", {0}}, Reaction::kill},
      {{"dup2", {4, 0}}, Reaction::kill},
      {{"dup3", {4, 0}}, Reaction::kill},
      {{"fcntl", {4, F_DUPFD, 0}}, Reaction::kill},
      {{"mmap", {0, 4096, PROT_READ | PROT_WRITE}}, Reaction::allow},
      {{"mmap", {0, 4096, PROT_READ | PROT_EXEC}}, Reaction::kill},
      {{"mprotect", {0, 4096, PROT_EXEC}}, Reaction::kill},
  };
  for (const Policy& policy : {fetch(), leaf()}) {
    for (const auto& c : cases) {
      SCOPED_TRACE(std::string(policy.filter.name()) + " " + c.call.name + " " +
                   std::to_string(c.call.args[0]));
      EXPECT_EQ(policy.filter.evaluate(c.call), c.reaction);
    }
  }
}

TEST(Policies, TheDiallingBrokerConnectsAndCannotSend) {
  const Policy policy = dialling();
  constexpr std::uint64_t kType = SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK;
  const struct {
    Call call;
    Reaction reaction;
  } cases[] = {
      {{"socket", {AF_INET, kType, IPPROTO_TCP}}, Reaction::allow},
      {{"socket", {AF_INET6, kType, IPPROTO_TCP}}, Reaction::allow},
      {{"socket", {AF_INET, kType, kMptcp}}, Reaction::kill},
      {{"socket", {AF_INET, SOCK_DGRAM, 0}}, Reaction::kill},
      {{"socket", {AF_INET, SOCK_RAW, IPPROTO_TCP}}, Reaction::kill},
      {{"socket", {AF_UNIX, kType, 0}}, Reaction::kill},
      {{"socket", {AF_VSOCK, kType, 0}}, Reaction::kill},
      {{"socket", {AF_NETLINK, SOCK_RAW, 0}}, Reaction::kill},
      {{"connect", {4}}, Reaction::allow},
      {{"connect", {1}}, Reaction::kill},
      {{"getsockopt", {4, SOL_SOCKET, SO_ERROR}}, Reaction::allow},
      {{"getsockopt", {4, SOL_SOCKET, SO_PEERCRED}}, Reaction::kill},
      {{"setsockopt", {4, IPPROTO_TCP, TCP_FASTOPEN_CONNECT}}, Reaction::kill},
      {{"sendmsg", {1, 0, kNoSignal}}, Reaction::allow},
      {{"sendmsg", {4, 0, kNoSignal}}, Reaction::kill},
      {{"sendmsg", {1, 0, MSG_FASTOPEN}}, Reaction::kill},
      {{"sendto", {0, 0, 0, kNoSignal, 0}}, Reaction::allow},
      {{"sendto", {4, 0, 0, kNoSignal, 0}}, Reaction::kill},
      {{"sendto", {kHigh | 4, 0, 0, kNoSignal, 0}}, Reaction::kill},
      {{"write", {4}}, Reaction::kill},
      {{"writev", {4}}, Reaction::kill},
      {{"pwrite64", {4}}, Reaction::kill},
      {{"splice", {4}}, Reaction::kill},
      {{"sendfile", {4}}, Reaction::kill},
      {{"recvmsg", {1}}, Reaction::kill},
      {{"close", {1}}, Reaction::kill},
      {{"dup2", {4, 1}}, Reaction::kill},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.call.name + " " + std::to_string(c.call.args[0]));
    EXPECT_EQ(policy.filter.evaluate(c.call), c.reaction);
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
      EXPECT_NE(policy.filter.evaluate({name, {}}), Reaction::allow)
          << policy.filter.name() << " " << name;
    }
  }
}

TEST(Policies, ResolvingIsForResolvingAlone) {
  const Policy policy = resolving();
  const struct {
    Call call;
    Reaction reaction;
  } cases[] = {
      {{"socket", {AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0}}, Reaction::allow},
      {{"socket", {AF_INET6, SOCK_DGRAM, IPPROTO_UDP}}, Reaction::allow},
      {{"socket", {AF_UNIX, SOCK_STREAM, 0}}, Reaction::allow},
      {{"socket", {AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, 0}}, Reaction::allow},
      {{"socket", {AF_NETLINK, SOCK_RAW, 9}}, Reaction::refuse},
      {{"socket", {AF_INET, SOCK_STREAM, kMptcp}}, Reaction::refuse},
      {{"socket", {AF_INET, SOCK_RAW, IPPROTO_ICMP}}, Reaction::refuse},
      {{"socket", {AF_VSOCK, SOCK_STREAM, 0}}, Reaction::refuse},
      {{"socket", {AF_PACKET, SOCK_RAW, 0}}, Reaction::refuse},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(std::to_string(c.call.args[0]) + " " + std::to_string(c.call.args[1]));
    EXPECT_EQ(policy.filter.evaluate(c.call), c.reaction);
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
