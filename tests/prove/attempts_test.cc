// What fails at first is fixed in another way, also by a run that goes on after another was
// killed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

#include "prove/bench.h"

namespace cg::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

/// "2 tests @proof/scale 1.0.1" of every attempt.
std::vector<std::string> attempts(const ProveBench& bench) {
  std::vector<std::string> out;
  for (const json::Value& ended : bench.events("attempt_ended")) {
    out.push_back(std::to_string(number_of(ended, "attempt")) + " " + text_of(ended, "failing") +
                  " " + text_of(ended, "tried"));
  }
  return out;
}

void expect_fixed_with_another(const ProveBench& bench, const Proven& proven) {
  EXPECT_EQ(proven.ran.exit, 0) << proven.ran.out << proven.ran.err;
  EXPECT_EQ(text_of(proven.outcome, "outcome"), "fixed");
  const auto copies = list_of(proven.outcome, "copies");
  ASSERT_THAT(copies, SizeIs(1));
  EXPECT_EQ(text_of(copies[0], "to"), "1.0.2");
  EXPECT_THAT(proven.refusing(), IsEmpty());
  const Files branches = bench.branches();
  ASSERT_THAT(branches, SizeIs(1));
  const std::string lock =
      bench.git({"show", branches.begin()->second + ":package-lock.json"}, bench.project());
  EXPECT_THAT(lock, HasSubstr("scale-1.0.2.tgz"));
  const Ran verified = bench.codegenie({"verify", "latest"});
  EXPECT_EQ(verified.exit, 0) << verified.out << verified.err;
}

TEST(Attempts, TheSecondSucceedsWhereTheFirstBrokeATest) {
  const auto bench = ProveBench::open("recovers");
  ASSERT_NE(bench, nullptr);
  const Proven proven = bench->prove();
  expect_fixed_with_another(*bench, proven);
  EXPECT_THAT(attempts(*bench), ElementsAre("1 tests @proof/scale 1.0.1", "2  @proof/scale 1.0.2"));
}

TEST(Attempts, NoMoreAreMadeThanAskedFor) {
  const auto bench = ProveBench::open("recovers");
  ASSERT_NE(bench, nullptr);
  const Proven proven = bench->prove({"--attempts", "1"});
  EXPECT_EQ(proven.ran.exit, 5) << proven.ran.out << proven.ran.err;
  EXPECT_THAT(attempts(*bench), ElementsAre("1 tests @proof/scale 1.0.1"));
  EXPECT_THAT(bench->branches(), IsEmpty());
}

class Killed : public testing::Test {
 protected:
  static pid_t start(const ProveBench& bench) {
    std::vector<std::string> argv = {CG_BINARY};
    for (const std::string& word : bench.command({"--format", "json"})) argv.push_back(word);
    std::vector<std::string> env = bench.environment();
    for (const std::string& one : bench.settings()) env.push_back(one);
    const pid_t child = fork();
    if (child != 0) return child;
    become(argv, env, bench.path(""));
  }

  /// Whether the first attempt is in the log while the run goes on. Polled: there is nobody
  /// who could tell.
  static bool waits_for_first_attempt(const ProveBench& bench, pid_t child) {
    while (waitpid(child, nullptr, WNOHANG) == 0) {
      if (!bench.events("attempt_ended").empty()) return true;
    }
    return false;
  }

 private:
  [[noreturn]] static void become(std::vector<std::string>& argv,
                                  const std::vector<std::string>& env, const std::string& folder) {
    if (chdir(folder.c_str()) != 0 || freopen("/dev/null", "w", stdout) == nullptr ||
        freopen("/dev/null", "w", stderr) == nullptr) {
      _exit(126);
    }
    for (const std::string& e : env) {
      const std::size_t eq = e.find('=');
      if (eq == e.npos) {
        unsetenv(e.c_str());
      } else {
        setenv(e.substr(0, eq).c_str(), e.substr(eq + 1).c_str(), 1);
      }
    }
    std::vector<char*> args;
    for (std::string& word : argv) args.push_back(word.data());
    args.push_back(nullptr);
    execv(args[0], args.data());
    _exit(127);
  }
};

TEST_F(Killed, InTheSecondAttemptTheNextRunGoesOnWithTheSecond) {
  const auto bench = ProveBench::open("recovers");
  ASSERT_NE(bench, nullptr);
  const pid_t child = start(*bench);
  ASSERT_TRUE(waits_for_first_attempt(*bench, child)) << "it ended before it could be killed";
  ::kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_THAT(attempts(*bench), ElementsAre("1 tests @proof/scale 1.0.1"));
  EXPECT_THAT(bench->branches(), IsEmpty());
  const Proven proven = bench->prove();
  expect_fixed_with_another(*bench, proven);
  EXPECT_THAT(attempts(*bench), ElementsAre("2  @proof/scale 1.0.2"));
  EXPECT_EQ(bench->codegenie({"audit", "verify"}).exit, 0);
}

/// Whoever is asked to end keeps what is settled, says so, and the next run goes on.
TEST_F(Killed, OrAskedToEndItEndsWithWhatIsThere) {
  const auto bench = ProveBench::open("recovers");
  ASSERT_NE(bench, nullptr);
  const pid_t child = start(*bench);
  ASSERT_TRUE(waits_for_first_attempt(*bench, child)) << "it ended before it could be killed";
  ::kill(child, SIGTERM);
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status)) << "it ends by itself";
  EXPECT_EQ(WEXITSTATUS(status), 143);
  EXPECT_THAT(attempts(*bench), ElementsAre("1 tests @proof/scale 1.0.1"));
  EXPECT_THAT(bench->branches(), IsEmpty());
  EXPECT_THAT(bench->codegenie({"workflow", "list"}).out, HasSubstr("interrupted"));
  const Ran verified = bench->codegenie({"verify", "latest"});
  EXPECT_EQ(verified.exit, 0) << verified.out << verified.err;
  const Proven proven = bench->prove();
  expect_fixed_with_another(*bench, proven);
  EXPECT_THAT(attempts(*bench), ElementsAre("2  @proof/scale 1.0.2"));
}

}  // namespace
}  // namespace cg::test
