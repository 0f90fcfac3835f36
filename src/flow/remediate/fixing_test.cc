// Attempts at one group: what is tried next, what is told, and when it ends.
#include "flow/remediate/fixing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "prove/gate/samples.h"

namespace cg::remediate {

namespace {

using propose::Answer;
using propose::Candidate;
using propose::GivenUp;
using propose::NoPlan;
using proving::Proof;

Candidate bringing(const std::string& what) {
  Candidate out;
  out.brings = {what};
  return out;
}

Proof passed(const std::string& lockfile = "package-lock.json") {
  const gate::Trial trial = gate::test::trial_sample();
  return {lockfile, gate::judge(trial, trial, gate::test::comparison_sample())};
}

Proof failed(const std::string& signal, const std::string& lockfile = "package-lock.json") {
  gate::Failed verdict;
  verdict.failing = {signal};
  verdict.summary = signal + " failed";
  verdict.isolation = sandbox::Isolation::namespaces;
  return {lockfile, std::move(verdict)};
}

std::vector<Proof> proofs(Proof one) {
  std::vector<Proof> out;
  out.push_back(std::move(one));
  return out;
}

class Fixings : public testing::Test {
 protected:
  Fixing start(std::vector<gate::AttemptSummary> history = {}, unsigned most = 3) {
    return Fixing(group_, std::move(history), most);
  }
  /// One attempt at what brings `what`.
  void attempt(Fixing& fixing, const std::string& what, Proof proof) {
    const auto number = fixing.next();
    ASSERT_TRUE(number);
    Candidate candidate = bringing(what);
    if (group_.handed_on && *number == 1) candidate.shows = propose::Shows::by_name;
    ASSERT_NE(fixing.consider(*number, std::move(candidate), events_), nullptr);
    fixing.judge({{"package-lock.json", what}}, proofs(std::move(proof)), events_);
  }
  std::vector<record::AttemptEnded> ended() const {
    std::vector<record::AttemptEnded> out;
    for (const record::Event& event : events_) {
      if (const auto* one = event.as<record::AttemptEnded>()) out.push_back(*one);
    }
    return out;
  }
  propose::Group group_{"group", {1}, {}, std::nullopt};
  record::Events events_;
};

TEST_F(Fixings, TheFirstThatPassesEndsIt) {
  Fixing fixing = start();
  attempt(fixing, "qs 6.7.3", passed());
  EXPECT_FALSE(fixing.next());
  const Attempted out = std::move(fixing).take();
  EXPECT_TRUE(out.passed);
  EXPECT_EQ(out.attempts, 1U);
  EXPECT_EQ(out.proof.size(), 1U);
  EXPECT_EQ(out.files.at("package-lock.json"), "qs 6.7.3");
  EXPECT_EQ(out.isolation, "namespaces");
  EXPECT_EQ(out.why, "");
  ASSERT_EQ(ended().size(), 1U);
  EXPECT_EQ(ended()[0].failing, "");
  EXPECT_EQ(ended()[0].tried, "qs 6.7.3");
}

TEST_F(Fixings, AFailureIsToldToTheNextAttemptAndNothingOfItRemains) {
  Fixing fixing = start();
  attempt(fixing, "qs 6.7.3", failed("tests"));
  ASSERT_EQ(fixing.history().size(), 1U);
  EXPECT_THAT(fixing.history()[0].failing, testing::ElementsAre("tests"));
  EXPECT_THAT(fixing.history()[0].tried, testing::ElementsAre("qs 6.7.3"));
  attempt(fixing, "qs 6.7.4", passed());
  const Attempted out = std::move(fixing).take();
  EXPECT_TRUE(out.passed);
  EXPECT_EQ(out.attempts, 2U);
  EXPECT_EQ(out.files.at("package-lock.json"), "qs 6.7.4");
  EXPECT_EQ(ended().size(), 2U);
  EXPECT_EQ(ended()[0].failing, "tests");
}

TEST_F(Fixings, NoMoreThanWereAskedFor) {
  Fixing fixing = start({}, 1);
  attempt(fixing, "qs 6.7.3", failed("tests"));
  EXPECT_FALSE(fixing.next());
  const Attempted out = std::move(fixing).take();
  EXPECT_FALSE(out.passed);
  EXPECT_EQ(out.why, "no more attempts were asked for");
  EXPECT_TRUE(out.proof.empty());
}

TEST_F(Fixings, ThreeAndNoFourth) {
  Fixing fixing = start({}, 10);
  attempt(fixing, "a 1", failed("tests"));
  attempt(fixing, "a 2", failed("build"));
  attempt(fixing, "a 3", failed("tests"));
  EXPECT_FALSE(fixing.next());
  EXPECT_NE(std::move(fixing).take().why, "");
}

/// What an interrupted run tried counts: its attempts are not begun again.
TEST_F(Fixings, GoesOnWhereAnEarlierRunWas) {
  Fixing fixing = start({{1, {"tests"}, {}, "", {"qs 6.7.3"}}});
  EXPECT_EQ(fixing.next(), 2U);
  attempt(fixing, "qs 6.7.4", passed());
  EXPECT_EQ(std::move(fixing).take().attempts, 2U);
}

/// A breaking version alone comes before a model's three attempts.
TEST_F(Fixings, TheBareVersionIsNobodysAttempt) {
  group_.handed_on.emplace();
  for (const char* says : {"tests", "weak"}) {
    Fixing fixing = start({}, 4);
    attempt(fixing, "qs 7.0.0", failed(says));
    EXPECT_EQ(fixing.next(), 2U) << says;
    attempt(fixing, "qs 7.0.0, rewritten a.js", failed("tests"));
    attempt(fixing, "qs 7.0.0, rewritten b.js", failed("tests"));
    EXPECT_EQ(fixing.next(), 4U) << says;
    attempt(fixing, "qs 7.0.0, rewritten c.js", failed("tests"));
    EXPECT_FALSE(fixing.next());
    const Attempted out = std::move(fixing).take();
    EXPECT_FALSE(out.bare);
    EXPECT_EQ(out.why, "the same failed three times: tests");
  }
}

TEST_F(Fixings, WhateverRecipesUsedUpAModelHasThree) {
  group_.handed_on.emplace();
  group_.handed_on->before = 3;
  group_.handed_on->planned = true;
  const gate::AttemptSummary recipes{1, {"tests"}, {}, "", {"qs 6.7.3"}};
  Fixing fixing = start({recipes, recipes, recipes}, 6);
  for (unsigned number = 4; number <= 6; ++number) {
    EXPECT_EQ(fixing.next(), number);
    attempt(fixing, "qs 6.7.3, rewritten a.js", failed("tests"));
  }
  EXPECT_FALSE(fixing.next());
  EXPECT_EQ(std::move(fixing).take().attempts, 6U);
}

/// Recipes forced a version; the one that is asked about is of another package, and tried alone.
TEST_F(Fixings, AfterRecipesTheVersionAloneIsNobodysAttemptEither) {
  group_.handed_on.emplace();
  group_.handed_on->before = 1;
  const gate::AttemptSummary recipes{1, {"tests"}, {}, "", {"a 2.0.0"}};
  Fixing fixing = start({recipes}, 5);
  attempt(fixing, "p 2.0.0", failed("tests"));
  for (unsigned number = 3; number <= 5; ++number) {
    EXPECT_EQ(fixing.next(), number);
    attempt(fixing, "p 2.0.0, rewritten a.js", failed("tests"));
  }
  EXPECT_FALSE(fixing.next());
}

TEST_F(Fixings, AfterRecipesThatMetWhatIsFinalNobodyIsAsked) {
  group_.handed_on.emplace();
  group_.handed_on->before = 2;
  group_.handed_on->planned = true;
  Fixing fixing = start({{1, {"tests"}, {}, "", {}}, {2, {"trace"}, {}, "", {}}}, 5);
  EXPECT_FALSE(fixing.next());
}

TEST_F(Fixings, WhereTheBareVersionShowsThatNothingCanBeTriedNobodyIsAsked) {
  group_.handed_on.emplace();
  for (const char* says : {"base", "trace", "forged", "lockfile_policy"}) {
    Fixing fixing = start({}, 4);
    attempt(fixing, "qs 7.0.0", failed(says));
    EXPECT_FALSE(fixing.next()) << says;
    EXPECT_TRUE(std::move(fixing).take().bare);
  }
}

TEST_F(Fixings, ABareVersionThatPassesIsTheFix) {
  group_.handed_on.emplace();
  Fixing fixing = start({}, 4);
  attempt(fixing, "qs 7.0.0", passed());
  EXPECT_FALSE(fixing.next());
  const Attempted out = std::move(fixing).take();
  EXPECT_TRUE(out.passed);
  EXPECT_EQ(out.attempts, 1U);
}

TEST_F(Fixings, AnAnswerThatIsNoPlanCountsAndIsTold) {
  Fixing fixing = start();
  EXPECT_EQ(fixing.consider(*fixing.next(), NoPlan{"refused by the model", "line 12 is"}, events_),
            nullptr);
  EXPECT_EQ(fixing.history().back().told, "line 12 is");
  EXPECT_EQ(fixing.next(), 2U);
  ASSERT_EQ(ended().size(), 1U);
  EXPECT_EQ(ended()[0].failing, "proposal");
  EXPECT_EQ(ended()[0].tried, "refused by the model");
}

TEST_F(Fixings, GivingUpEndsItAndKeepsWhatTheGatesSaid) {
  Fixing fixing = start();
  attempt(fixing, "qs 6.7.3", failed("tests"));
  tiers::GivenUp stop;
  EXPECT_EQ(fixing.consider(*fixing.next(), GivenUp{"nothing else is left", stop}, events_),
            nullptr);
  EXPECT_FALSE(fixing.next());
  const Attempted out = std::move(fixing).take();
  EXPECT_FALSE(out.passed);
  EXPECT_EQ(out.why, "nothing else is left");
  EXPECT_TRUE(out.stopped);
  EXPECT_EQ(out.attempts, 1U);
  EXPECT_EQ(ended().size(), 1U);  // giving up is no attempt
}

TEST_F(Fixings, EveryLockfileMustPass) {
  Fixing fixing = start();
  const auto number = fixing.next();
  ASSERT_NE(fixing.consider(*number, bringing("qs 6.7.3"), events_), nullptr);
  std::vector<Proof> both = proofs(passed());
  both.push_back(failed("tests", "web/package-lock.json"));
  both.push_back(failed("install", "api/package-lock.json"));
  fixing.judge({}, std::move(both), events_);
  EXPECT_EQ(ended()[0].failing, "install, tests");
  ASSERT_TRUE(fixing.next());
  const Attempted out = std::move(fixing).take();
  EXPECT_FALSE(out.passed);
  EXPECT_TRUE(out.proof.empty());  // the one that passed is worth nothing alone
  ASSERT_FALSE(out.gates.empty());
  EXPECT_TRUE(out.gates[0].signal.starts_with("package-lock.json "));
}

TEST_F(Fixings, TheEvidenceSaysWhoThoughtOfItOnlyIfItPassed) {
  Fixing fixing = start();
  Candidate candidate = bringing("qs 6.7.3");
  candidate.documents = {{"tier/model.json", "{}"}};
  ASSERT_NE(fixing.consider(1, candidate, events_), nullptr);
  EXPECT_EQ(fixing.title(), "attempt 1: qs 6.7.3");
  fixing.judge({}, proofs(passed()), events_);
  const Attempted out = std::move(fixing).take();
  EXPECT_EQ(out.documents.back().first, "tier/model.json");
  EXPECT_EQ(out.documents.front().first, "gates/install.json");

  Fixing other = start();
  ASSERT_NE(other.consider(1, candidate, events_), nullptr);
  other.judge({}, proofs(failed("tests")), events_);
  EXPECT_TRUE(std::move(other).take().documents.empty());
}

}  // namespace
}  // namespace cg::remediate
