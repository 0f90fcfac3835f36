// The spawner starts what it was told, tells how it ended, and leaves nothing behind.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/netfilter.h>
#include <linux/netfilter/nf_tables.h>
#include <linux/netfilter/nfnetlink.h>
#include <linux/netlink.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <thread>

#include "jail/spawn/host.h"
#include "support/support.h"

namespace cg::spawn {
namespace {

using testing::HasSubstr;

/// A folder with scripts in the place of our programs, and a spawner that knows it.
class Spawn : public testing::Test {
 protected:
  void program(const std::string& name, const std::string& script) {
    test::write(dir_ / name, "#!/bin/sh\n" + script + "\n");
    std::filesystem::permissions(dir_ / name, std::filesystem::perms::owner_all);
  }
  [[nodiscard]] Places places() const {
    return {{dir_ / "none", dir_.path().string()}, dir_ / "gpg", {"GNUPGHOME=/keys"}};
  }
  void SetUp() override {
    host_ = *Host::start(places());
    set_current(host_.get());
  }
  [[nodiscard]] os::Ran run(Program program, const std::vector<std::string>& words = {},
                            const std::string& input = "") const {
    os::Command command{.argv = {"for the spawner to find"}, .input = input};
    const auto ran = os::run(command, launcher(program, words));
    EXPECT_TRUE(ran.has_value()) << os::describe(ran.error());
    return ran ? *ran : os::Ran{};
  }

  test::ScratchDir dir_;
  std::unique_ptr<Host> host_;
};

int exit_code(const os::Ran& ran) {
  const auto* exited = std::get_if<os::Exited>(&ran.ending);
  return exited == nullptr ? -1 : exited->code;
}

TEST_F(Spawn, RunsAProgramWithItsPipesAndNothingElse) {
  program("codegenie-git", "cat; echo err >&2; env; ls -l /proc/self/fd | wc -l; exit 3");
  setenv("SECRET", "visible", 1);
  const int open_here = open("/dev/null", O_RDONLY);  // not closed on exec
  const os::Ran ran = run(Program::git, {}, "order\n");
  close(open_here);
  EXPECT_EQ(exit_code(ran), 3);
  EXPECT_EQ(ran.err, "err\n");
  EXPECT_THAT(ran.out, testing::StartsWith("order\n"));
  EXPECT_EQ(ran.out.find("SECRET"), std::string::npos);
  // "total", 0, 1, 2 and the one that ls reads with.
  EXPECT_THAT(ran.out, testing::EndsWith("\n5\n"));
}

TEST_F(Spawn, SaysWhatCouldNotBeStarted) {
  const auto missing = host_->start(Program::jail, std::array<int, 1>{0});
  ASSERT_FALSE(missing.has_value());
  EXPECT_EQ(missing.error().kind, os::Error::Kind::not_found);
  EXPECT_EQ(missing.error().path, "codegenie-jail");
  test::write(dir_ / "codegenie-jail", "not a program");
  std::filesystem::permissions(dir_ / "codegenie-jail", std::filesystem::perms::owner_all);
  EXPECT_EQ(host_->start(Program::jail, std::array<int, 1>{0}).error().code, ENOEXEC);
  program("codegenie-broker", "exit 0");
  EXPECT_EQ(host_->start(Program::broker, std::array<int, 1>{0}).error().code, EINVAL);
  EXPECT_EQ(host_->start(Program::gpg_sign, {}, {std::string(5000, 'k')}).error().code, E2BIG);
}

TEST_F(Spawn, TellsHowAProgramEndedAndKillsItsWholeGroup) {
  program("codegenie-jail", "sleep 1000 & read line; kill -SEGV $$");
  auto first = start_talking(*host_, Program::jail);
  ASSERT_TRUE(first.has_value());
  ASSERT_EQ(write(first->channel.get(), "go\n", 3), 3);
  EXPECT_EQ(first->child.wait(), SIGSEGV);
  auto second = start_talking(*host_, Program::jail);
  ASSERT_TRUE(second.has_value());
  const pid_t pid = second->child.pid();
  second->child.kill();
  EXPECT_EQ(second->child.wait(), SIGKILL);
  while (kill(-pid, 0) == 0) std::this_thread::yield();  // killed, and about to be gone
  EXPECT_EQ(errno, ESRCH);
}

TEST_F(Spawn, GivesGpgItsTwoUsesAndItsEnvironment) {
  program("gpg", "echo \"$@\"; env");
  const os::Ran signs = run(Program::gpg_sign, {"KEY"});
  EXPECT_THAT(signs.out, HasSubstr("--batch --no-tty --status-fd 2 --armor --detach-sign "
                                   "--local-user KEY\n"));
  EXPECT_THAT(signs.out, HasSubstr("GNUPGHOME=/keys\n"));
  EXPECT_THAT(run(Program::gpg_verify, {"-o", "b"}).out, HasSubstr("--verify -- -o b\n"));
}

TEST_F(Spawn, GivesCodegenieKeyItsEnvironmentAndWhatCiGave) {
  program("codegenie-key", "env; cat <&3; ls -l /proc/self/fd | wc -l");
  program("codegenie-git", "ls -l /proc/self/fd | wc -l");
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe2(ends.data(), O_CLOEXEC), 0);
  ASSERT_EQ(write(ends[1], "given\n", 6), 6);
  close(ends[1]);
  Places with_key = places();
  with_key.key_env = {"HOME=/home"};
  host_ = *Host::start(with_key, os::Fd(ends[0]));
  set_current(host_.get());
  EXPECT_EQ(fcntl(ends[0], F_GETFD), -1) << "it is still open here";
  const os::Ran ran = run(Program::key);
  EXPECT_THAT(ran.out, HasSubstr("HOME=/home\n"));
  EXPECT_THAT(ran.out, HasSubstr("given\n"));
  EXPECT_THAT(run(Program::git).out, testing::EndsWith("5\n")) << "others do not get it";
  host_ = *Host::start(places());
  set_current(host_.get());
  EXPECT_THAT(run(Program::key).out, testing::Not(HasSubstr("given"))) << "nothing is 3 otherwise";
}

TEST_F(Spawn, ServesSeveralThreadsAtOnce) {
  program("codegenie-git", "cat");
  std::vector<std::thread> threads;
  std::array<std::string, 8> heard;
  for (std::size_t i = 0; i < heard.size(); ++i) {
    threads.emplace_back([&, i] {
      for (int n = 0; n < 5; ++n) heard[i] += run(Program::git, {}, std::to_string(i)).out;
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (std::size_t i = 0; i < heard.size(); ++i) {
    EXPECT_EQ(heard[i], std::string(5, static_cast<char>('0' + i)));
  }
}

TEST_F(Spawn, EndsWithItsParentAndTakesItsChildrenAlong) {
  program("codegenie-jail", "sleep 1000 & echo $!; read line; read line");
  // Orphans of the parent become ours, so that their end can be waited for.
  ASSERT_EQ(prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0), 0);
  const auto gate = host_->pair();
  const pid_t parent = fork();
  if (parent == 0) {
    const auto host = Host::start(places());
    const auto talking = start_talking(**host, Program::jail);
    static_cast<void>(!write(gate->theirs.get(), talking ? "y" : "n", 1));
    pause();
    _exit(0);
  }
  char told = 0;
  while (read(gate->ours.get(), &told, 1) < 0 && errno == EAGAIN) std::this_thread::yield();
  ASSERT_EQ(told, 'y');
  ASSERT_EQ(kill(parent, SIGKILL), 0);
  host_.reset();
  int reaped = 0;
  while (waitpid(-1, nullptr, 0) > 0) ++reaped;
  EXPECT_EQ(errno, ECHILD);
  EXPECT_GE(reaped, 2);  // the parent, its spawner, and what that left to us already dead
  ASSERT_EQ(prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0), 0);
}

TEST_F(Spawn, AMessageThatIsNoneEndsIt) {
  std::array<int, 2> ends{};
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()), 0);
  const os::Fd ours(ends[0]);
  for (const std::string& bytes : {std::string("short"), std::string(sizeof(Request), '\xff')}) {
    const pid_t spawner = fork();
    if (spawner == 0) {
      Refused none = 0;
      serve(os::Fd(ends[1]), os::Fd(), places(), &none);
    }
    ASSERT_TRUE(send_message(ours.get(), bytes, {}));
    int status = -1;
    ASSERT_EQ(waitpid(spawner, &status, 0), spawner);
    EXPECT_EQ(status, 0);
  }
  close(ends[1]);
}

TEST_F(Spawn, AHostWhoseSpawnerIsGoneSaysSo) {
  program("codegenie-jail", "read line");
  auto talking = start_talking(*host_, Program::jail);
  ASSERT_TRUE(talking.has_value());
  ASSERT_EQ(kill(host_->pid(), SIGKILL), 0);
  EXPECT_EQ(talking->child.wait(), SIGKILL);
  EXPECT_FALSE(host_->pair().has_value());
}

TEST_F(Spawn, ProbesWithoutChangingItself) {
  const auto first = host_->grants();
  const auto again = host_->grants();
  ASSERT_TRUE(first && again);
  EXPECT_EQ(first->namespaces, again->namespaces);
  EXPECT_EQ(first->outward.route, again->outward.route);
  EXPECT_EQ(first->outward.chains, again->outward.chains);
}

TEST(Outward, AnEmptyNetworkHasNoWayOut) {
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    if (unshare(CLONE_NEWUSER | CLONE_NEWNET) != 0) _exit(77);
    const Outward outward = probe_outward();
    _exit(outward.route == ENETUNREACH && (outward.chains == 0 || outward.chains == kNotTold) ? 0
                                                                                              : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  if (WEXITSTATUS(status) == 77) GTEST_SKIP() << "no namespaces here";
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

std::string netlink(std::uint16_t type, const std::string& body) {
  const nlmsghdr head{static_cast<std::uint32_t>(sizeof(nlmsghdr) + body.size()), type, 0, 1, 2};
  std::string out(reinterpret_cast<const char*>(&head), sizeof head);
  out += body;
  out.resize((out.size() + 3) / 4 * 4);
  return out;
}
std::string attribute_of(std::uint16_t type, const std::string& body) {
  const nlattr head{static_cast<std::uint16_t>(sizeof(nlattr) + body.size()), type};
  std::string out(reinterpret_cast<const char*>(&head), sizeof head);
  out += body;
  out.resize((out.size() + 3) / 4 * 4);
  return out;
}
/// A chain of a family that hooks at a place, which stands in network order.
std::string chain(std::uint8_t family, char hook) {
  const nfgenmsg about{family, NFNETLINK_V0, 0};
  const std::string number{0, 0, 0, hook};
  return netlink(
      (NFNL_SUBSYS_NFTABLES << 8U) | NFT_MSG_NEWCHAIN,
      std::string(reinterpret_cast<const char*>(&about), sizeof about) +
          attribute_of(NFTA_CHAIN_TABLE, "filter") +
          attribute_of(NFTA_CHAIN_HOOK | NLA_F_NESTED, attribute_of(NFTA_HOOK_HOOKNUM, number)));
}

TEST(Outward, ChainsThatSeeWhatThisHostSendsAreCounted) {
  const std::string done = netlink(NLMSG_DONE, std::string(4, 0));
  EXPECT_EQ(count_output_chains(done), 0U);
  const std::string output = chain(NFPROTO_INET, NF_INET_LOCAL_OUT);
  EXPECT_EQ(count_output_chains(output + chain(NFPROTO_IPV4, NF_INET_LOCAL_OUT) +
                                chain(NFPROTO_INET, NF_INET_LOCAL_IN) +
                                chain(NFPROTO_BRIDGE, NF_INET_LOCAL_OUT) + done),
            2U);
  EXPECT_EQ(count_output_chains(""), kNotTold) << "it did not come to its end";
  EXPECT_EQ(count_output_chains(output), kNotTold);
  for (std::size_t size = 0; size < output.size(); ++size) {
    EXPECT_EQ(count_output_chains(output.substr(0, size)), kNotTold) << size;
  }
  const auto error = [](std::int32_t code) {
    return netlink(NLMSG_ERROR, std::string(reinterpret_cast<const char*>(&code), sizeof code));
  };
  EXPECT_EQ(count_output_chains(error(-EPERM)), kNotTold);
  EXPECT_EQ(count_output_chains(error(-EINVAL)), 0U) << "a kernel without nftables";
}

}  // namespace
}  // namespace cg::spawn
