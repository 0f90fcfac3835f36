// Limits: what is reached ends the step, and nothing else.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "bench.h"
#include "trust/hash/sha256.h"

namespace cg::sandbox::test {
namespace {

using testing::HasSubstr;
using testing::Not;

bool has_cgroup(const InForce& in_force) {
  for (const Layer& layer : in_force.layers) {
    if (layer.name.starts_with("cgroup memory")) return layer.held;
  }
  return false;
}

TEST_P(JailTest, EndsWhatTakesTooLong) {
  Bench bench(GetParam());
  Limits limits;
  limits.wall = std::chrono::milliseconds(200);
  const Ran asked =
      bench.script("echo x; trap 'echo asked; exit 0' TERM; sleep 86421 & wait", limits);
  EXPECT_EQ(describe(asked.ending, limits), "took longer than 200 ms");
  EXPECT_EQ(asked.out.kept, "x\nasked\n");
  const Ran deaf = bench.script("trap '' TERM; echo x; sleep 86421", limits);
  EXPECT_EQ(describe(deaf.ending, limits), "took longer than 200 ms");
  EXPECT_EQ(running_with("86421"), 0);
  EXPECT_EQ(describe(bench.script("exit 4").ending, limits), "exit 4");  // and it goes on
}

TEST_P(JailTest, CountsProcesses) {
  Bench bench(GetParam());
  Limits limits;
  limits.processes = 40;
  limits.wall = std::chrono::seconds(20);
  Step step = shell("i=0; while [ $i -lt 200 ]; do sleep 86422 & i=$((i+1)); done; echo all");
  step.argv[0] = "/bin/sh";  // bash tries again and again
  step.limits = limits;
  const Ran ran = bench.run(step);
  EXPECT_THAT(ran.out.kept, Not(HasSubstr("all")));
  EXPECT_FALSE(is_success(ran.ending));
  EXPECT_EQ(running_with("86422"), 0);
}

TEST_P(JailTest, SurvivesAForkBomb) {
  Bench bench(GetParam());
  Limits limits;
  limits.processes = 60;
  limits.wall = std::chrono::seconds(1);
  static_cast<void>(bench.script("b() { b | b & }; b 2>/dev/null; sleep 86423", limits));
  EXPECT_EQ(running_with("86423"), 0);
  EXPECT_EQ(bench.script("echo fine").out.kept, "fine\n");
}

TEST_P(JailTest, LimitsTheMemoryOfOneProcess) {
  Bench bench(GetParam());
#if defined(__SANITIZE_ADDRESS__)
  // Without the limit, which its runtime could not live under, only a cgroup keeps a step from
  // taking all that the machine has.
  if (!has_cgroup(bench.chamber().in_force())) GTEST_SKIP() << "no address space is limited here";
#endif
  Limits limits;
  limits.memory = 64U << 20U;
  const Ran ran = bench.script("exec tail /dev/zero", limits);
  EXPECT_FALSE(is_success(ran.ending));
  EXPECT_LE(ran.peak_memory, limits.memory + (8U << 20U));
}

TEST_P(JailTest, LimitsTheMemoryOfAllWhereACgroupCounts) {
  Bench bench(GetParam());
  Limits limits;
  limits.memory = 64U << 20U;
  const Ran ran = bench.script(
      "for i in 1 2 3 4; do (head -c 40m /dev/zero; sleep 1) | tail >/dev/null & done; wait",
      limits);
  const bool capped = describe(ran.ending, limits) == "took more than 64 MiB of memory";
  EXPECT_EQ(capped, has_cgroup(bench.chamber().in_force()));
}

TEST_P(JailTest, CutsAFloodOfOutputInTheMiddle) {
  Bench bench(GetParam());
  Limits limits;
  limits.output = 1'000;
  std::string told;
  Step step = shell("echo start; head -c 5000000 /dev/zero; echo; echo end; echo e >&2");
  step.limits = limits;
  const auto ran = bench.chamber().run(step, [&](std::string_view bytes) { told += bytes; });
  ASSERT_TRUE(ran.has_value());
  const std::string all = "start\n" + std::string(5'000'000, '\0') + "\nend\n";
  EXPECT_EQ(ran->out.bytes, all.size());
  EXPECT_EQ(ran->out.digest, hash::sha256(as_bytes(all)));
  EXPECT_LT(ran->out.kept.size(), 1'100U);
  EXPECT_THAT(ran->out.kept, testing::StartsWith("start\n"));
  EXPECT_THAT(ran->out.kept, testing::EndsWith("\nend\n"));
  EXPECT_THAT(ran->out.kept, HasSubstr(" bytes left out]"));
  EXPECT_EQ(ran->err.kept, "e\n");
  EXPECT_FALSE(told.empty());
}

TEST_P(JailTest, LimitsFilesAndTheScratchSpace) {
  Bench bench(GetParam());
  bench.scene.scratch_bytes = 8U << 20U;
  Limits limits;
  limits.file_bytes = 1U << 20U;
  EXPECT_EQ(describe(bench.script("exec head -c 2m /dev/zero > big", limits).ending, limits),
            "signal 25");
  const Ran full = bench.script(
      "for i in 1 2 3; do head -c 4m /dev/zero > /tmp/f$i; done; "
      "head -c 4m /dev/zero > /dev/shm/x");
  EXPECT_THAT(full.err.kept, HasSubstr("No space left"));
}

}  // namespace
}  // namespace cg::sandbox::test
