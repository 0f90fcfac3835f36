#include "fetch/net/policies.h"

#include <linux/netlink.h>
#include <netinet/in.h>
#include <sys/mman.h>
#include <sys/socket.h>

#include <initializer_list>
#include <utility>

namespace cg::net {

namespace {

using seal::Condition;
using seal::Filter;
using seal::int_bits;
using seal::int_is;
using seal::is_null;
using seal::Otherwise;
using seal::Policy;
using seal::Rule;

using Rules = std::vector<Rule>;

constexpr std::uint16_t kDnsPort = 53;
constexpr std::uint16_t kDnsTlsPort = 853;

void add(Rules& rules, std::initializer_list<const char*> names) {
  for (const char* name : names) rules.push_back({name});
}

/// Descriptor argument 0 is one of 4 to 7.
Condition on_socket() { return int_bits(0, ~(kFirstSocket - 1), kFirstSocket); }

/// sendto() as Channel does it: no address, no flag but that against SIGPIPE.
Rule telling(int fd) {
  return {"sendto",
          {int_is(0, static_cast<std::uint32_t>(fd)), int_is(3, MSG_NOSIGNAL), is_null(4)}};
}

/// Memory that is not executable, time, random numbers, waiting, the end.
Rules common_rules() {
  Rules rules = {
      {"mmap", {int_bits(2, PROT_EXEC, 0)}},
      {"mprotect", {int_bits(2, PROT_EXEC, 0)}},
      {"close", {on_socket()}},
      telling(kParentFd),
      telling(kLinkFd),
  };
  add(rules, {"munmap", "mremap", "brk", "madvise", "futex", "getrandom", "clock_gettime",
              "gettimeofday", "time", "getpid", "sched_yield", "read", "poll", "ppoll",
              "restart_syscall", "rt_sigreturn", "exit", "exit_group"});
  add(rules, {"sigaltstack"});  // asked by the address sanitizer whenever a process ends
  return rules;
}

Rule socket_rule(int family, int type, int protocol) {
  constexpr std::uint32_t kTypeBits = 0xf;  // the rest are flags: close on exec, non-blocking
  return {"socket",
          {int_is(0, static_cast<std::uint32_t>(family)),
           int_bits(1, kTypeBits, static_cast<std::uint32_t>(type)),
           int_is(2, static_cast<std::uint32_t>(protocol))}};
}

Rules resolver_sockets() {
  Rules rules;
  for (const int family : {AF_INET, AF_INET6}) {
    rules.push_back(socket_rule(family, SOCK_DGRAM, 0));
    rules.push_back(socket_rule(family, SOCK_DGRAM, IPPROTO_UDP));
    rules.push_back(socket_rule(family, SOCK_STREAM, 0));
    rules.push_back(socket_rule(family, SOCK_STREAM, IPPROTO_TCP));
  }
  rules.push_back(socket_rule(AF_UNIX, SOCK_STREAM, 0));
  rules.push_back(socket_rule(AF_UNIX, SOCK_DGRAM, 0));
  rules.push_back(socket_rule(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE));
  return rules;
}

Result<Policy, seal::Error> speaking_policy(const char* name) {
  Rules rules = common_rules();
  rules.push_back({"write", {on_socket()}});
  rules.push_back({"recvmsg", {int_is(0, kLinkFd)}});
  CG_TRY_ASSIGN(Filter filter, Filter::build(name, std::move(rules), Otherwise::kill));
  return Policy{std::move(filter), {}, seal::Network::empty, kMaxDescriptors};
}

}  // namespace

Result<Policy, seal::Error> fetch_policy() { return speaking_policy("fetch"); }
Result<Policy, seal::Error> leaf_policy() { return speaking_policy("leaf"); }

Result<Policy, seal::Error> dialling_policy(std::uint16_t port) {
  Rules rules = common_rules();
  for (const int family : {AF_INET, AF_INET6}) {
    rules.push_back(
        {"socket",
         {int_is(0, static_cast<std::uint32_t>(family)),
          int_is(1, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK), int_is(2, IPPROTO_TCP)}});
  }
  rules.push_back({"connect", {on_socket()}});
  rules.push_back({"getsockopt", {on_socket(), int_is(1, SOL_SOCKET), int_is(2, SO_ERROR)}});
  rules.push_back({"sendmsg", {int_is(0, kLinkFd), int_is(2, MSG_NOSIGNAL)}});
  CG_TRY_ASSIGN(Filter filter, Filter::build("dialling", std::move(rules), Otherwise::kill));
  return Policy{std::move(filter), {{}, {port}}, seal::Network::shared, kMaxDescriptors};
}

Result<Policy, seal::Error> resolving_policy(std::uint16_t port) {
  Rules rules = seal::sealing_calls();
  for (Rule& rule : resolver_sockets()) rules.push_back(std::move(rule));
  // What it will still need when it dials, since filters add up.
  add(rules, {"connect", "getsockopt", "sendto", "sendmsg", "recvmsg", "poll", "ppoll", "read"});
  add(rules, {"sendmmsg", "recvfrom", "recvmmsg", "bind", "getsockname", "getpeername",
              "setsockopt", "select", "pselect6", "epoll_create1", "epoll_ctl", "epoll_wait"});
  add(rules, {"open",  "openat", "close",     "fstat",      "newfstatat", "stat",      "lstat",
              "statx", "access", "faccessat", "faccessat2", "readlink",   "lseek",     "pread64",
              "readv", "write",  "writev",    "fcntl",      "ioctl",      "getdents64"});
  add(rules, {"mmap", "mprotect", "munmap", "mremap", "brk", "madvise", "futex", "getrandom",
              "clock_gettime", "gettimeofday", "time", "uname", "sysinfo", "sched_yield"});
  add(rules, {"getpid", "gettid", "getuid", "geteuid", "getgid", "getegid", "rt_sigaction",
              "rt_sigprocmask", "rt_sigreturn", "sigaltstack", "alarm", "setitimer", "nanosleep",
              "clock_nanosleep", "restart_syscall", "exit", "exit_group"});
  CG_TRY_ASSIGN(Filter filter, Filter::build("resolving", std::move(rules), Otherwise::refuse));
  seal::Reach reach;
  reach.readable = {"/etc/hosts",
                    "/etc/host.conf",
                    "/etc/resolv.conf",
                    "/etc/nsswitch.conf",
                    "/etc/gai.conf",
                    "/etc/services",
                    "/etc/localtime",
                    "/etc/ld.so.cache",
                    "/etc/hostname",
                    "/etc/machine-id",
                    "/run/systemd/resolve",
                    "/run/nscd",
                    "/lib",
                    "/lib64",
                    "/usr/lib",
                    "/usr/lib64"};
  reach.connect_ports = {port, kDnsPort, kDnsTlsPort};
  return Policy{std::move(filter), std::move(reach), seal::Network::shared, 64};
}

seal::Applied sealed(Channel& parent, const Result<seal::Policy, seal::Error>& policy) {
  if (!policy) refuse(parent, {FailureKind::setup, seal::describe(policy.error())});
  const auto applied = seal::seal(*policy);
  if (!applied) refuse(parent, {FailureKind::setup, seal::describe(applied.error())});
  return *applied;
}

}  // namespace cg::net
