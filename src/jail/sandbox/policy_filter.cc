// The payload's filter.
#include <linux/filter.h>
#include <linux/netlink.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>

#include "jail/sandbox/policy.h"

namespace cg::sandbox {

namespace {

using seal::fails_with;
using seal::int_bits;
using seal::int_is;
using seal::is_null;
using seal::reported;
using seal::Rule;

constexpr std::uint32_t kNewNamespaces = CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS |
                                         CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET;
constexpr std::uint32_t kTypeBits = 0xf;  // of socket()'s type; the rest are flags

// clang-format off
constexpr const char* kAllowed[] = {
    // files
    "read", "write", "open", "close", "stat", "fstat", "lstat", "poll", "lseek", "pread64",
    "pwrite64", "readv", "writev", "access", "pipe", "select", "dup", "dup2", "dup3", "pipe2",
    "fcntl", "flock", "fsync", "fdatasync", "truncate", "ftruncate", "getdents", "getdents64",
    "getcwd", "chdir", "fchdir", "rename", "renameat", "renameat2", "mkdir", "mkdirat", "rmdir",
    "creat", "link", "linkat", "unlink", "unlinkat", "symlink", "symlinkat", "readlink",
    "readlinkat", "chmod", "fchmod", "fchmodat", "chown", "fchown", "lchown", "fchownat", "umask",
    "openat", "openat2", "newfstatat", "statx", "faccessat", "faccessat2", "futimesat",
    "utimensat", "utime", "utimes", "statfs", "fstatfs", "sync_file_range",
    "fallocate", "fadvise64", "readahead", "sendfile", "splice", "tee", "vmsplice",
    "copy_file_range", "preadv", "pwritev", "preadv2", "pwritev2", "getxattr", "lgetxattr",
    "fgetxattr", "setxattr", "lsetxattr", "fsetxattr", "listxattr", "llistxattr", "flistxattr",
    "removexattr", "lremovexattr", "fremovexattr", "inotify_init", "inotify_init1",
    "inotify_add_watch", "inotify_rm_watch", "close_range", "memfd_create", "ustat",
    // memory
    "mmap", "mprotect", "munmap", "brk", "mremap", "msync", "mincore", "madvise", "mlock",
    "mlock2", "munlock", "mlockall", "munlockall", "membarrier", "pkey_alloc", "pkey_free",
    "pkey_mprotect", "get_mempolicy", "set_mempolicy", "mbind", "shmget", "shmat", "shmctl",
    "shmdt", "remap_file_pages", "process_madvise",
    // processes and threads
    "fork", "vfork", "exit", "exit_group", "wait4", "waitid", "kill", "tkill", "tgkill",
    "getpid", "getppid", "gettid", "getpgid", "getpgrp", "setpgid", "getsid", "setsid",
    "set_tid_address", "set_robust_list", "get_robust_list", "futex", "futex_waitv", "rseq",
    "arch_prctl", "sched_yield", "sched_getaffinity", "sched_setaffinity", "sched_getparam",
    "sched_setparam", "sched_getscheduler", "sched_setscheduler", "sched_getattr",
    "sched_setattr", "sched_get_priority_max", "sched_get_priority_min", "sched_rr_get_interval",
    "getpriority", "setpriority", "ioprio_get", "ioprio_set", "getrlimit", "setrlimit",
    "getrusage", "times", "getcpu", "pidfd_open", "pidfd_send_signal", "prctl",
    "restart_syscall", "capget", "capset", "landlock_create_ruleset", "landlock_add_rule",
    "landlock_restrict_self",
    // who one is; without privileges these change nothing
    "getuid", "getgid", "geteuid", "getegid", "getgroups", "getresuid", "getresgid", "setuid",
    "setgid", "setreuid", "setregid", "setresuid", "setresgid", "setgroups", "setfsuid",
    "setfsgid",
    // signals and time
    "rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "rt_sigpending", "rt_sigtimedwait",
    "rt_sigqueueinfo", "rt_tgsigqueueinfo", "rt_sigsuspend", "sigaltstack", "pause", "alarm",
    "signalfd", "signalfd4", "nanosleep", "clock_nanosleep", "clock_gettime", "clock_getres",
    "gettimeofday", "time", "getitimer", "setitimer", "timer_create", "timer_settime",
    "timer_gettime", "timer_getoverrun", "timer_delete", "timerfd_create", "timerfd_settime",
    "timerfd_gettime",
    // waiting
    "epoll_create", "epoll_create1", "epoll_ctl", "epoll_wait", "epoll_pwait", "epoll_pwait2",
    "ppoll", "pselect6", "eventfd", "eventfd2", "io_setup", "io_destroy", "io_submit",
    "io_getevents", "io_cancel",
    // sockets, once there is one
    "bind", "listen", "accept", "accept4", "getsockname", "getpeername", "getsockopt",
    "setsockopt", "shutdown", "recvfrom", "recvmsg", "recvmmsg",
    // queues between processes
    "semget", "semop", "semtimedop", "semctl", "msgget", "msgsnd", "msgrcv", "msgctl", "mq_open",
    "mq_unlink", "mq_timedsend", "mq_timedreceive", "mq_notify", "mq_getsetattr",
    // the machine
    "uname", "sysinfo", "getrandom"};
// clang-format on

/// Streams and datagrams, plain TCP and UDP: no MPTCP, no raw ones, no other family. Of netlink
/// what getifaddrs(3) asks by, and nothing else: it lists the step's own loopback, and to change
/// anything takes a capability that no step has.
std::vector<Rule> socket_rules() {
  std::vector<Rule> out{{"socket", {int_is(0, AF_UNIX)}}};
  for (const unsigned family : {unsigned{AF_INET}, unsigned{AF_INET6}}) {
    for (const unsigned protocol : {0U, unsigned{IPPROTO_TCP}}) {
      out.push_back(
          {"socket",
           {int_is(0, family), int_bits(1, kTypeBits, SOCK_STREAM), int_is(2, protocol)}});
    }
    for (const unsigned protocol : {0U, unsigned{IPPROTO_UDP}}) {
      out.push_back(
          {"socket", {int_is(0, family), int_bits(1, kTypeBits, SOCK_DGRAM), int_is(2, protocol)}});
    }
  }
  out.push_back(
      {"socket",
       {int_is(0, AF_NETLINK), int_bits(1, kTypeBits, SOCK_RAW), int_is(2, NETLINK_ROUTE)}});
  out.push_back({"socket", {}, fails_with(EAFNOSUPPORT)});
  return out;
}

std::vector<Rule> special_rules() {
  std::vector<Rule> out{
      {"clone", {int_bits(0, kNewNamespaces, 0)}},
      {"clone3", {}, fails_with(ENOSYS)},
      // Its own limits; its init is of the same user and must keep those it has.
      {"prlimit64", {int_is(0, 0)}},
      // A listener of the payload's own would come before ours.
      {"seccomp", {int_bits(1, SECCOMP_FILTER_FLAG_NEW_LISTENER, 0)}},
      {"socketpair", {int_is(0, AF_UNIX)}},
      // They would wait for every disk of the host; what a step writes is in memory.
      {"sync", {}, fails_with(0)},
      {"syncfs", {}, fails_with(0)},
      {"personality", {int_is(0, 0)}},
      {"personality", {int_is(0, 0xffff'ffffU)}},
      {"ioctl", {int_is(1, TIOCSTI)}, fails_with(EPERM)},
      {"ioctl", {int_is(1, TIOCLINUX)}, fails_with(EPERM)},
      // Of a terminal of its own it could have the kernel load one of many line disciplines.
      {"ioctl", {int_is(1, TIOCSETD)}, fails_with(EPERM)},
      {"ioctl"}};
  for (const std::uint32_t type : {0U, unsigned{S_IFREG}, unsigned{S_IFIFO}, unsigned{S_IFSOCK}}) {
    out.push_back({"mknod", {int_bits(1, S_IFMT, type)}});
    out.push_back({"mknodat", {int_bits(2, S_IFMT, type)}});
  }
  return out;
}

/// The trace: what is executed, and who is spoken to.
std::vector<Rule> watched_rules() {
  return {{"execve", {}, reported()},  {"execveat", {}, reported()}, {"connect", {}, reported()},
          {"sendto", {is_null(4)}},    {"sendto", {}, reported()},   {"sendmsg", {}, reported()},
          {"sendmmsg", {}, reported()}};
}

}  // namespace

std::vector<Rule> payload_rules() {
  std::vector<Rule> out;
  for (const char* call : kAllowed) out.push_back({call});
  for (const auto& more : {special_rules(), socket_rules(), watched_rules()}) {
    out.insert(out.end(), more.begin(), more.end());
  }
  return out;
}

Result<seal::Filter, seal::Error> payload_filter() {
  return seal::Filter::build("payload", payload_rules(), seal::Otherwise::refuse);
}

}  // namespace cg::sandbox
