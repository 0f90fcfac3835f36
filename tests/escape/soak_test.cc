// Many jails, one after the other, on a machine that is short of processor and memory:
// nothing of them is left. CG_RUNS says how many.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <cstring>

#include "base/base/text.h"
#include "trial.h"

namespace cg::escape {
namespace {

using testing::IsEmpty;

/// A process that only takes, ended with the scope, or with us.
class Pressure {
 public:
  template <typename Work>
  explicit Pressure(const Work& work) : pid_(fork()) {
    if (pid_ != 0) return;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    while (true) work();
  }
  ~Pressure() {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  Pressure(const Pressure&) = delete;
  Pressure& operator=(const Pressure&) = delete;
  [[nodiscard]] pid_t pid() const { return pid_; }

 private:
  pid_t pid_;
};

void compute() {
  for (unsigned turn = 0; turn < 1'000'000U; ++turn) asm volatile("" : : "r"(turn));
}

/// Takes and gives back: the kernel has to find it anew each time.
void allocate() {
  constexpr std::size_t kSize = 256U << 20U;
  void* const memory =
      mmap(nullptr, kSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return;
  std::memset(memory, 1, kSize);
  munmap(memory, kSize);
}

unsigned runs() {
  const char* text = std::getenv("CG_RUNS");
  constexpr unsigned kDefault = 20;
  return text == nullptr ? kDefault : static_cast<unsigned>(parse_u64(text).value_or(kDefault));
}

sandbox::Step shell(const std::string& command) {
  sandbox::Step step;
  step.name = "shell";
  step.argv = {"/bin/sh", "-c", command};
  step.collect = {step.folder + "/made"};
  return step;
}

std::string ended(sandbox::Chamber& chamber, const sandbox::Step& step) {
  const auto ran = chamber.run(step, [](std::string_view) {});
  return ran ? sandbox::describe(ran->ending, step.limits) : sandbox::describe(ran.error());
}

/// What a gate does, and what its repository may do to it.
void use(sandbox::Chamber& chamber, const Host& host) {
  EXPECT_EQ(ended(chamber, shell("echo one > made; mkdir -p a/b/c; ls / > a/b/c/list")), "exit 0");
  EXPECT_EQ(ended(chamber, shell("test -s made && cat a/b/c/list | sort | head -1")), "exit 0");
  EXPECT_EQ(ended(chamber, shell("exit 3")), "exit 3");
  EXPECT_EQ(ended(chamber, step_of(act("daemonise_with_output"), host.env())), "exit 0");
  EXPECT_EQ(ended(chamber, shell("kill -9 $$")), "signal 9");
}

/// Costs the two seconds that a step has to end by itself.
void hang(sandbox::Chamber& chamber, const Host& host) {
  sandbox::Step step = step_of(act("hang_deaf"), host.env());
  step.limits.wall = std::chrono::milliseconds(50);
  const auto ran = chamber.run(step, [](std::string_view) {});
  ASSERT_TRUE(ran.has_value()) << sandbox::describe(ran.error());
  EXPECT_EQ(outcome(*ran), "wall");
}

/// A namespace lives as long as a process, a descriptor or a mount holds it, and Host looks
/// for all three.
TEST(Soak, NothingIsLeftOfManyJails) {
  const Pressure busy(compute);
  const Pressure greedy(allocate);
  Host host;
  const auto scene =
      scene_of(host.tree_with({"daemonise_with_output", "hang_deaf"}), host.visible());
  const auto chambers = jails();
  constexpr unsigned kHangEvery = 10;
  for (unsigned run = 0; run < runs(); ++run) {
    SCOPED_TRACE("run " + std::to_string(run));
    const auto chamber = chambers->open(scene);
    ASSERT_TRUE(chamber.has_value()) << sandbox::describe(chamber.error());
    use(**chamber, host);
    if (run % kHangEvery == 0) hang(**chamber, host);
    if (HasFailure()) break;
  }
  EXPECT_THAT(host.reached(), IsEmpty());
  EXPECT_THAT(host.left_behind({busy.pid(), greedy.pid()}), IsEmpty());
}

TEST(Soak, ChambersThatAreNotUsedLeaveNothingEither) {
  Host host;
  const auto scene = scene_of(host.tree_with({"hang"}), host.visible());
  const auto chambers = jails();
  for (unsigned run = 0; run < runs(); ++run) {
    const auto one = chambers->open(scene);
    const auto two = chambers->open(scene);
    ASSERT_TRUE(one.has_value() && two.has_value());
  }
  EXPECT_THAT(host.left_behind(), IsEmpty());
}

TEST(Soak, HoldsForOrdinaryUsers) {
  if (geteuid() != 0) GTEST_SKIP() << "not root: then the others are this test";
  EXPECT_EQ(failures_as_ordinary_user("Soak.*"), "");
}

}  // namespace
}  // namespace cg::escape
