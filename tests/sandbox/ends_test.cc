// Nothing outlives its step, its chamber or its parent, and nothing is left behind.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>

#include "bench.h"

namespace cg::sandbox::test {
namespace {

TEST_P(JailTest, ADaemonDoesNotOutliveItsStep) {
  Bench bench(GetParam());
  const Ran ran =
      bench.script("setsid sh -c 'sleep 75310 & sleep 75310' >/dev/null 2>&1 & disown; exit 0");
  EXPECT_EQ(describe(ran.ending, {}), "exit 0");
  EXPECT_EQ(running_with("75310"), 0);
}

TEST_P(JailTest, ADaemonThatHoldsTheOutputDoesNotHoldTheStep) {
  Bench bench(GetParam());
  const Ran ran = bench.script("setsid sleep 75311 & echo done");
  EXPECT_EQ(ran.out.kept, "done\n");
  EXPECT_EQ(running_with("75311"), 0);
}

TEST_P(JailTest, ItsGroupAndEveryProcessItSeesCanBeKilledWithoutUs) {
  Bench bench(GetParam());
  EXPECT_EQ(describe(bench.script("kill -9 0").ending, {}), "signal 9");
  static_cast<void>(bench.script("kill -9 -1; kill -9 1; exit 0"));
  EXPECT_EQ(bench.script("echo fine").out.kept, "fine\n");
}

TEST_P(JailTest, LeavesNothingBehind) {
  const Left before = left_behind();
  for (int i = 0; i < 5; ++i) {
    Bench bench(GetParam());
    static_cast<void>(bench.script("setsid sleep 75312 & exit 0"));
    static_cast<void>(bench.script("echo 2"));
    bench.close();
    static_cast<void>(bench.chamber());  // and one that no step comes for
  }
  EXPECT_TRUE(left_behind().within(before));
  EXPECT_EQ(running_with("75312"), 0);
}

/// Until `gone`, or ten seconds.
template <class Gone>
bool comes_true(const Gone& gone) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (std::chrono::steady_clock::now() < until) {
    if (gone()) return true;
    sched_yield();
  }
  return false;
}

TEST_P(JailTest, EndsWithAParentThatIsKilled) {
  prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);  // what loses its parent becomes ours
  const Left before = left_behind();
  const pid_t parent = fork();
  if (parent == 0) {
    Bench bench(GetParam());
    static_cast<void>(bench.script("sleep 75313"));
    _exit(0);
  }
  EXPECT_TRUE(comes_true([] { return running_with("75313") > 0; }));
  kill(parent, SIGKILL);
  waitpid(parent, nullptr, 0);
  EXPECT_TRUE(comes_true([] { return running_with("75313") == 0; }));
  EXPECT_TRUE(comes_true([&] {
    while (waitpid(-1, nullptr, WNOHANG) > 0) {
    }
    return left_behind().within(before);
  }));
}

}  // namespace
}  // namespace cg::sandbox::test
