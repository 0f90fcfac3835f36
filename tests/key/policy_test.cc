// What codegenie-key can still ask of the kernel once it may have a key in its hands.
#include <gtest/gtest.h>
#include <linux/keyctl.h>
#include <sys/mman.h>
#include <sys/socket.h>

#include "seals.h"

namespace cg::key {
namespace {

using seal::Reaction;

const std::vector<Needs> kAllNeeds = {
    {}, {false, true, ""}, {false, false, "/f"}, {true, false, ""}, {true, true, "/f"}};

bool allows(const seal::Policy& policy, const seal::Call& call) {
  return policy.filter.evaluate(call) == Reaction::allow;
}

TEST(KeySeal, StartsDialsTracesAndRunsNothing) {
  for (const Needs& needs : kAllNeeds) {
    const auto policy = holding_policy(needs);
    ASSERT_TRUE(policy.has_value()) << seal::describe(policy.error());
    for (const char* call : {"socket",
                             "socketpair",
                             "connect",
                             "bind",
                             "listen",
                             "accept4",
                             "execve",
                             "execveat",
                             "fork",
                             "vfork",
                             "ptrace",
                             "process_vm_readv",
                             "process_vm_writev",
                             "pidfd_getfd",
                             "memfd_create",
                             "mount",
                             "unshare",
                             "setns",
                             "bpf",
                             "io_uring_setup",
                             "userfaultfd",
                             "request_key",
                             "kill",
                             "tkill",
                             "link",
                             "symlink",
                             "chmod",
                             "openat2",
                             "sendmmsg",
                             "vmsplice",
                             "splice",
                             "perf_event_open",
                             "prlimit64",
                             "seccomp"}) {
      EXPECT_FALSE(allows(*policy, {call, {}})) << call;
    }
    EXPECT_FALSE(allows(*policy, {"socket", {AF_UNIX, SOCK_STREAM, 0}}));
    EXPECT_FALSE(allows(*policy, {"clone", {17}})) << "a process, not a thread";
    EXPECT_FALSE(allows(*policy, {"mmap", {0, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE}}));
    EXPECT_FALSE(allows(*policy, {"sendto", {5, 0, 0, MSG_NOSIGNAL, 0, 0}}));
    EXPECT_FALSE(allows(*policy, {"sendto", {0, 0, 0, MSG_NOSIGNAL, 1, 16}}));
    EXPECT_TRUE(allows(*policy, {"sendto", {2, 0, 0, MSG_NOSIGNAL, 0, 0}}));
  }
}

TEST(KeySeal, LeavesEachStoreWhatItNeedsAndNoOther) {
  const auto reaction = [](const Needs& needs, const seal::Call& call) {
    return holding_policy(needs)->filter.evaluate(call);
  };
  const seal::Call read_key{"keyctl", {KEYCTL_READ}};
  EXPECT_EQ(reaction({false, true, ""}, read_key), Reaction::allow);
  EXPECT_EQ(reaction({}, read_key), Reaction::kill);
  EXPECT_EQ(reaction({false, true, ""}, {"keyctl", {KEYCTL_JOIN_SESSION_KEYRING}}), Reaction::kill);
  EXPECT_EQ(reaction({false, false, "/f"}, {"renameat", {}}), Reaction::allow);
  EXPECT_EQ(reaction({}, {"renameat", {}}), Reaction::kill);
  for (const char* call : {"open", "openat", "recvmsg", "sendmsg"}) {
    EXPECT_EQ(reaction({false, true, "/f"}, {call, {}}), Reaction::kill) << call;
  }
  EXPECT_EQ(reaction({true, false, ""}, {"sendmsg", {}}), Reaction::allow);
  EXPECT_EQ(reaction({true, false, ""}, {"ptrace", {}}), Reaction::refuse);
}

TEST(KeySeal, DialsLocalSocketsAlone) {
  const auto policy = dialling_policy({true, false, ""});
  ASSERT_TRUE(policy.has_value());
  EXPECT_TRUE(allows(*policy, {"socket", {AF_UNIX, SOCK_STREAM, 0}}));
  for (const unsigned family : {2U, 10U, 16U, 17U, 40U}) {  // IP, netlink, packets, vsock
    EXPECT_FALSE(allows(*policy, {"socket", {family, SOCK_STREAM, 0}}));
  }
  EXPECT_FALSE(allows(*policy, {"execve", {}}));
}

}  // namespace
}  // namespace cg::key
