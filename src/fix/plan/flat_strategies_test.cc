// Plans for locks of yarn and pnpm: each strategy, and which version it takes.
#include <gmock/gmock.h>

#include "fix/plan/flat_world.h"

namespace cg::plan {
namespace {

using FlatPlan = test::FlatPlanning;
using test::Outcome;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

TEST_F(FlatPlan, TakesWhatEverybodyWhoAsksAccepts) {
  advise("a", "1.2.0");
  publish("a", {"1.0.0", "1.2.0", "1.3.0", "1.3.1"});
  const Outcome out = yarn("a=^1.0.0 p=^1.0.0", {"a@^1.0.0,a@1.0.0_||_>=1.3.0 1.0.0",
                                                 "p@^1.0.0 1.0.0 a=1.0.0_||_>=1.3.0"});
  EXPECT_EQ(out.copy.strategy, Strategy::relock);
  EXPECT_EQ(out.copy.to, "1.3.0");
  EXPECT_EQ(out.copy.reason, "a 1.3.0 is in range of all that ask for it");
  ASSERT_EQ(out.copy.considered.size(), 1U);
  EXPECT_TRUE(out.copy.considered[0].chosen);
  EXPECT_EQ(out.plan.fixes[0].from, "1.0.0");
  EXPECT_EQ(out.plan.fixes[0].to, "1.3.0");
  EXPECT_THAT(out.plan.fixes[0].touched, ElementsAre("a@^1.0.0, a@1.0.0 || >=1.3.0"));
  EXPECT_EQ(out.plan.lockfile, "lock");
}

TEST_F(FlatPlan, JoinsAnEntryThatIsThereAlready) {
  advise("a", "1.2.0");
  publish("a", {"1.0.0", "1.2.0"});
  const Outcome out =
      yarn("a=^1.0.0 p=^1.0.0", {"a@^1.0.0 1.0.0", "a@^1.2.0 1.2.0", "p@^1.0.0 1.0.0 a=^1.2.0"});
  EXPECT_EQ(out.copy.reason, "a 1.2.0 is in range of all that ask for it, and in the lock already");
  EXPECT_EQ(out.copy.to, "1.2.0");
  EXPECT_EQ(out.plan.fixes[0].to, "1.2.0");
  EXPECT_THAT(out.text, HasSubstr("a@^1.0.0, a@^1.2.0:\n  version \"1.2.0\""));
}

TEST_F(FlatPlan, SaysThatNothingIsInRange) {
  advise("a", "2.0.0");
  publish("a", {"1.0.0", "2.0.0"});
  const Outcome out = yarn("a=^1.0.0", {"a@^1.0.0 1.0.0"});
  ASSERT_EQ(out.copy.considered.size(), 3U);
  EXPECT_EQ(out.copy.considered[0].answer, "no safe version is in range of all that ask");
  EXPECT_EQ(out.copy.considered[1].answer, "no safe version without a breaking change");
  EXPECT_EQ(out.copy.considered[2].answer,
            "no dependent has a release in range that accepts a safe version");
  EXPECT_THAT(out.plan.fixes, IsEmpty());
}

TEST_F(FlatPlan, BumpsADirectDependencyAlone) {
  advise("a", "1.2.0");
  publish("a", {"1.0.0", "1.2.0"});
  const Outcome out = yarn("a=1.0.0 b=1.0.0", {"a@1.0.0 1.0.0", "b@1.0.0 1.0.0"});
  EXPECT_EQ(out.copy.strategy, Strategy::direct_bump);
  EXPECT_EQ(out.copy.reason, "a 1.2.0: the manifest asks for `1.2.0` instead of `1.0.0`");
  EXPECT_THAT(out.manifest, HasSubstr(R"({"a":"1.2.0","b":"1.0.0"})"));
  EXPECT_THAT(out.plan.fixes[0].touched, ElementsAre("a@1.0.0", "manifest "));
  EXPECT_EQ(out.plan.lock.asks.size(), 1U);
}

TEST_F(FlatPlan, BumpsWhereALockLiesInAFolder) {
  advise("a", "1.2.0");
  publish("a", {"1.0.0", "1.2.0"});
  folder_ = "app/";
  const Outcome out = yarn("a=1.0.0", {"a@1.0.0 1.0.0"});
  ASSERT_EQ(out.plan.manifests.size(), 1U);
  EXPECT_EQ(out.plan.manifests[0].path, "app/package.json");
}

TEST_F(FlatPlan, BumpsTheWorkspaceThatAsks) {
  advise("a", "1.2.0");
  publish("a", {"1.0.0", "1.2.0"});
  workspaces_ = {{"packages/v/package.json", "a=^1.0.0"}, {"packages/w/package.json", "a=~1.0.0"}};
  const Outcome out = yarn("workspaces:packages/*", {"a@^1.0.0,a@~1.0.0 1.0.0"});
  EXPECT_EQ(out.copy.strategy, Strategy::direct_bump);
  ASSERT_EQ(out.plan.manifests.size(), 1U);
  EXPECT_EQ(out.plan.manifests[0].path, "packages/w/package.json");
  EXPECT_EQ(out.plan.manifests[0].asks[0].to, "~1.2.0");
  EXPECT_THAT(out.plan.fixes[0].touched, ElementsAre("a@^1.0.0, a@~1.0.0", "manifest packages/w"));
}

TEST_F(FlatPlan, BumpsAWorkspaceBeneathAFolder) {
  advise("a", "1.2.0");
  publish("a", {"1.0.0", "1.2.0"});
  folder_ = "app/";
  workspaces_ = {{"packages/w/package.json", "a=~1.0.0"}};
  const Outcome out = yarn("workspaces:packages/*", {"a@~1.0.0 1.0.0"});
  ASSERT_EQ(out.plan.manifests.size(), 1U);
  EXPECT_EQ(out.plan.manifests[0].path, "app/packages/w/package.json");
}

TEST_F(FlatPlan, BumpsEveryManifestThatIsInTheWay) {
  advise("a", "1.2.0");
  advise("b", "1.2.0");
  publish("a", {"1.0.0", "1.2.0"});
  publish("b", {"1.0.0", "1.2.0"});
  workspaces_ = {{"packages/w/package.json", "a=~1.0.0"}};
  const Outcome out =
      yarn("workspaces:packages/* a=1.0.0 b=1.0.0", {"a@1.0.0,a@~1.0.0 1.0.0", "b@1.0.0 1.0.0"});
  ASSERT_EQ(out.plan.manifests.size(), 2U);
  EXPECT_EQ(out.plan.manifests[0].path, "package.json");
  EXPECT_EQ(out.plan.manifests[0].asks.size(), 2U);
  EXPECT_EQ(out.plan.manifests[1].path, "packages/w/package.json");
  ASSERT_EQ(out.plan.fixes.size(), 2U);
  EXPECT_THAT(out.plan.fixes[1].touched, ElementsAre("b@1.0.0", "manifest "));
}

TEST_F(FlatPlan, TreatsAMinorBeforeOneAsBreaking) {
  const struct {
    const char* now;
    const char* fixed;
    bool bumped;
  } cases[] = {{"0.1.0", "0.2.0", false}, {"0.1.0", "0.1.5", true},  {"0.0.1", "0.0.2", false},
               {"1.0.0", "1.2.0", true},  {"1.0.0", "2.0.0", false}, {"0.1.0", "1.0.0", false}};
  for (const auto& c : cases) {
    SCOPED_TRACE(c.fixed);
    world_ = test::World();
    advise("a", c.fixed);
    publish("a", {c.now, c.fixed});
    const std::string now = c.now;
    const Outcome out = yarn("a=" + now, {"a@" + now + " " + now});
    EXPECT_EQ(out.copy.blocker, c.bumped ? Blocker::none : Blocker::major);
  }
}

TEST_F(FlatPlan, DoesNotBumpWhatAPackageRefuses) {
  advise("a", "1.2.0");
  publish("a", {"1.0.0", "1.2.0"});
  publish("p", {"1.0.0 a=~1.0.0"});
  const Outcome out = yarn("a=~1.0.0 p=^1.0.0", {"a@~1.0.0 1.0.0", "p@^1.0.0 1.0.0 a=~1.0.0"});
  EXPECT_EQ(out.copy.blocker, Blocker::range);
  EXPECT_EQ(out.copy.reason, "p 1.0.0 asks for a `~1.0.0`, the lowest safe version is a 1.2.0");
}

TEST_F(FlatPlan, UsesOnlyTheStrategiesThatMayBeUsed) {
  advise("a", "1.2.0");
  publish("a", {"1.0.0", "1.2.0"});
  publish("p", {"1.0.0 a=~1.0.0", "1.1.0 a=^1.2.0"});
  options_.strategies = {Strategy::direct_bump};
  const Outcome in_range = yarn("a=^1.0.0", {"a@^1.0.0 1.0.0"});
  EXPECT_EQ(in_range.copy.blocker, Blocker::unsupported);
  EXPECT_EQ(in_range.copy.reason, "a 1.2.0 is in range, but no strategy that may be used takes it");
  options_.strategies = {Strategy::relock};
  EXPECT_EQ(yarn("a=~1.0.0", {"a@~1.0.0 1.0.0"}).copy.blocker, Blocker::major);
  EXPECT_EQ(yarn("p=^1.0.0", {"a@~1.0.0 1.0.0", "p@^1.0.0 1.0.0 a=~1.0.0"}).copy.blocker,
            Blocker::range);
}

TEST_F(FlatPlan, LetsAnotherTierCrossAMajor) {
  advise("a", "2.0.0");
  publish("a", {"1.0.0", "1.1.0", "2.0.0", "2.1.0"});
  options_.targets = {{"a", "2.1.0", Strategy::callsite_rewrite}};
  options_.strategies = {Strategy::relock};
  const Outcome out = yarn("a=^1.0.0", {"a@^1.0.0 1.0.0"});
  EXPECT_EQ(out.copy.strategy, Strategy::callsite_rewrite);
  EXPECT_EQ(out.copy.to, "2.1.0");
  EXPECT_EQ(out.plan.fixes[0].recipe, kModelRecipe);
  options_.targets = {{"a", "", Strategy::direct_bump}};
  EXPECT_EQ(yarn("a=^1.0.0", {"a@^1.0.0 1.0.0"}).copy.to, "2.0.0");
  options_.targets = {{"a", "1.1.0"}};
  const Outcome unsafe = yarn("a=^1.0.0", {"a@^1.0.0 1.0.0"});
  EXPECT_EQ(unsafe.copy.blocker, Blocker::no_version);
  EXPECT_EQ(unsafe.copy.reason, "a 1.1.0 is no safe version that may be chosen");
}

TEST_F(FlatPlan, DoesNotRelockWhatAnotherTierChose) {
  advise("a", "1.2.0");
  publish("a", {"1.0.0", "1.2.0"});
  options_.targets = {{"a", "1.2.0"}};
  EXPECT_EQ(yarn("a=^1.0.0", {"a@^1.0.0 1.0.0"}).copy.blocker, Blocker::unsupported);
}

TEST_F(FlatPlan, RaisesADependentThatNeedsItNoMore) {
  advise("a", "1.2.0");
  publish("a", {"1.0.0", "1.2.0"});
  publish("p", {"1.0.0 a=~1.0.0", "1.0.1 a=~1.0.0", "1.1.0", "1.1.1"});
  const Outcome out = yarn("p=^1.0.0", {"a@~1.0.0 1.0.0", "p@^1.0.0 1.0.0 a=~1.0.0"});
  EXPECT_EQ(out.copy.strategy, Strategy::parent_bump);
  EXPECT_EQ(out.copy.reason, "p 1.1.0 accepts a safe version");
  EXPECT_EQ(out.copy.to, "");
  EXPECT_EQ(out.plan.fixes[0].to, "");
  EXPECT_THAT(out.plan.lock.removed, ElementsAre("a@~1.0.0"));
  EXPECT_THAT(out.text, Not(HasSubstr("a@")));
}

TEST_F(FlatPlan, RaisesADependentToAnotherEntryThatIsSafe) {
  advise("a", "1.2.0");
  publish("a", {"1.0.0", "1.2.0", "2.0.0"});
  publish("p", {"1.0.0 a=~1.0.0", "1.1.0 a=^2.0.0"});
  const Outcome out =
      yarn("a=^2.0.0 p=^1.0.0", {"a@^2.0.0 2.0.0", "a@~1.0.0 1.0.0", "p@^1.0.0 1.0.0 a=~1.0.0"});
  EXPECT_EQ(out.copy.strategy, Strategy::parent_bump);
  EXPECT_EQ(out.copy.to, "");
  EXPECT_THAT(out.text, HasSubstr("p@^1.0.0:\n  version \"1.1.0\""));
}

TEST_F(FlatPlan, DoesNotRaiseADependentToAnEntryThatIsVulnerable) {
  advise("a", "1.2.0");
  world_.advise(test::osv("a", "", "2.0.0", "GHSA-bbbb-bbbb-bbbb"));
  publish("a", {"1.0.0", "1.2.0", "2.0.0"});
  publish("p", {"1.0.0 a=~1.0.0", "1.1.0 a=^2.0.0"});
  const Outcome out =
      yarn("a=^2.0.0 p=^1.0.0", {"a@^2.0.0 2.0.0", "a@~1.0.0 1.0.0", "p@^1.0.0 1.0.0 a=~1.0.0"});
  EXPECT_THAT(out.plan.fixes, IsEmpty());
}

TEST_F(FlatPlan, RaisesADependentToAnOlderEntryThatIsSafe) {
  const auto plan = [&](const char* introduced) {
    world_ = test::World();
    advise("a", "1.2.0", introduced);
    publish("a", {"0.9.0", "1.0.0", "1.2.0"});
    publish("p", {"1.0.0 a=~1.0.0", "1.1.0 a=^0.9.0"});
    return yarn("a=^0.9.0 p=^1.0.0",
                {"a@^0.9.0 0.9.0", "a@~1.0.0 1.0.0", "p@^1.0.0 1.0.0 a=~1.0.0"});
  };
  EXPECT_EQ(plan("1.0.0").copy.strategy, Strategy::parent_bump);
  EXPECT_THAT(plan("0").plan.fixes, IsEmpty());
}

TEST_F(FlatPlan, MovesTheEntryWhereSomebodyStillAsks) {
  advise("a", "1.2.0");
  publish("a", {"1.0.0", "1.2.0"});
  publish("p", {"1.0.0 a=~1.0.0", "1.1.0"});
  const Outcome out =
      yarn("p=^1.0.0 r=^1.0.0",
           {"a@^1.0.0,a@~1.0.0 1.0.0", "p@^1.0.0 1.0.0 a=~1.0.0", "r@^1.0.0 1.0.0 a=^1.0.0"});
  EXPECT_EQ(out.copy.strategy, Strategy::parent_bump);
  EXPECT_EQ(out.copy.to, "1.2.0");
}

TEST_F(FlatPlan, SaysOnceWhatStandsInTheWayOfADependent) {
  advise("a", "1.2.0");
  publish("a", {"1.0.0", "1.2.0", "1.2.1"});
  publish("p", {"1.0.0 a=~1.0.0", "1.1.0 a=^1.2.0 z=^9.0.0"});
  const Outcome out = yarn("p=^1.0.0", {"a@~1.0.0 1.0.0", "p@^1.0.0 1.0.0 a=~1.0.0"});
  EXPECT_EQ(out.copy.blocker, Blocker::unsupported);
  EXPECT_EQ(out.copy.reason, "the lock has no entry for `z@^9.0.0`");
  ASSERT_EQ(out.copy.considered.size(), 2U);  // a relock, and this once
  EXPECT_EQ(out.copy.considered[0].strategy, Strategy::relock);
  EXPECT_EQ(out.copy.considered[1].strategy, Strategy::parent_bump);
  EXPECT_EQ(out.copy.considered[1].target, "p 1.1.0");
}

TEST_F(FlatPlan, RaisesNothingThatComesFromElsewhere) {
  advise("a", "1.2.0");
  publish("a", {"1.0.0", "1.2.0"});
  publish("p", {"1.0.0 a=~1.0.0", "1.1.0 a=^1.2.0"});
  const std::string git = "git+https://git.example/p.git";
  const Outcome out = run(test::kHead + test::entry("a@~1.0.0", "a", "1.0.0") + "\n\"p@" + git +
                              "\":\n  version \"1.0.0\"\n  resolved \"" + git + "#" +
                              std::string(40, '0') + "\"\n  dependencies:\n    a \"~1.0.0\"\n",
                          R"("p":")" + git + "\"");
  EXPECT_EQ(out.copy.blocker, Blocker::range);
}

TEST_F(FlatPlan, RaisesAllWhoRefuse) {
  advise("a", "1.2.0");
  publish("a", {"1.0.0", "1.2.0"});
  publish("p", {"1.0.0 a=~1.0.0", "1.1.0 a=^1.2.0"});
  publish("q", {"1.0.0 a=~1.0.0", "1.1.0 a=^1.2.0"});
  const Outcome out =
      yarn("p=^1.0.0 q=^1.0.0 r=^1.0.0", {"a@^1.0.0,a@~1.0.0 1.0.0", "p@^1.0.0 1.0.0 a=~1.0.0",
                                          "q@^1.0.0 1.0.0 a=~1.0.0", "r@^1.0.0 1.0.0 a=^1.0.0"});
  EXPECT_EQ(out.copy.to, "1.2.0");
  EXPECT_THAT(out.plan.fixes[0].touched, ElementsAre("a@^1.0.0, a@~1.0.0", "p@^1.0.0", "q@^1.0.0"));
}

TEST_F(FlatPlan, RaisesNobodyWhereOneCannotFollow) {
  const test::Written refusing[] = {
      {"1.0.0 a=~1.0.0"},                            // no newer one
      {"1.0.0 a=~1.0.0", "1.1.0 a=^1.2.0 +script"},  // one that policy refuses
      {"1.0.0 a=~1.0.0", "2.0.0 a=^1.2.0"},          // one that the root refuses
      {"1.0.0 a=~1.0.0", "1.1.0 a=~1.0.0"},          // one that refuses as well
  };
  options_.new_scripts = NewScripts::refuse;
  for (const test::Written& q : refusing) {
    SCOPED_TRACE(q.back());
    world_ = test::World();
    advise("a", "1.2.0");
    publish("a", {"1.0.0", "1.2.0"});
    publish("p", {"1.0.0 a=~1.0.0", "1.1.0 a=^1.2.0"});
    publish("q", q);
    const Outcome out = yarn("p=^1.0.0 q=^1.0.0", {"a@~1.0.0 1.0.0", "p@^1.0.0 1.0.0 a=~1.0.0",
                                                   "q@^1.0.0 1.0.0 a=~1.0.0"});
    EXPECT_EQ(out.copy.blocker, Blocker::range);
    EXPECT_THAT(out.plan.fixes, IsEmpty());
  }
}

TEST_F(FlatPlan, LetsADependentKeepTheScriptItHad) {
  advise("a", "1.2.0");
  publish("a", {"1.0.0", "1.2.0"});
  publish("p", {"1.0.0 a=~1.0.0 +script", "1.1.0 a=^1.2.0 +script"});
  options_.new_scripts = NewScripts::refuse;
  EXPECT_EQ(yarn("p=^1.0.0", {"a@~1.0.0 1.0.0", "p@^1.0.0 1.0.0 a=~1.0.0"}).copy.strategy,
            Strategy::parent_bump);
}

TEST_F(FlatPlan, RaisesADependentTwiceWhereTwoAsk) {
  advise("a", "1.2.0");
  advise("b", "1.2.0");
  publish("a", {"1.0.0", "1.2.0"});
  publish("b", {"1.0.0", "1.2.0"});
  publish("p", {"1.0.0 a=~1.0.0 b=~1.0.0", "1.1.0 a=^1.2.0 b=~1.0.0", "1.2.0 a=^1.2.0 b=^1.2.0"});
  const Outcome out =
      yarn("p=^1.0.0", {"a@~1.0.0 1.0.0", "b@~1.0.0 1.0.0", "p@^1.0.0 1.0.0 a=~1.0.0 b=~1.0.0"});
  EXPECT_EQ(out.of("a").fate, Fate::fixed);
  EXPECT_EQ(out.of("b").fate, Fate::fixed);
  EXPECT_EQ(out.plan.fixes.size(), 2U);
  EXPECT_EQ(out.plan.lock.put.size(), 3U);
  EXPECT_THAT(out.text, HasSubstr("p@^1.0.0:\n  version \"1.2.0\""));
}

TEST_F(FlatPlan, RemovesWhatWasFixedAndIsAskedForNoMore) {
  advise("a", "1.2.0");
  advise("b", "1.2.0");
  publish("a", {"1.0.0", "1.2.0"});
  publish("b", {"1.0.0 a=^1.0.0", "1.2.0"});
  const Outcome out = yarn("a=^1.0.0 p=^1.0.0", {"a@^1.0.0 1.0.0", "b@^1.0.0 1.0.0 a=^1.0.0",
                                                 "p@^1.0.0 1.0.0 b=^1.0.0"});
  EXPECT_EQ(out.of("a").fate, Fate::fixed);
  world_ = test::World();
  advise("a", "1.2.0");
  advise("b", "1.2.0");
  publish("a", {"1.0.0", "1.2.0 c=^1.0.0"});
  publish("b", {"1.0.0 a=^1.0.0", "1.2.0"});
  const Outcome gone = yarn("p=^1.0.0", {"a@^1.0.0 1.0.0", "b@^1.0.0 1.0.0 a=^1.0.0",
                                         "p@^1.0.0 1.0.0 a=^1.0.0 b=^1.0.0"});
  EXPECT_EQ(gone.of("b").fate, Fate::fixed);
}

TEST_F(FlatPlan, KeepsTheAliasOfARequest) {
  advise("a", "1.2.0");
  publish("a", {"1.0.0", "1.2.0"});
  const Outcome out = yarn("b=npm:a@~1.0.0", {"b@npm:a@~1.0.0 1.0.0"});
  EXPECT_THAT(out.manifest, HasSubstr(R"("b":"npm:a@)"));
}

}  // namespace
}  // namespace cg::plan
