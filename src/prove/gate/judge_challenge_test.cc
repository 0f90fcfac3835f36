// Whether anybody looked: tests and compilers that were given something to find.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "prove/gate/samples.h"

namespace cg::gate {
namespace {

using runners::TestCase;
using test::comparison_sample;
using test::Outcome;
using test::signal_of;
using test::step_of;
using test::tests_of;
using test::tests_sample;
using test::trial_sample;
using testing::ElementsAre;
using testing::HasSubstr;

/// A suite that is judged by its exit code.
Trial by_exit_code(int exit, int challenged) {
  Trial out = trial_sample();
  out.tests = runners::TestRun{};
  out.challenged = runners::TestRun{};
  step_of(out, "tests") = test::step_sample("tests", exit);
  step_of(out, "challenge") = test::step_sample("challenge", challenged);
  return out;
}

TEST(Challenged, WhatFailsAtTheBaseAndWithTheFixPasses) {
  const Signal signal = tests_of(trial_sample(), trial_sample());
  EXPECT_TRUE(signal.passed());
  EXPECT_EQ(signal.weak, "");
}

/// One runner inside of another leaves a report that never ends, at the base as with the fix.
TEST(Challenged, ReportsThatAreNotWholeOnBothSidesLeaveTheExitCodeToJudge) {
  const auto cut_short = [](Outcome takes, int exit) {
    Trial out = trial_sample();
    out.tests = tests_sample({{"a > adds", Outcome::passed}, {"a > takes", takes}});
    out.tests->complete = false;
    out.tests->why_not = "the report ends without a plan";
    step_of(out, "tests") = test::step_sample("tests", exit);
    return out;
  };
  const Trial base = cut_short(Outcome::passed, 0);
  const Signal signal = tests_of(base, cut_short(Outcome::passed, 0));
  EXPECT_TRUE(signal.passed()) << testing::PrintToString(signal.reasons);
  EXPECT_EQ(signal.weak, "their exit code alone was judged");
  EXPECT_FALSE(tests_of(base, cut_short(Outcome::passed, 1)).passed());
  EXPECT_FALSE(tests_of(base, cut_short(Outcome::failed, 0)).passed());
  EXPECT_FALSE(tests_of(cut_short(Outcome::failed, 1), cut_short(Outcome::failed, 1)).passed());
  // Who takes the report away that the base has is not excused.
  EXPECT_FALSE(tests_of(trial_sample(), cut_short(Outcome::passed, 0)).passed());
}

TEST(Challenged, WhoReportsThatAWrongAssertionHoldsIsForged) {
  Trial fix = trial_sample();
  fix.challenged = tests_sample({{"a > adds", Outcome::passed}, {"a > takes", Outcome::passed}});
  const Signal signal = tests_of(trial_sample(), fix);
  EXPECT_EQ(signal.state, State::forged);
  EXPECT_TRUE(signal.blocks());
  EXPECT_THAT(signal.reasons,
              ElementsAre(HasSubstr("a > adds: an assertion of it was made wrong")));
}

TEST(Challenged, AReportThatDoesNotNameTheTestIsForgedToo) {
  for (const auto& cases :
       {std::vector<TestCase>{}, {{"a > adds", Outcome::skipped}}, {{"b", Outcome::failed}}}) {
    Trial fix = trial_sample();
    fix.challenged = tests_sample(cases);
    EXPECT_EQ(tests_of(trial_sample(), fix).state, State::forged);
  }
  Trial none = trial_sample();
  none.challenged.reset();
  EXPECT_EQ(tests_of(trial_sample(), none).state, State::forged);
}

/// A suite that ends at the first failure does not run the others, and which it runs first is
/// chance.
TEST(Challenged, ASuiteThatStopsAtFailuresOwesOneOfThem) {
  const auto with = [](std::vector<TestCase> cases) {
    Trial out = trial_sample();
    out.tests =
        tests_sample({{"a", Outcome::passed}, {"b", Outcome::passed}, {"c", Outcome::passed}});
    out.challenged = tests_sample(std::move(cases));
    return out;
  };
  const Trial base = with({{"a", Outcome::failed}, {"b", Outcome::failed}});
  EXPECT_TRUE(tests_of(base, with({{"b", Outcome::failed}})).passed());
  EXPECT_EQ(tests_of(base, with({{"c", Outcome::passed}})).state, State::forged);
  EXPECT_EQ(tests_of(base, with({{"a", Outcome::passed}, {"b", Outcome::failed}})).state,
            State::forged);
}

/// Somebody who tosses a coin whether to lie is found out where the two runs differ.
TEST(Challenged, WhoPassesOnlyWhenNobodyLooksIsForged) {
  const auto with = [](Outcome b) {
    Trial out = trial_sample();
    out.tests = tests_sample({{"a", Outcome::passed}, {"b", Outcome::passed}});
    out.challenged = tests_sample({{"a", Outcome::failed}, {"b", b}});
    return out;
  };
  EXPECT_TRUE(tests_of(with(Outcome::passed), with(Outcome::passed)).passed());
  const Signal signal = tests_of(with(Outcome::passed), with(Outcome::failed));
  EXPECT_EQ(signal.state, State::forged);
  EXPECT_THAT(signal.reasons, ElementsAre(HasSubstr("b: passes, and fails when")));
}

TEST(Challenged, ASuccessWhereTheBaseFailsIsForged) {
  Trial fix = trial_sample();
  step_of(fix, "challenge") = test::step_sample("challenge", 0);
  EXPECT_EQ(tests_of(trial_sample(), fix).state, State::forged);
}

TEST(Challenged, TestsThatFailAnywayFailForTheirRealReason) {
  Trial fix = trial_sample();
  fix.tests = tests_sample({{"a > adds", Outcome::failed}, {"a > takes", Outcome::passed}});
  step_of(fix, "tests") = test::step_sample("tests", 1);
  fix.challenged = tests_sample({{"a > adds", Outcome::passed}});
  EXPECT_EQ(tests_of(trial_sample(), fix).state, State::failed);
}

TEST(Challenged, AnExitCodeIsWeakAndCanBeForged) {
  const Signal honest = tests_of(by_exit_code(0, 1), by_exit_code(0, 1));
  EXPECT_TRUE(honest.passed());
  EXPECT_EQ(honest.weak, "their exit code alone was judged");
  EXPECT_EQ(tests_of(by_exit_code(0, 1), by_exit_code(0, 0)).state, State::forged);
}

TEST(Challenged, NoTestThatPassesIsNotCheckedWhateverElseIsSeen) {
  for (const auto& cases :
       {std::vector<TestCase>{}, {{"a", Outcome::skipped}}, {{"a", Outcome::failed}}}) {
    Trial base = trial_sample();
    base.tests = tests_sample(cases);
    base.challenged = tests_sample({});
    step_of(base, "challenge") = test::step_sample("challenge", 1);  // it ends differently
    for (const auto& now : {cases, std::vector<TestCase>{{"b", Outcome::passed}}}) {
      Trial fix = base;
      fix.tests = tests_sample(now);
      EXPECT_EQ(tests_of(base, fix).weak, "not checked: no test passes at the base");
    }
  }
}

TEST(Challenged, AFixThatKnowsNoTestDoesNotPass) {
  Trial fix = trial_sample();
  fix.tests = tests_sample({});
  EXPECT_EQ(tests_of(trial_sample(), fix).state, State::failed);
  // Nor where the base has no whole report.
  Trial base = trial_sample();
  base.tests->complete = false;
  base.tests->why_not = "a jest that was started left no report";
  EXPECT_EQ(tests_of(base, fix).state, State::failed);
  // No runner was seen with the fix, and one was at the base.
  fix.tests = runners::TestRun{};
  fix.tests->why_not = "no test runner that is known left a report";
  const Signal signal = tests_of(trial_sample(), fix);
  EXPECT_EQ(signal.state, State::failed);
  EXPECT_THAT(signal.reasons.front(), HasSubstr("no test runner that is known"));
}

TEST(Challenged, WhatNoWrongAssertionReachesIsWeak) {
  Trial base = trial_sample();
  base.challenged = base.tests;
  step_of(base, "challenge") = test::step_sample("challenge", 0);
  EXPECT_THAT(tests_of(base, base).weak, HasSubstr("make none of them fail at the base"));
  Trial none = trial_sample();
  none.challenged.reset();
  none.steps.pop_back();
  EXPECT_THAT(tests_of(none, none).weak, HasSubstr("no assertion that could be made wrong"));
}

TEST(Challenged, ACompilerMustFindWhatItFoundAtTheBase) {
  const auto types_of = [](const Trial& base, const Trial& fix) {
    return signal_of(base, fix, comparison_sample(), "typecheck.typescript");
  };
  EXPECT_EQ(types_of(trial_sample(), trial_sample()).weak, "");
  Trial blind = trial_sample();
  blind.found_types.clear();
  EXPECT_EQ(types_of(trial_sample(), blind).state, State::forged);
  // One that looks at nothing is no check; more errors are a failure all the same.
  const Signal idle = types_of(blind, blind);
  EXPECT_EQ(idle.state, State::absent);
  EXPECT_FALSE(idle.blocks());
  EXPECT_EQ(idle.weak, "");
  EXPECT_THAT(idle.words, HasSubstr("none is found at the base"));
  Trial worse = blind;
  worse.types->count = 1;
  EXPECT_EQ(types_of(blind, worse).state, State::failed);
}

}  // namespace
}  // namespace cg::gate
