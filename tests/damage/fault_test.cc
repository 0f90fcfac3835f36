// kill -9 and a full disk at every single write, sync, rename and cut of an append.
#include <gtest/gtest.h>

#include "damage/bench.h"
#include "trust/record/frame.h"

namespace cg::damage {
namespace {

namespace fs = std::filesystem;

constexpr int kMostFaults = 5000;

/// Runs the program with a fault at its n-th file operation. Nothing in `fired` if
/// it did not get that far.
struct Struck {
  test::Ran ran;
  bool fired = false;
};

Struck strike(const Bench& bench, const std::string& mode, int n,
              const std::vector<std::string>& args) {
  std::vector<std::string> argv = {CG_BINARY};
  argv.insert(argv.end(), args.begin(), args.end());
  const std::string fired = bench.scratch() / "fired";
  fs::remove(fired);
  Struck out;
  out.ran = test::run(argv, {"CODEGENIE_HOME=" + bench.home(), "XDG_STATE_HOME=" + bench.state(),
                             "XDG_CONFIG_HOME=" + bench.state(), "LD_PRELOAD=" CG_FAULT,
                             "ASAN_OPTIONS=verify_asan_link_order=0:detect_leaks=0",
                             "CG_FAULT_AT=" + std::to_string(n), "CG_FAULT_MODE=" + mode,
                             "CG_FAULT_FIRED=" + fired});
  out.fired = fs::exists(fired) && fs::file_size(fired) > 0;
  return out;
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

/// Strikes every operation of one `audit note`, each time from the same start.
int strike_everywhere(const Bench& bench, const std::string& mode) {
  copy(bench.home(), bench.scratch() / "home0");
  copy(bench.state(), bench.scratch() / "state0");
  const std::size_t before = count_of(bench.run({"audit", "export"}).out, "\n");
  for (int n = 1; n < kMostFaults; ++n) {
    copy(bench.scratch() / "home0", bench.home());
    copy(bench.scratch() / "state0", bench.state());
    const Struck struck = strike(bench, mode, n, {"audit", "note", "struck"});
    if (!struck.fired) {
      EXPECT_EQ(struck.ran.exit, 0) << struck.ran.err;
      return n - 1;
    }
    SCOPED_TRACE(mode + " at operation " + std::to_string(n));
    if (mode == "kill") {
      EXPECT_EQ(struck.ran.exit, 128 + 9);
    } else if (struck.ran.exit != 0) {
      EXPECT_EQ(struck.ran.exit, 6) << struck.ran.err;
      // The first writes make the filter, in memory: without one nothing is done at all.
      const bool named = struck.ran.err.find("CG-HOME-006") != std::string::npos ||
                         struck.ran.err.find("CG-SEAL-001") != std::string::npos;
      EXPECT_TRUE(named) << struck.ran.err;
    }
    // As it was left: readable, nothing lost, the new entry there at most once.
    const test::Ran verified = bench.run({"audit", "verify"});
    EXPECT_EQ(verified.exit, 0) << verified.err;
    const std::string left = bench.run({"audit", "export"}).out;
    EXPECT_GE(count_of(left, "\n"), before);
    EXPECT_LE(count_of(left, "struck"), 1U);
    if (struck.ran.exit == 0) {
      EXPECT_EQ(count_of(left, "struck"), 1U);
    }
    // And the next writer goes on as if nothing had happened.
    const test::Ran next = bench.run({"audit", "note", "next"});
    EXPECT_EQ(next.exit, 0) << next.err;
    const test::Ran again = bench.run({"audit", "verify"});
    EXPECT_EQ(again.exit, 0) << again.err;
    EXPECT_EQ(again.out.find("Gaps"), std::string::npos) << again.out;
    EXPECT_EQ(bench.run({"audit", "replay"}).exit, 0);
    if (testing::Test::HasFailure()) return n;
  }
  ADD_FAILURE() << "never came to an end";
  return kMostFaults;
}

class Fault : public testing::TestWithParam<std::string> {};

TEST_P(Fault, AtEveryOperationOfAnAppend) {
  const Bench bench;
  bench.add_notes(3);
  const int struck = strike_everywhere(bench, GetParam());
  RecordProperty("operations", struck);
  EXPECT_GT(struck, 10);
}

TEST_P(Fault, AtEveryOperationOfAnAppendThatSeals) {
  const Bench bench;
  {
    os::SystemClock clock;
    audit::Log log = bench.open(clock, bench.guard());
    record::Events events;
    for (int i = 0; i < 520; ++i)
      events.emplace_back(record::OperatorNoted{std::string(1900, 'x')});
    ASSERT_TRUE(log.append(events));  // no checkpoint: the note will make it, and seal
  }
  ASSERT_GT(fs::file_size(bench.append_file()), record::kSealAtBytes);
  const int struck = strike_everywhere(bench, GetParam());
  EXPECT_GT(struck, 20);
  EXPECT_TRUE(fs::exists(bench.path("events/spanning/" + record::segment_name(0))));
}

INSTANTIATE_TEST_SUITE_P(Modes, Fault, testing::Values("kill", "enospc", "short"),
                         [](const auto& named) { return named.param; });

TEST(FaultInit, IsWholeOrNotAtAll) {
  for (const std::string mode : {"kill", "enospc"}) {
    for (int n = 1; n < kMostFaults; ++n) {
      const Bench bench;
      fs::remove_all(bench.home());
      const Struck struck = strike(bench, mode, n, {"init"});
      if (!struck.fired) break;
      SCOPED_TRACE(mode + " at operation " + std::to_string(n));
      if (fs::exists(bench.home())) {
        EXPECT_EQ(bench.run({"audit", "verify"}).exit, 0) << bench.run({"audit", "verify"}).err;
        EXPECT_EQ(bench.run({"audit", "note", "x"}).exit, 0)
            << bench.run({"audit", "note", "x"}).err;
      } else {
        EXPECT_EQ(bench.run({"init"}).exit, 0);
      }
      if (testing::Test::HasFailure()) return;
    }
  }
}

}  // namespace
}  // namespace cg::damage
