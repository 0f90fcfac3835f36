// How a run ends, from what became of its copies.
#include "flow/remediate/case_of.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/domain/exit_code.h"
#include "fix/report/report.h"
#include "fix/report/review.h"

namespace cg::remediate {
namespace {

using plan::Blocker;
using plan::Fate;
using report::Outcome;

report::Copy copy(Fate fate, Blocker blocker = Blocker::none, std::size_t fix = 0) {
  report::Copy out;
  out.lockfile = "package-lock.json";
  out.location = "node_modules/a" + std::to_string(fix);
  out.advisory = "CVE-1";
  out.package = "a";
  out.fate = fate;
  out.blocker = blocker;
  out.fix = fix;
  return out;
}

struct End {
  std::string what;
  std::vector<report::Copy> copies;
  job::Extent extent;
  Outcome outcome;
  ExitCode exit;
  report::Tier tier;
};
class Ends : public testing::TestWithParam<End> {};

TEST_P(Ends, FollowFromTheCopies) {
  report::Case c;
  c.copies = GetParam().copies;
  judge_case(c, GetParam().extent);
  EXPECT_EQ(c.outcome, GetParam().outcome) << report::name(c.outcome);
  EXPECT_EQ(c.exit, static_cast<int>(GetParam().exit));
  EXPECT_EQ(c.tier, GetParam().tier);
}

TEST(SkippedLocks, LetNoRunEndWell) {
  for (const auto& copies : {std::vector<report::Copy>{},
                             {copy(Fate::fixed)},
                             {copy(Fate::no_fix, Blocker::no_version)}}) {
    report::Case c;
    c.copies = copies;
    c.skipped = {".yarn/yarn.lock: in .yarn, a folder that tools fill"};
    judge_case(c, job::Extent::branch);
    EXPECT_EQ(c.exit, static_cast<int>(ExitCode::needs_human));
  }
  report::Case failed;
  failed.copies = {copy(Fate::blocked, Blocker::gates)};
  failed.skipped = {"x"};
  judge_case(failed, job::Extent::branch);
  EXPECT_EQ(failed.exit, static_cast<int>(ExitCode::not_fixed)) << "what is worse stays";
}

const report::Copy kFixed = copy(Fate::fixed);
const report::Copy kHuman = copy(Fate::blocked, Blocker::range);
const report::Copy kGates = copy(Fate::blocked, Blocker::gates);
const report::Copy kUnproven = copy(Fate::blocked, Blocker::unproven);
const report::Copy kNone = copy(Fate::no_fix, Blocker::no_version);
const report::Copy kOn = copy(Fate::handed_on, Blocker::major);
using job::Extent;
using report::Tier;

INSTANTIATE_TEST_SUITE_P(Case, Ends,
                         testing::Values(End{"nothing_found",
                                             {},
                                             Extent::branch,
                                             Outcome::not_applicable,
                                             ExitCode::not_applicable,
                                             Tier::none},
                                         End{"all_fixed",
                                             {kFixed, kFixed},
                                             Extent::branch,
                                             Outcome::fixed,
                                             ExitCode::ok,
                                             Tier::recipe},
                                         End{"some_fixed",
                                             {kFixed, kHuman},
                                             Extent::branch,
                                             Outcome::partly_fixed,
                                             ExitCode::needs_human,
                                             Tier::recipe},
                                         End{"some_have_no_fix",
                                             {kFixed, kNone},
                                             Extent::branch,
                                             Outcome::partly_fixed,
                                             ExitCode::needs_human,
                                             Tier::recipe},
                                         End{"none_fixed",
                                             {kHuman, kOn},
                                             Extent::branch,
                                             Outcome::not_fixed,
                                             ExitCode::needs_human,
                                             Tier::none},
                                         End{"turned_down",
                                             {kGates, kHuman},
                                             Extent::branch,
                                             Outcome::not_fixed,
                                             ExitCode::not_fixed,
                                             Tier::none},
                                         End{"unproven",
                                             {kUnproven, kHuman},
                                             Extent::branch,
                                             Outcome::unproven,
                                             ExitCode::not_fixed,
                                             Tier::none},
                                         End{"unproven_and_turned_down",
                                             {kUnproven, kGates},
                                             Extent::branch,
                                             Outcome::not_fixed,
                                             ExitCode::not_fixed,
                                             Tier::none},
                                         End{"unproven_and_fixed",
                                             {kUnproven, kFixed},
                                             Extent::branch,
                                             Outcome::partly_fixed,
                                             ExitCode::needs_human,
                                             Tier::recipe},
                                         End{"hopeless",
                                             {kNone, kNone},
                                             Extent::branch,
                                             Outcome::not_applicable,
                                             ExitCode::not_applicable,
                                             Tier::none},
                                         End{"not_all_hopeless",
                                             {kNone, kHuman},
                                             Extent::branch,
                                             Outcome::not_fixed,
                                             ExitCode::needs_human,
                                             Tier::none},
                                         End{"planned",
                                             {kFixed, kHuman},
                                             Extent::plan,
                                             Outcome::planned,
                                             ExitCode::ok,
                                             Tier::recipe},
                                         End{"planned_nothing",
                                             {kHuman},
                                             Extent::preview,
                                             Outcome::planned,
                                             ExitCode::needs_human,
                                             Tier::none},
                                         End{"nothing_to_plan",
                                             {},
                                             Extent::plan,
                                             Outcome::not_applicable,
                                             ExitCode::not_applicable,
                                             Tier::none}),
                         [](const auto& one) { return one.param.what; });

/// Two groups as planned, each with one copy and one fix.
report::Case planned() {
  report::Case c;
  c.copies = {copy(Fate::fixed, Blocker::none, 1), copy(Fate::fixed, Blocker::none, 2)};
  for (std::size_t i = 0; i < 2; ++i) {
    c.copies[i].to = "1.0.1";
    c.copies[i].strategy = plan::Strategy::relock;
    report::Fix fix;
    fix.package = "a";
    fix.to = "1.0.1";
    c.fixes.push_back(fix);
  }
  c.branches = {{"codegenie/one", "", {1}}, {"codegenie/two", "", {2}}};
  c.not_checked = {"install, build and tests were not run"};
  return c;
}

SettledGroup settled(const report::Case& c, std::size_t number, bool passed) {
  SettledGroup out;
  out.group.fixes = {number};
  out.branch = c.branches[number - 1];
  out.attempted.passed = passed;
  out.attempted.isolation = "namespaces";
  report::Gate gate;
  gate.signal = "tests";
  gate.state = passed ? "passed" : "failed";
  out.attempted.gates = {gate};
  if (passed) {
    propose::LockPlan one{0, {}};
    one.plan.lockfile = "package-lock.json";
    plan::Copy again = c.copies[number - 1];
    again.fix = 1;
    again.to = "1.0.2";
    one.plan.copies = {again};
    plan::Fix fix;
    fix.package = "a";
    fix.to = "1.0.2";
    one.plan.fixes = {fix};
    out.attempted.candidate.plans = {one};
  } else {
    out.attempted.why = "three attempts";
  }
  return out;
}

/// A proof is moved and never copied, and so is what holds one.
template <class... Groups>
std::vector<SettledGroup> all(Groups... groups) {
  std::vector<SettledGroup> out;
  (out.push_back(std::move(groups)), ...);
  return out;
}

TEST(SettleCase, PutsWhatPassedInPlaceOfWhatWasPlanned) {
  report::Case c = planned();
  settle_case(c, all(settled(c, 1, false), settled(c, 2, true)));
  EXPECT_EQ(c.outcome, Outcome::partly_fixed);
  ASSERT_EQ(c.fixes.size(), 1U);
  EXPECT_EQ(c.fixes[0].to, "1.0.2");
  EXPECT_EQ(c.copies[1].to, "1.0.2");
  EXPECT_EQ(c.copies[1].fix, 1U);
  ASSERT_EQ(c.branches.size(), 1U);
  EXPECT_EQ(c.branches[0].fixes, std::vector<std::size_t>{1});
}

TEST(SettleCase, WhatWasTurnedDownSaysSo) {
  report::Case c = planned();
  settle_case(c, all(settled(c, 1, false), settled(c, 2, false)));
  EXPECT_EQ(c.outcome, Outcome::not_fixed);
  EXPECT_EQ(c.exit, static_cast<int>(ExitCode::not_fixed));
  for (const report::Copy& one : c.copies) {
    EXPECT_EQ(one.fate, Fate::blocked);
    EXPECT_EQ(one.blocker, Blocker::gates);
    EXPECT_EQ(one.reason, "three attempts");
    EXPECT_EQ(one.to, "");
    EXPECT_FALSE(one.strategy);
    EXPECT_EQ(one.fix, 0U);
  }
  EXPECT_TRUE(c.branches.empty());
  EXPECT_EQ(c.gates.size(), 2U);
  EXPECT_EQ(c.gates[0].branch, "codegenie/one");
}

/// What a model was asked about in vain is still somebody else's to fix, unless gates saw it.
TEST(SettleCase, WhatWasHandedOnStaysSoUntilGatesTurnItDown) {
  for (const bool gates : {false, true}) {
    report::Case c;
    c.copies = {copy(Fate::handed_on, Blocker::major)};
    SettledGroup group;
    group.group.handed_on.emplace();
    group.group.copies = {
        propose::copy_key(c.copies[0].lockfile, c.copies[0].location, c.copies[0].advisory)};
    group.attempted.why = "the model has no plan";
    if (gates) group.attempted.gates.emplace_back();
    settle_case(c, all(std::move(group)));
    EXPECT_EQ(c.copies[0].fate, gates ? Fate::blocked : Fate::handed_on);
    EXPECT_EQ(c.copies[0].blocker, gates ? Blocker::gates : Blocker::major);
    EXPECT_EQ(c.copies[0].reason, "the model has no plan");
  }
}

/// Recipes' fix was turned down, and then what was tried before a model was asked.
TEST(SettleCase, WhatRecipesPlannedInVainIsNotLeftAsPlanned) {
  report::Case c = planned();
  SettledGroup group = settled(c, 1, false);
  group.group.handed_on.emplace();
  group.attempted.bare = true;
  settle_case(c, all(std::move(group), settled(c, 2, true)));
  EXPECT_EQ(c.copies[0].fate, Fate::blocked);
  EXPECT_EQ(c.copies[0].blocker, Blocker::gates);
  EXPECT_EQ(c.copies[0].fix, 0U);
}

SettledGroup unproven(const report::Case& c, std::size_t number) {
  SettledGroup out = settled(c, number, true);
  out.attempted.passed = false;
  out.attempted.unprovable =
      Unproven::of({{"package-lock.json", "the packages cannot be installed at the base"}});
  return out;
}

/// Whether it is kept or dropped, nothing of it counts as fixed.
TEST(SettleCase, WhatIsUnprovenSaysWhyAndFixesNothing) {
  for (const bool kept : {false, true}) {
    report::Case c = planned();
    SettledGroup one = unproven(c, 1);
    SettledGroup two = unproven(c, 2);
    if (kept) one.branch.commit = std::string(40, '1');
    if (kept) one.branch.outcome = report::kUnproven;
    settle_case(c, all(std::move(one), std::move(two)));
    EXPECT_EQ(c.outcome, Outcome::unproven);
    EXPECT_EQ(c.exit, static_cast<int>(ExitCode::not_fixed));
    EXPECT_EQ(c.tier, report::Tier::none);
    ASSERT_EQ(c.unproven.size(), 1U) << "each lockfile once";
    EXPECT_EQ(c.unproven[0].cause, "the packages cannot be installed at the base");
    for (const report::Copy& copy : c.copies) {
      EXPECT_EQ(copy.fate, Fate::blocked);
      EXPECT_EQ(copy.blocker, Blocker::unproven);
      EXPECT_EQ(copy.reason, kUnprovenReason);
    }
    EXPECT_EQ(c.branches.size(), kept ? 1U : 0U);
    EXPECT_EQ(c.copies[0].fix, kept ? 1U : 0U) << "what is planned is on the branch";
    EXPECT_EQ(c.copies[1].fix, 0U);
  }
}

/// What its commit names is the plan that the case has in the end.
TEST(CaseOfGroup, OfWhatIsUnprovenHasAnotherPrefixAndTheSamePlan) {
  report::Case c = planned();
  SettledGroup group = unproven(c, 1);
  const report::Case one = case_of_group(c, group.attempted, job::Request{});
  const report::Branch& branch = one.branches.at(0);
  EXPECT_EQ(branch.name, "codegenie-unproven/cve-1-a-1.0.2");
  EXPECT_EQ(branch.outcome, report::kUnproven);
  const std::string message = report::commit_message(one, branch);
  EXPECT_TRUE(message.starts_with("Unproven: ")) << message;
  EXPECT_NE(message.find("\nCodegenie-Proof: none\n"), std::string::npos) << message;
  EXPECT_EQ(message.find("Fixes-Advisory"), std::string::npos) << message;
  group.branch = branch;
  group.branch.commit = std::string(40, '1');
  const std::string digest = report::plan_digest(one, branch);
  settle_case(c, all(std::move(group)));
  ASSERT_EQ(c.branches.size(), 1U);
  EXPECT_EQ(report::plan_digest(c, c.branches[0]), digest);
}

TEST(SettleCase, WhereAllThatPassedIsWeakSoIsTheOutcome) {
  for (const bool proven : {false, true}) {
    report::Case c = planned();
    SettledGroup one = settled(c, 1, true);
    SettledGroup two = settled(c, 2, true);
    one.branch.outcome = report::kWeak;
    two.branch.outcome = proven ? report::kProven : report::kWeak;
    settle_case(c, all(std::move(one), std::move(two)));
    EXPECT_EQ(c.outcome, proven ? Outcome::fixed : Outcome::weak);
    EXPECT_EQ(c.exit, 0);
  }
}

/// No tests show as little as an exit code does.
TEST(CaseOfGroup, WithoutTestsIsWeak) {
  const report::Case c = planned();
  SettledGroup group = settled(c, 2, true);
  group.attempted.gates[0].state = "absent";
  EXPECT_EQ(case_of_group(c, group.attempted, job::Request{}).branches[0].outcome, report::kWeak);
}

/// A group that no gate saw has no isolation, and takes none from the others.
TEST(SettleCase, TheIsolationIsThatOfWhoHadOne) {
  report::Case c = planned();
  SettledGroup unseen = settled(c, 2, false);
  unseen.attempted.isolation = "";
  settle_case(c, all(settled(c, 1, true), std::move(unseen)));
  EXPECT_EQ(c.isolation_class, "namespaces");
}

TEST(SettleCase, WhatWasNotCheckedIsSaidOnce) {
  report::Case c = planned();
  SettledGroup one = settled(c, 1, true);
  SettledGroup two = settled(c, 2, true);
  for (SettledGroup* group : {&one, &two}) {
    group->attempted.gates[0].state = "absent";
    group->attempted.gates[0].words = "no build script";
  }
  settle_case(c, all(std::move(one), std::move(two)));
  EXPECT_THAT(c.not_checked, testing::ElementsAre("tests: no build script"));
}

TEST(CaseOfGroup, HasItsPlansAndOneBranchAlone) {
  const report::Case c = planned();
  const SettledGroup group = settled(c, 2, true);
  const report::Case one = case_of_group(c, group.attempted, job::Request{});
  EXPECT_EQ(one.copies.size(), 1U);
  EXPECT_EQ(one.fixes.size(), 1U);
  ASSERT_EQ(one.branches.size(), 1U);
  EXPECT_EQ(one.branches[0].name, "codegenie/cve-1-a-1.0.2");
  EXPECT_EQ(one.branches[0].kind, "") << "a recipe's";
}

/// All that a commit says of a model's plan is known before the commit is made.
TEST(CaseOfGroup, CarriesWhatAModelSaidAndWhatItsGatesSay) {
  const report::Case c = planned();
  SettledGroup group = settled(c, 2, true);
  group.attempted.attempts = 2;
  group.attempted.candidate.kind = "callsite_rewrite";
  group.attempted.candidate.rationale = "because";
  group.attempted.gates[0].passed = true;
  group.attempted.gates[0].weak = "their exit code alone was judged";
  const report::Case one = case_of_group(c, group.attempted, job::Request{});
  const report::Branch& branch = one.branches.at(0);
  EXPECT_EQ(branch.kind, "callsite_rewrite");
  EXPECT_EQ(branch.attempts, 2U);
  const report::Review review = report::review(one, branch);
  ASSERT_EQ(review.said.size(), 1U);
  EXPECT_EQ(review.said[0].rationale, "because");
  EXPECT_EQ(review.weak.size(), 1U);
}

}  // namespace
}  // namespace cg::remediate
