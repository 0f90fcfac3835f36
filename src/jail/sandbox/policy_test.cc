// What the payload's filter says to calls, and what the policy says of itself.
#include "jail/sandbox/policy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/audit.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <cerrno>

namespace cg::sandbox {
namespace {

using seal::Call;
using seal::Reaction;
using testing::HasSubstr;

const seal::Filter& filter() {
  static const auto built = payload_filter();
  return *built;
}

TEST(PayloadFilter, RefusesWhatCouldLeadOut) {
  for (const char* call : {"io_uring_setup",
                           "io_uring_enter",
                           "io_uring_register",
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
                           "move_mount",
                           "open_tree",
                           "fsopen",
                           "fsmount",
                           "fsconfig",
                           "fspick",
                           "mount_setattr",
                           "pivot_root",
                           "chroot",
                           "unshare",
                           "setns",
                           "open_by_handle_at",
                           "name_to_handle_at",
                           "init_module",
                           "finit_module",
                           "delete_module",
                           "kexec_load",
                           "kexec_file_load",
                           "swapon",
                           "swapoff",
                           "reboot",
                           "settimeofday",
                           "clock_settime",
                           "adjtimex",
                           "clock_adjtime",
                           "vhangup",
                           "acct",
                           "quotactl",
                           "sethostname",
                           "setdomainname",
                           "iopl",
                           "ioperm",
                           "syslog",
                           "fanotify_init",
                           "lookup_dcookie",
                           "move_pages",
                           "migrate_pages",
                           "memfd_secret",
                           "modify_ldt",
                           "vm86"}) {
    SCOPED_TRACE(call);
    const Reaction reaction = filter().evaluate({call, {}});
    if (reaction == Reaction::unknown) continue;  // another architecture's
    EXPECT_EQ(reaction, Reaction::refuse);
    EXPECT_EQ(filter().code({call, {}}), EPERM);
  }
}

TEST(PayloadFilter, LetsNoCloneMakeANamespace) {
  EXPECT_EQ(filter().evaluate({"clone", {CLONE_VM | CLONE_THREAD | SIGCHLD}}), Reaction::allow);
  for (const int flag : {CLONE_NEWUSER, CLONE_NEWNS, CLONE_NEWPID, CLONE_NEWNET, CLONE_NEWIPC,
                         CLONE_NEWUTS, CLONE_NEWCGROUP}) {
    EXPECT_EQ(filter().code({"clone", {static_cast<unsigned>(flag | SIGCHLD)}}), EPERM);
  }
  EXPECT_EQ(filter().code({"clone3", {}}), ENOSYS);
}

TEST(PayloadFilter, KnowsPlainSocketsOnly) {
  const auto reaction = [](std::uint64_t family, std::uint64_t type, std::uint64_t protocol) {
    return filter().evaluate({"socket", {family, type, protocol}});
  };
  for (const unsigned family : {unsigned{AF_INET}, unsigned{AF_INET6}}) {
    EXPECT_EQ(reaction(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), Reaction::allow);
    EXPECT_EQ(reaction(family, SOCK_STREAM, 6), Reaction::allow);
    EXPECT_EQ(reaction(family, SOCK_DGRAM, 17), Reaction::allow);
    EXPECT_EQ(reaction(family, SOCK_STREAM, 262), Reaction::refuse);  // MPTCP
    EXPECT_EQ(reaction(family, SOCK_RAW, 1), Reaction::refuse);
    EXPECT_EQ(reaction(family, SOCK_DGRAM, 1), Reaction::refuse);  // ping
    EXPECT_EQ(reaction(family, SOCK_SEQPACKET, 132), Reaction::refuse);
  }
  EXPECT_EQ(reaction(AF_UNIX, SOCK_STREAM, 0), Reaction::allow);
  for (std::uint64_t family = 0; family < 64; ++family) {
    if (family == AF_UNIX || family == AF_INET || family == AF_INET6) continue;
    EXPECT_EQ(filter().code({"socket", {family, SOCK_STREAM, 0}}), EAFNOSUPPORT) << family;
  }
  EXPECT_EQ(filter().code({"socket", {0x1'0000'0028, SOCK_STREAM, 0}}), EAFNOSUPPORT);
  EXPECT_EQ(filter().code({"socketpair", {AF_INET}}), EPERM);
}

TEST(PayloadFilter, KnowsOfNetlinkOnlyWhatListsTheInterfaces) {
  const auto code = [](std::uint64_t type, std::uint64_t protocol) {
    return filter().code({"socket", {AF_NETLINK, type, protocol}});
  };
  EXPECT_EQ(filter().evaluate({"socket", {AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, 0}}),
            Reaction::allow);
  for (std::uint64_t protocol = 1; protocol < 64; ++protocol) {
    EXPECT_EQ(code(SOCK_RAW, protocol), EAFNOSUPPORT) << protocol;
  }
  EXPECT_EQ(code(SOCK_RAW, 0x1'0000'0010), EAFNOSUPPORT);  // the kernel reads 16
  EXPECT_EQ(code(SOCK_DGRAM, 0), EAFNOSUPPORT);
  EXPECT_EQ(filter().code({"socketpair", {AF_NETLINK, SOCK_RAW, 0}}), EPERM);
}

TEST(PayloadFilter, LooksAtTheHalfOfAnIoctlThatTheKernelReads) {
  for (const std::uint64_t request :
       {std::uint64_t{TIOCSTI}, std::uint64_t{TIOCLINUX}, std::uint64_t{TIOCSETD}}) {
    EXPECT_EQ(filter().code({"ioctl", {0, request}}), EPERM);
    EXPECT_EQ(filter().code({"ioctl", {0, request | 0x1'0000'0000}}), EPERM);
  }
  EXPECT_EQ(filter().evaluate({"ioctl", {0, std::uint64_t{TIOCGWINSZ}}}), Reaction::allow);
}

TEST(PayloadFilter, MakesNoDevicesNoListenersAndNoOtherPersonality) {
  EXPECT_EQ(filter().evaluate({"mknod", {0, std::uint64_t{S_IFREG}}}), Reaction::allow);
  EXPECT_EQ(filter().evaluate({"mknodat", {0, 0, S_IFIFO}}), Reaction::allow);
  EXPECT_EQ(filter().code({"mknod", {0, S_IFCHR}}), EPERM);
  EXPECT_EQ(filter().code({"mknodat", {0, 0, S_IFBLK}}), EPERM);
  EXPECT_EQ(filter().evaluate({"seccomp", {1, 0}}), Reaction::allow);
  EXPECT_EQ(filter().code({"seccomp", {1, 1U << 3U}}), EPERM);
  EXPECT_EQ(filter().evaluate({"personality", {0xffff'ffff}}), Reaction::allow);
  EXPECT_EQ(filter().code({"personality", {0x0040000}}), EPERM);  // ADDR_NO_RANDOMIZE
}

TEST(PayloadFilter, AllowsWhatNodeLivesOn) {
  for (const char* call : {"read", "openat", "mmap", "futex", "epoll_wait", "epoll_pwait", "statx",
                           "getrandom", "wait4", "bind", "listen", "accept4", "inotify_add_watch",
                           "copy_file_range", "prctl", "rseq", "eventfd2", "pipe2", "fork"}) {
    EXPECT_EQ(filter().evaluate({call, {}}), Reaction::allow) << call;
  }
}

TEST(PayloadFilter, ReportsWhatTheTraceIsAbout) {
  for (const char* call : {"execve", "execveat", "connect", "sendmsg"}) {
    EXPECT_EQ(filter().evaluate({call, {}}), Reaction::report) << call;
  }
  EXPECT_EQ(filter().evaluate({"sendto", {3, 0, 0, 0, 0}}), Reaction::allow);
  EXPECT_EQ(filter().evaluate({"sendto", {3, 0, 0, 0, 0x7fff'0000'0000}}), Reaction::report);
}

TEST(PayloadFilter, EndsForeignArchitectures) {
  EXPECT_EQ(filter().evaluate_raw(AUDIT_ARCH_I386, 11), Reaction::kill);
#ifdef __x86_64__
  EXPECT_NE(filter().evaluate_raw(AUDIT_ARCH_X86_64, 0x4000'0000 + 59), Reaction::allow);  // x32
#endif
}

TEST(Policy, SaysInWordsWhatItIs) {
  Scene scene;
  scene.tree = "/home/op/project";
  scene.readable = {"/opt/tool\x1b[2J"};
  const auto policy = Policy::Builder().scene(scene).limits({}).build();
  ASSERT_TRUE(policy.has_value());
  const std::string text = policy->print();
  for (const char* part :
       {"/usr  read-only", "/dev/null  device", "/proc/sys  covered", "/tree  writable, scratch",
        "no capabilities", "clone3 -> ENOSYS", "all but device nodes", "wall clock 180 s"}) {
    EXPECT_THAT(text, HasSubstr(part));
  }
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
}

TEST(Policy, HasOneDigestPerMeaning) {
  const auto one = Policy::Builder().build();
  const auto same = Policy::Builder().build();
  Scene scene;
  scene.scratch_bytes = 1U << 20U;
  const auto other = Policy::Builder().scene(scene).build();
  ASSERT_TRUE(one && same && other);
  EXPECT_EQ(one->digest(), same->digest());
  EXPECT_NE(one->digest(), other->digest());
}

}  // namespace
}  // namespace cg::sandbox
