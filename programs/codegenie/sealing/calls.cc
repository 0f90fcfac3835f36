#include "sealing/calls.h"

#include <asm/termbits.h>
#include <linux/sched.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>

#include <cerrno>
#include <initializer_list>

namespace cg::program {

namespace {

using seal::fails_with;
using seal::int_bits;
using seal::int_is;
using seal::is_null;
using seal::Rule;

using Rules = std::vector<Rule>;

void add(Rules& rules, std::initializer_list<const char*> names) {
  for (const char* name : names) rules.push_back({name});
}

/// A file is opened by openat2 and no other call: see base/os/open.h.
void add_files(Rules& rules) {
  add(rules, {"openat2", "close", "read", "readv", "pread64", "preadv", "write", "writev",
              "pwrite64", "pwritev", "lseek", "ftruncate", "fallocate", "fsync", "fdatasync",
              "fadvise64", "flock", "fcntl", "getdents64"});
  add(rules, {"fstat", "stat", "lstat", "newfstatat", "statx", "access", "faccessat", "faccessat2",
              "readlink", "readlinkat", "getcwd", "fstatfs"});
  add(rules, {"mkdir", "mkdirat", "rmdir", "unlink", "unlinkat", "rename", "renameat", "renameat2",
              "link", "linkat", "fchmod", "umask"});
  add(rules, {"memfd_create"});  // libseccomp gives the jail's filter to a descriptor only
  // Is it a terminal, and how wide.
  rules.push_back({"ioctl", {int_is(1, TCGETS)}});
  rules.push_back({"ioctl", {int_is(1, TIOCGWINSZ)}});
}

/// What threads and memory take. PROT_EXEC is for nobody.
void add_memory_and_threads(Rules& rules) {
  rules.push_back({"mmap", {int_bits(2, PROT_EXEC, 0)}});
  rules.push_back({"mprotect", {int_bits(2, PROT_EXEC, 0)}});
  add(rules, {"munmap", "mremap", "madvise", "brk", "futex", "set_robust_list", "rseq", "gettid",
              "sched_yield", "sched_getaffinity"});
  constexpr std::uint32_t kThread = CLONE_VM | CLONE_THREAD | CLONE_SIGHAND;
  rules.push_back({"clone", {int_bits(0, kThread, kThread)}});
  // Its flags lie in memory, where no filter can look; the C library then takes clone().
  rules.push_back({"clone3", {}, fails_with(ENOSYS)});
}

/// The sockets to our own programs. An address has no place in any of it.
void add_talking(Rules& rules) {
  rules.push_back({"sendto", {is_null(4)}});
  rules.push_back({"recvfrom", {is_null(4)}});
  add(rules, {"sendmsg", "recvmsg", "poll", "ppoll", "pipe2", "shutdown"});
}

void add_the_rest(Rules& rules) {
  add(rules, {"clock_gettime", "clock_getres", "clock_nanosleep", "nanosleep", "gettimeofday",
              "time", "getrandom", "uname", "sysinfo", "getrusage", "getpid", "getuid", "geteuid",
              "getgid", "getegid"});
  add(rules, {"rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "sigaltstack", "restart_syscall",
              "tgkill", "wait4", "exit", "exit_group"});
  rules.push_back({"landlock_create_ruleset", {is_null(0)}});  // asking for its version
  rules.push_back({"prlimit64", {is_null(2)}});                // reading a limit, setting none
  for (const int what : {PR_GET_NO_NEW_PRIVS, PR_GET_DUMPABLE, PR_GET_SECCOMP}) {
    rules.push_back({"prctl", {int_is(0, static_cast<std::uint32_t>(what))}});
  }
}

/// The sanitizers read maps, find their way and stop threads by calls that nothing of ours
/// makes. A build with them is for tests.
void add_sanitizers([[maybe_unused]] Rules& rules) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  add(rules, {"open", "openat", "ptrace", "clone", "getppid", "getpgrp", "prctl", "kill",
              "sched_setaffinity", "personality", "arch_prctl", "set_tid_address", "mincore",
              "process_vm_readv", "msync", "exit", "dup2", "dup", "capget"});
#endif
}

}  // namespace

Result<seal::Filter, seal::Error> program_filter(SocketCalls sockets) {
  Rules rules;
  add_files(rules);
  add_memory_and_threads(rules);
  add_talking(rules);
  add_the_rest(rules);
  add_sanitizers(rules);
  if (sockets == SocketCalls::reported) {
    for (const char* call :
         {"socket", "socketpair", "connect", "bind", "listen", "accept", "accept4"}) {
      rules.push_back({call, {}, seal::reported()});
    }
  }
  return seal::Filter::build("codegenie", std::move(rules), seal::Otherwise::refuse);
}

}  // namespace cg::program
