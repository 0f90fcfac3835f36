// Tests that fail now and then: whose fault that is, and when it is worth another look.
#include "prove/gate/flaky.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "prove/gate/samples.h"

namespace cg::gate {
namespace {

using runners::TestCase;
using test::Outcome;
using test::step_of;
using test::tests_of;
using test::tests_sample;
using test::trial_sample;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

runners::TestRun runs(Outcome takes) {
  return tests_sample({{"a > adds", Outcome::passed}, {"a > takes", takes}});
}

/// `a > takes` fails with the fix.
Trial broken() {
  Trial out = trial_sample();
  out.tests = runs(Outcome::failed);
  step_of(out, "tests") = test::step_sample("tests", 1);
  return out;
}

TEST(Flaky, ANewFailureIsASuspect) {
  EXPECT_THAT(suspects(trial_sample(), broken()), ElementsAre("a > takes"));
  EXPECT_THAT(suspects(trial_sample(), trial_sample()), IsEmpty());
  EXPECT_THAT(suspects(broken(), broken()), IsEmpty());
  EXPECT_TRUE(is_clean(trial_sample(), trial_sample()));
  EXPECT_FALSE(is_clean(trial_sample(), broken()));
}

TEST(Flaky, SoIsOneThatFailsWhileAssertionsOfOthersAreWrong) {
  Trial fix = trial_sample();
  fix.challenged = tests_sample({{"a > adds", Outcome::failed}, {"a > takes", Outcome::failed}});
  EXPECT_THAT(suspects(trial_sample(), fix), ElementsAre("a > takes"));
  EXPECT_EQ(tests_of(trial_sample(), fix).state, State::forged);
  // It does that at the base too.
  Trial base = trial_sample();
  base.again = {runs(Outcome::failed)};
  fix.again = {runs(Outcome::passed)};
  EXPECT_TRUE(tests_of(base, fix).passed());
}

TEST(Flaky, ManyNewFailuresAreNoAccident) {
  std::vector<TestCase> before;
  std::vector<TestCase> after;
  for (std::size_t i = 0; i <= kMaxSuspects; ++i) {
    const std::string id = "t" + std::to_string(100 + i);
    before.push_back({id, Outcome::passed});
    after.push_back({id, Outcome::failed});
  }
  Trial base = trial_sample();
  Trial fix = trial_sample();
  base.tests = tests_sample(before);
  fix.tests = tests_sample(after);
  EXPECT_THAT(suspects(base, fix), IsEmpty());
  fix.tests->cases.pop_back();
  base.tests->cases.pop_back();
  EXPECT_EQ(suspects(base, fix).size(), kMaxSuspects);
}

TEST(Flaky, OnlyIfTheBaseFailsNowAndThenToo) {
  Trial base = trial_sample();
  Trial fix = broken();
  EXPECT_FALSE(tests_of(base, fix).passed());
  fix.again = {runs(Outcome::passed)};
  EXPECT_FALSE(tests_of(base, fix).passed());  // the fix alone is unsteady
  base.again = {runs(Outcome::passed), runs(Outcome::passed)};
  EXPECT_FALSE(tests_of(base, fix).passed());
  base.again = {runs(Outcome::passed), runs(Outcome::failed)};
  const Signal signal = tests_of(base, fix);
  EXPECT_TRUE(signal.passed());
  EXPECT_THAT(signal.reasons, Contains(HasSubstr("a > takes: flaky")));
  EXPECT_THAT(signal.failing_tests, IsEmpty());
}

TEST(Flaky, WhatFailsEachTimeWithTheFixIsBroken) {
  Trial base = trial_sample();
  Trial fix = broken();
  base.again = {runs(Outcome::failed)};
  fix.again = {runs(Outcome::failed), runs(Outcome::failed)};
  const Signal signal = tests_of(base, fix);
  EXPECT_EQ(signal.state, State::failed);
  EXPECT_THAT(signal.failing_tests, ElementsAre("a > takes"));
}

/// One excuse is not one for all.
TEST(Flaky, AnotherFailureBesideItStillCounts) {
  Trial base = trial_sample();
  Trial fix = broken();
  fix.tests = tests_sample({{"a > adds", Outcome::failed}, {"a > takes", Outcome::failed}});
  base.again = {runs(Outcome::failed)};
  fix.again = {runs(Outcome::passed)};
  const Signal signal = tests_of(base, fix);
  EXPECT_EQ(signal.state, State::failed);
  EXPECT_THAT(signal.failing_tests, ElementsAre("a > adds"));
}

TEST(Flaky, WithoutNamesThereIsNothingToLookAt) {
  Trial base = trial_sample();
  Trial fix = broken();
  fix.tests->complete = false;
  EXPECT_THAT(suspects(base, fix), IsEmpty());
  base.tests.reset();
  EXPECT_THAT(suspects(base, fix), IsEmpty());
}

}  // namespace
}  // namespace cg::gate
