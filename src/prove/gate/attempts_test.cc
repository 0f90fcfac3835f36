#include "prove/gate/attempts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/base/text.h"
#include "prove/gate/samples.h"

namespace cg::gate {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

AttemptSummary failed_in(unsigned number, std::vector<std::string> failing) {
  AttemptSummary out;
  out.number = number;
  out.failing = std::move(failing);
  return out;
}

unsigned retry(const Next& next) {
  const auto* found = std::get_if<Retry>(&next);
  return found == nullptr ? 0 : found->number;
}

std::string reason(const Next& next) {
  const auto* found = std::get_if<Final>(&next);
  return found == nullptr ? "" : found->reason;
}

TEST(Attempts, AreThree) {
  EXPECT_EQ(retry(next({})), 1U);
  EXPECT_EQ(retry(next({failed_in(1, {"tests"})})), 2U);
  EXPECT_EQ(retry(next({failed_in(1, {"tests"}), failed_in(2, {"build"})})), 3U);
  EXPECT_EQ(
      reason(next({failed_in(1, {"tests"}), failed_in(2, {"build"}), failed_in(3, {"tests"})})),
      "all three attempts failed");
}

TEST(Attempts, TraceAndPolicyFailuresAreNotRetried) {
  EXPECT_THAT(reason(next({failed_in(1, {"trace"})})), HasSubstr("trace failed"));
  EXPECT_THAT(reason(next({failed_in(1, {"lockfile_policy", "tests"})})),
              HasSubstr("lockfile_policy failed"));
  EXPECT_THAT(reason(next({failed_in(1, {"isolation"})})), HasSubstr("isolation failed"));
}

TEST(Attempts, TheSameFailingSetThreeTimesIsFinalAndSaysSo) {
  EXPECT_EQ(retry(next({failed_in(1, {"tests"}), failed_in(2, {"tests"})})), 3U);
  EXPECT_EQ(
      reason(next({failed_in(1, {"tests"}), failed_in(2, {"tests"}), failed_in(3, {"tests"})})),
      "the same failed three times: tests");
}

TEST(Attempts, ASummaryNamesSignalsTestsAndErrorsWithinBounds) {
  Trial base = test::trial_sample();
  Trial fix = test::trial_sample();
  std::vector<runners::TestCase> good;
  std::vector<runners::TestCase> bad;
  for (int i = 0; i < 100; ++i) {
    good.push_back({"t" + std::to_string(100 + i), runners::Outcome::passed});
    bad.push_back({"t" + std::to_string(100 + i), runners::Outcome::failed});
  }
  base.tests = test::tests_sample(good);
  fix.tests = test::tests_sample(bad);
  for (int i = 0; i < 100; ++i) {
    fix.tests->failures.push_back(
        {bad[static_cast<std::size_t>(i)].id, std::string(900, 'x') + std::to_string(i) + "\n"});
  }
  const Verdict verdict = judge(base, fix, test::comparison_sample());
  ASSERT_TRUE(std::holds_alternative<Failed>(verdict));
  const AttemptSummary summary =
      summarise(2, std::get<Failed>(verdict), {"left 1.0.0 -> 1.0.1 (relock)"});
  EXPECT_EQ(summary.number, 2U);
  EXPECT_THAT(summary.failing, ElementsAre("tests"));
  EXPECT_EQ(summary.failing_tests.size(), kMaxAttemptTests);
  EXPECT_LE(summary.errors.size(), kMaxAttemptErrors);
  EXPECT_THAT(summary.errors, HasSubstr("t100: passed before, fails now"));
  EXPECT_TRUE(is_utf8(summary.errors));
  EXPECT_THAT(summary.tried, ElementsAre("left 1.0.0 -> 1.0.1 (relock)"));
}

TEST(Attempts, ASummaryHoldsWhatEachFailingSignalSays) {
  Failed failed;
  Signal tests;
  tests.name = "tests";
  tests.state = State::failed;
  tests.reasons = {"t01: passed before, fails now"};
  tests.said = "t01:\nexpected 1\n";
  for (int i = 0; i < 25; ++i) tests.failing_tests.push_back("t" + std::to_string(i));
  Signal build;
  build.name = "build";
  build.state = State::missing;
  build.reasons = {"was not run"};
  Signal fine;
  fine.name = "trace";
  fine.state = State::passed;
  fine.said = "fine";
  failed.signals = {tests, build, fine};
  const AttemptSummary summary = summarise(1, failed, {});
  EXPECT_EQ(summary.errors,
            "tests:\nt01:\nexpected 1\n  t01: passed before, fails now\nbuild:\n  was not run\n");
  EXPECT_EQ(summary.failing_tests.size(), kMaxAttemptTests);
}

}  // namespace
}  // namespace cg::gate
