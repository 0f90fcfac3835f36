#include "seals.h"

#include <linux/keyctl.h>
#include <linux/sched.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <termios.h>

#include <cerrno>
#include <initializer_list>
#include <utility>

namespace cg::key {

namespace {

using seal::Filter;
using seal::int_bits;
using seal::int_is;
using seal::is_null;
using seal::Network;
using seal::Otherwise;
using seal::Policy;
using seal::Rule;

using Rules = std::vector<Rule>;

constexpr std::uint64_t kMaxFile = 65536;
constexpr unsigned kMaxDescriptors = 16;
constexpr unsigned kMaxBusDescriptors = 64;

void add(Rules& rules, std::initializer_list<const char*> names) {
  for (const char* name : names) rules.push_back({name});
}

/// Memory that is not executable, its own descriptors, waiting, the end.
Rules common_rules() {
  Rules rules = {
      {"mmap", {int_bits(2, PROT_EXEC, 0)}},
      {"mprotect", {int_bits(2, PROT_EXEC, 0)}},
      // To the parent and the leaf.
      {"sendto", {int_is(0, 0), int_is(3, MSG_NOSIGNAL), is_null(4)}},
      {"sendto", {int_is(0, 2), int_is(3, MSG_NOSIGNAL), is_null(4)}},
  };
  add(rules, {"munmap",        "mremap",         "brk",
              "madvise",       "futex",          "getrandom",
              "clock_gettime", "gettimeofday",   "getpid",
              "gettid",        "sched_yield",    "read",
              "write",         "close",          "fstat",
              "newfstatat",    "poll",           "ppoll",
              "alarm",         "setitimer",      "restart_syscall",
              "rt_sigreturn",  "rt_sigprocmask", "rt_sigaction",
              "sigaltstack",   "exit",           "exit_group"});
  // A terminal that does not show what is typed.
  add(rules, {"getpgrp", "getpgid"});
  for (const int request : {TCGETS, TCSETSF, TIOCGPGRP, TIOCSPGRP}) {
    rules.push_back({"ioctl", {int_is(0, 1), int_is(1, static_cast<std::uint32_t>(request))}});
  }
  return rules;
}

void add_keyring(Rules& rules) {
  add(rules, {"add_key", "getuid"});
  for (const int operation :
       {KEYCTL_SEARCH, KEYCTL_READ, KEYCTL_SETPERM, KEYCTL_REVOKE, KEYCTL_INVALIDATE}) {
    rules.push_back({"keyctl", {int_is(0, static_cast<std::uint32_t>(operation))}});
  }
}

/// Files that are open already, in a folder that Landlock knows.
void add_file_of_our_own(Rules& rules) {
  add(rules, {"fsync", "renameat", "renameat2", "unlinkat"});
}

/// What GLib and libsecret do once they are connected.
void add_bus(Rules& rules) {
  constexpr std::uint32_t kThread = CLONE_VM | CLONE_THREAD | CLONE_SIGHAND;
  rules.push_back({"clone", {int_bits(0, kThread, kThread)}});
  rules.push_back({"clone3", {}, seal::fails_with(ENOSYS)});
  add(rules, {"sendmsg",
              "recvmsg",
              "recvfrom",
              "getsockopt",
              "getsockname",
              "getpeername",
              "setsockopt",
              "eventfd2",
              "fcntl",
              "pipe2",
              "shutdown",
              "set_robust_list",
              "rseq",
              "getuid",
              "geteuid",
              "getgid",
              "getegid",
              "getresuid",
              "getresgid",
              "sysinfo",
              "uname",
              "getrusage",
              "mlock",
              "munlock",
              "sched_getaffinity",
              "clock_nanosleep",
              "writev",
              "lseek",
              "openat",
              "open",
              "access",
              "stat",
              "lstat",
              "statx",
              "readlink",
              "tgkill"});
  for (const unsigned what : {15U, 16U}) rules.push_back({"prctl", {int_is(0, what)}});  // names
}

seal::Reach reach_of(const Needs& needs) {
  seal::Reach reach;
  if (!needs.folder.empty()) reach.writable = {needs.folder};
  // libgcrypt asks whether it has to be that of FIPS, GLib where it is running.
  if (needs.bus) reach.readable = {"/proc/sys/crypto", "/etc/gcrypt", "/etc/machine-id"};
  return reach;
}

Policy policy_of(Filter filter, const Needs& needs) {
  // The keyring of a user is another one in a user namespace, and a bus lies outside of an
  // empty network where its address is an abstract one.
  const bool apart = !needs.keyring && !needs.bus;
  Policy policy{std::move(filter), reach_of(needs), apart ? Network::empty : Network::shared,
                needs.bus ? kMaxBusDescriptors : kMaxDescriptors,
                needs.folder.empty() ? 0 : kMaxFile};
  if (needs.bus) policy.processes = seal::Processes::threads;
  return policy;
}

Rules holding_rules(const Needs& needs) {
  Rules rules = common_rules();
  add(rules, {"wait4"});  // for systemd-creds
  if (needs.keyring) add_keyring(rules);
  if (!needs.folder.empty()) add_file_of_our_own(rules);
  if (needs.bus) add_bus(rules);
  return rules;
}

}  // namespace

Result<Policy, seal::Error> dialling_policy(const Needs& needs) {
  Rules rules = holding_rules(needs);
  for (Rule& rule : seal::sealing_calls()) rules.push_back(std::move(rule));
  rules.push_back({"socket", {int_is(0, AF_UNIX)}});
  add(rules, {"connect", "sendto"});
  CG_TRY_ASSIGN(Filter filter, Filter::build("key-dialling", std::move(rules), Otherwise::refuse));
  return policy_of(std::move(filter), needs);
}

Result<Policy, seal::Error> holding_policy(const Needs& needs) {
  CG_TRY_ASSIGN(Filter filter, Filter::build("key-holding", holding_rules(needs),
                                             needs.bus ? Otherwise::refuse : Otherwise::kill));
  return policy_of(std::move(filter), needs);
}

}  // namespace cg::key
