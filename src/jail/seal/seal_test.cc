// What seal() reports is what the kernel then does. Each attempt in a child.
#include "jail/seal/seal.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <functional>

#include "support/support.h"

namespace cg::seal {
namespace {

using testing::HasSubstr;

/// Exit code of `act` in a child, or minus the signal that ended it.
int in_child(const std::function<int()>& act) {
  const pid_t child = fork();
  if (child == 0) _exit(act());
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

/// Enough to look around and leave.
std::vector<Rule> looking() {
  std::vector<Rule> rules = sealing_calls();
  for (const char* name :
       {"openat", "open", "close", "read", "fstat", "newfstatat", "socket", "connect", "brk",
        "mmap", "munmap", "futex", "sigaltstack", "exit", "exit_group"}) {
    rules.push_back({name});
  }
  return rules;
}

Policy policy_with(std::vector<Rule> rules, Otherwise otherwise, Reach reach = {}) {
  auto filter = Filter::build("test", std::move(rules), otherwise);
  EXPECT_TRUE(filter.has_value());
  return Policy{*std::move(filter), std::move(reach)};
}

TEST(Seal, LeavesTheProcessWithoutWhatItReports) {
  const Policy policy = policy_with(looking(), Otherwise::kill);
  EXPECT_EQ(in_child([&] {
              const auto applied = seal(policy);
              if (!applied) return 1;
              if (!applied->no_new_privileges || !applied->undumpable || !applied->filter) return 2;
              if (prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1) return 3;
              if (prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) != 0) return 4;
              return prctl(PR_GET_SECCOMP, 0, 0, 0, 0) == 2 ? 0 : 5;
            }),
            0);
}

TEST(Seal, EndsAProcessThatAsksForMore) {
  const Policy policy = policy_with(looking(), Otherwise::kill);
  EXPECT_EQ(in_child([&] {
              if (!seal(policy)) return 1;
              execl("/bin/true", "true", nullptr);
              return 2;
            }),
            -SIGSYS);
  EXPECT_EQ(in_child([&] {
              if (!seal(policy)) return 1;
              return fork() == 0 ? 3 : 2;
            }),
            -SIGSYS);
}

TEST(Seal, RefusesInsteadWhereAsked) {
  const Policy policy = policy_with(looking(), Otherwise::refuse);
  EXPECT_EQ(in_child([&] {
              if (!seal(policy)) return 1;
              execl("/bin/true", "true", nullptr);
              return errno == EPERM ? 0 : 2;
            }),
            0);
}

TEST(Seal, KeepsFilesOutOfReachWhereTheKernelHasLandlock) {
  const test::ScratchDir dir;
  test::write(dir / "in", "x");
  const Policy policy =
      policy_with(looking(), Otherwise::kill, Reach{{dir.path().string(), "/no/such/path"}, {}});
  const std::string inside = dir / "in";
  EXPECT_EQ(in_child([&] {
              const auto applied = seal(policy);
              if (!applied) return 1;
              if (open(inside.c_str(), O_RDONLY) < 0) return 2;
              const bool out = open("/etc/passwd", O_RDONLY) >= 0;
              if (out == applied->landlock.files) return 3;
              const bool write = open(inside.c_str(), O_WRONLY) >= 0;
              return write == applied->landlock.files ? 4 : 0;
            }),
            0);
}

TEST(Seal, KeepsPortsOutOfReachWhereTheKernelCan) {
  Policy policy = policy_with(looking(), Otherwise::kill, Reach{{}, {9}});
  policy.network = Network::shared;
  const auto code_of_connect = [](int port) {
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(static_cast<std::uint16_t>(port));
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const int fd = socket(AF_INET, SOCK_STREAM, 0);
    return connect(fd, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0 ? 0 : errno;
  };
  EXPECT_EQ(in_child([&] {
              const auto applied = seal(policy);
              if (!applied) return 1;
              if (code_of_connect(9) == EACCES) return 2;
              return (code_of_connect(10) == EACCES) == applied->landlock.tcp ? 0 : 3;
            }),
            0);
}

TEST(Seal, EmptyNetworkHasNoLoopback) {
  const Policy policy = policy_with(looking(), Otherwise::kill);
  EXPECT_EQ(in_child([&] {
              const auto applied = seal(policy);
              if (!applied) return 1;
              sockaddr_in to{};
              to.sin_family = AF_INET;
              to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
              const int fd = socket(AF_INET, SOCK_DGRAM, 0);  // no Landlock rule for these
              to.sin_port = htons(9);
              const int code =
                  connect(fd, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0 ? 0 : errno;
              return (code == ENETUNREACH) == applied->empty_network ? 0 : 2;
            }),
            0);
}

TEST(Seal, ASecondSealIsStricter) {
  const Policy first = policy_with(looking(), Otherwise::refuse);
  const Policy second = policy_with({{"exit_group"}, {"openat"}, {"open"}}, Otherwise::kill);
  EXPECT_EQ(in_child([&] {
              if (!seal(first) || !seal(second)) return 1;
              socket(AF_INET, SOCK_STREAM, 0);
              return 2;
            }),
            -SIGSYS);
}

TEST(Seal, AFailureIsAnError) {
  const Policy first = policy_with(
      {{"exit_group"}, {"prctl"}, {"prlimit64"}, {"setrlimit"}, {"capset"}, {"sigaltstack"}},
      Otherwise::refuse);
  EXPECT_EQ(in_child([&] {
              if (!seal(first)) return 1;
              const auto again = seal(first);  // Landlock or the filter is refused now
              if (again) return 2;
              return again.error().code == EPERM ? 0 : 3;
            }),
            0);
}

TEST(Shed, ClosesDescriptorsAndHidesMemory) {
  EXPECT_EQ(in_child([] {
              const int extra = open("/dev/null", O_RDONLY);
              if (extra < 3) return 1;
              if (!shed(3)) return 2;
              if (fcntl(extra, F_GETFD) >= 0) return 3;
              rlimit core{};
              getrlimit(RLIMIT_CORE, &core);
              return prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) == 0 && core.rlim_max == 0 ? 0 : 4;
            }),
            0);
}

TEST(Applied, SaysWhatIsMissing) {
  EXPECT_EQ(describe(Applied{}), "-no_new_privs -undumpable -no_caps -seccomp -landlock -netns");
  EXPECT_EQ(describe(Applied{true, true, true, true, true, {4, true, true, false}}),
            "no_new_privs undumpable no_caps seccomp landlock(abi 4: files tcp -scopes) netns");
}

}  // namespace
}  // namespace cg::seal
