// What codegenie may still do, judged in user space by the programs that the kernel gets.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/audit.h>
#include <linux/sched.h>
#include <sys/mman.h>
#include <sys/socket.h>

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <optional>

#include "commands.h"
#include "flow/cli/parse.h"
#include "sealing/calls.h"
#include "sealing/reach.h"
#include "support/support.h"

namespace cg::program {
namespace {

using seal::Call;
using seal::Reaction;
using testing::Contains;
using testing::Not;

TEST(ProgramFilter, MakesNoSocketAndNoProcessAndOpensByOneCall) {
  const auto reporting = program_filter(SocketCalls::reported);
  const auto refusing = program_filter(SocketCalls::refused);
  ASSERT_TRUE(reporting && refusing);
  for (const char* call :
       {"socket", "socketpair", "connect", "bind", "listen", "accept", "accept4"}) {
    EXPECT_EQ(reporting->evaluate({call, {}}), Reaction::report) << call;
    EXPECT_EQ(refusing->evaluate({call, {}}), Reaction::refuse) << call;
  }
  for (const char* call : {"open",
                           "openat",
                           "creat",
                           "open_by_handle_at",
                           "execve",
                           "execveat",
                           "fork",
                           "vfork",
                           "ptrace",
                           "process_vm_readv",
                           "process_vm_writev",
                           "pidfd_getfd",
                           "pidfd_open",
                           "kill",
                           "io_uring_setup",
                           "io_uring_enter",
                           "io_uring_register",
                           "bpf",
                           "perf_event_open",
                           "userfaultfd",
                           "keyctl",
                           "mount",
                           "umount2",
                           "pivot_root",
                           "unshare",
                           "setns",
                           "seccomp",
                           "prctl",
                           "ioctl",
                           "personality",
                           "setuid",
                           "capset",
                           "sendmmsg",
                           "symlink",
                           "mknod",
                           "chown",
                           "setxattr",
                           "truncate"}) {
    EXPECT_EQ(reporting->evaluate({call, {}}), Reaction::refuse) << call;
    EXPECT_EQ(refusing->evaluate({call, {}}), Reaction::refuse) << call;
  }
  EXPECT_EQ(reporting->evaluate_raw(AUDIT_ARCH_I386, 5), Reaction::kill);
}

TEST(ProgramFilter, LooksAtArguments) {
  const auto filter = program_filter(SocketCalls::reported);
  ASSERT_TRUE(filter.has_value());
  constexpr std::uint64_t kThread = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND |
                                    CLONE_THREAD | CLONE_SYSVSEM | CLONE_SETTLS;
  const struct {
    Call call;
    Reaction reaction;
  } cases[] = {
      {{"openat2", {}}, Reaction::allow},
      {{"clone", {kThread}}, Reaction::allow},
      {{"clone", {SIGCHLD}}, Reaction::refuse},
      {{"clone", {CLONE_VM | CLONE_VFORK | SIGCHLD}}, Reaction::refuse},
      {{"mmap", {0, 4096, PROT_READ | PROT_WRITE}}, Reaction::allow},
      {{"mmap", {0, 4096, PROT_READ | PROT_EXEC}}, Reaction::refuse},
      {{"mprotect", {0, 4096, PROT_EXEC}}, Reaction::refuse},
      {{"sendto", {3, 1, 1, MSG_NOSIGNAL, 0}}, Reaction::allow},
      {{"sendto", {3, 1, 1, MSG_NOSIGNAL, 1}}, Reaction::refuse},
      {{"prlimit64", {0, 7, 0, 1}}, Reaction::allow},
      {{"prlimit64", {0, 7, 1, 0}}, Reaction::refuse},
      {{"ioctl", {0, 0x5412}}, Reaction::refuse},  // TIOCSTI
  };
  for (const auto& c : cases) {
    EXPECT_EQ(filter->evaluate(c.call), c.reaction) << c.call.name << " " << c.call.args[0];
  }
  EXPECT_EQ(filter->code({"clone3", {}}), ENOSYS);
}

class Reaches : public testing::Test {
 protected:
  [[nodiscard]] seal::Reach of(const std::vector<std::string>& words) {
    session_.args = words;
    session_.environment = {{"HOME", dir_.path().string()}};
    parsed_.emplace(*cli::parse(command_table(), session_.args));
    session_.resolved = load_settings(*parsed_, session_.environment);
    EXPECT_TRUE(session_.resolved->has_value());
    return reach_of(entry_of(commands(), *parsed_->command), *parsed_, session_);
  }
  [[nodiscard]] std::string at(const std::string& name) const { return dir_ / name; }

  test::ScratchDir dir_;
  Session session_;
  std::optional<cli::Invocation> parsed_;
};

TEST_F(Reaches, IsWhatTheCommandLineNames) {
  std::filesystem::create_directories(at("home"));
  std::filesystem::create_directories(at("out"));
  std::filesystem::create_directories(at("shop"));
  test::write(at("b.json"), "{}");
  const auto reach = of({"scan", at("shop"), "--home", at("home"), "--baseline", at("b.json"), "-o",
                         "json=" + at("out/x.json")});
  EXPECT_THAT(reach.readable, Contains(at("shop")));
  EXPECT_THAT(reach.readable, Contains(at("b.json")));
  EXPECT_THAT(reach.readable, Not(Contains(".")));
  EXPECT_THAT(reach.writable, Contains(at("home")));
  EXPECT_THAT(reach.writable, Contains(at("out")));
  EXPECT_THAT(reach.writable, Not(Contains(at("shop"))));
}

TEST_F(Reaches, HasTheFolderHereOnlyForCommandsThatReadOne) {
  EXPECT_THAT(of({"scan"}).readable, Contains("."));
  EXPECT_THAT(of({"audit", "verify"}).readable, Not(Contains(".")));
}

TEST_F(Reaches, OfAKeyIsTheKeyAlone) {
  std::filesystem::create_directories(at("keys"));
  test::write(at("keys/id"), "");
  const auto reach = of({"audit", "anchor", "publish", "--sign", "ssh:" + at("keys/id")});
  EXPECT_THAT(reach.readable, Contains(at("keys/id")));
  EXPECT_THAT(reach.readable, Not(Contains(at("keys"))));
}

TEST_F(Reaches, LeavesOutWhatIsNotThere) {
  const auto reach = of({"scan", at("none")});
  EXPECT_THAT(reach.readable, Not(Contains(at("none"))));
}

TEST_F(Reaches, OfAFolderToBeMadeIsTheNearestThatIsThere) {
  const auto reach = of({"init", at("a/b/c")});
  EXPECT_THAT(reach.writable, Contains(dir_.path().string()));
}

TEST_F(Reaches, FollowsAJobFile) {
  std::filesystem::create_directories(at("other"));
  test::write(at("job.yaml"), "schema: codegenie/job/v1\nall: true\nplan_only: true\nrepo: " +
                                  at("other") + "\nworktree: " + at("tree") + "\n");
  const auto reach = of({"remediate", "--job", at("job.yaml")});
  EXPECT_THAT(reach.readable, Contains(at("other")));
  EXPECT_THAT(reach.writable, Contains(dir_.path().string()));
}

}  // namespace
}  // namespace cg::program
