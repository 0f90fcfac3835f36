// Plans for small locks of yarn and pnpm.
#include "fix/plan/flat.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fix/plan/flat_world.h"

namespace cg::plan {
namespace {

using testing::HasSubstr;

using FlatPlan = test::FlatPlanning;
using resolve::test::packument;
using test::entry;
using test::kHead;
using test::osv;
using test::Outcome;

TEST_F(FlatPlan, LowestSafeVersionInRangeOfAllIsTaken) {
  world_.advise(osv("a", "1.2.0"));
  world_.publish("a", packument("a", {"1.0.0", "1.1.0", "1.2.0", "1.3.0", "2.0.0"}));
  const Outcome out = run(kHead + entry("a@^1.0.0", "a", "1.0.0"), R"("a":"^1.0.0")");
  EXPECT_EQ(out.copy.fate, Fate::fixed);
  EXPECT_EQ(out.copy.to, "1.2.0");
  ASSERT_EQ(out.plan.fixes.size(), 1U);
  EXPECT_EQ(out.plan.fixes[0].recipe, "yarn-relock");
  EXPECT_THAT(out.text, HasSubstr("a@^1.0.0:\n  version \"1.2.0\""));
  EXPECT_TRUE(out.plan.manifests.empty());
  options_.prefer = Prefer::highest;
  EXPECT_EQ(run(kHead + entry("a@^1.0.0", "a", "1.0.0"), R"("a":"^1.0.0")").copy.to, "1.3.0");
}

TEST_F(FlatPlan, PackageThatWouldBeAddedIsNamedAndTheNextVersionTried) {
  world_.advise(osv("a", "1.2.0"));
  world_.publish("a", packument("a", {"1.0.0", "1.2.0 z=^1.0.0"}));
  const std::string lock = kHead + entry("a@^1.0.0", "a", "1.0.0");
  Outcome out = run(lock, R"("a":"^1.0.0")");
  EXPECT_EQ(out.copy.blocker, Blocker::unsupported);
  EXPECT_EQ(out.copy.reason, "the lock has no entry for `z@^1.0.0`");
  EXPECT_EQ(out.text, lock);
  world_ = test::World();
  world_.advise(osv("a", "1.2.0"));
  world_.publish("a", packument("a", {"1.0.0", "1.2.0 z=^1.0.0", "1.2.1"}));
  EXPECT_EQ(run(lock, R"("a":"^1.0.0")").copy.to, "1.2.1");
}

TEST_F(FlatPlan, DirectBumpKeepsTheStyleAndStaysWithinTheMajor) {
  world_.advise(osv("a", "1.2.0"));
  world_.publish("a", packument("a", {"1.0.0", "1.2.0", "2.0.0"}));
  const Outcome out = run(kHead + entry("a@~1.0.0", "a", "1.0.0"), R"("a":"~1.0.0")");
  EXPECT_EQ(out.copy.strategy, Strategy::direct_bump);
  ASSERT_EQ(out.plan.manifests.size(), 1U);
  EXPECT_EQ(out.plan.manifests[0].path, "package.json");
  EXPECT_EQ(out.plan.manifests[0].asks[0].to, "~1.2.0");
  EXPECT_EQ(out.plan.fixes[0].recipe, "yarn-direct-bump");
  EXPECT_THAT(out.text, HasSubstr("a@~1.2.0:\n  version \"1.2.0\""));
}

TEST_F(FlatPlan, BreakingVersionIsHandedOn) {
  world_.advise(osv("a", "2.0.0"));
  world_.publish("a", packument("a", {"1.0.0", "2.0.0"}));
  const Outcome out = run(kHead + entry("a@^1.0.0", "a", "1.0.0"), R"("a":"^1.0.0")");
  EXPECT_EQ(out.copy.fate, Fate::handed_on);
  EXPECT_EQ(out.copy.blocker, Blocker::major);
  EXPECT_EQ(out.copy.reason, "the root asks for a `^1.0.0`, the lowest safe version is a 2.0.0");
  EXPECT_TRUE(out.plan.lock.empty());
}

TEST_F(FlatPlan, DependentIsRaisedWhereItsRangeBlocks) {
  world_.advise(osv("a", "1.2.0"));
  world_.publish("a", packument("a", {"1.0.0", "1.2.0"}));
  world_.publish("p", packument("p", {"1.0.0 a=1.0.0", "1.1.0 a=^1.2.0"}));
  const std::string lock =
      kHead + entry("a@1.0.0", "a", "1.0.0") + entry("p@^1.0.0", "p", "1.0.0", "a \"1.0.0\"");
  const Outcome out = run(lock, R"("p":"^1.0.0")");
  EXPECT_EQ(out.copy.strategy, Strategy::parent_bump);
  EXPECT_EQ(out.plan.fixes[0].recipe, "yarn-parent-bump");
  EXPECT_THAT(out.text, HasSubstr("a@^1.2.0:\n  version \"1.2.0\""));
  EXPECT_THAT(out.text, HasSubstr("p@^1.0.0:\n  version \"1.1.0\""));
  const Outcome blocked =
      run(kHead + entry("a@1.0.0", "a", "1.0.0") + entry("p@1.0.0", "p", "1.0.0", "a \"1.0.0\""),
          R"("p":"1.0.0")");
  EXPECT_EQ(blocked.copy.blocker, Blocker::range);
}

TEST_F(FlatPlan, RangeThatBlocksIsNamed) {
  world_.advise(osv("a", "2.0.0"));
  world_.publish("a", packument("a", {"1.0.0", "2.0.0"}));
  world_.publish("p", packument("p", {"1.0.0 a=^1.0.0"}));
  const Outcome out =
      run(kHead + entry("a@^1.0.0", "a", "1.0.0") + entry("p@^1.0.0", "p", "1.0.0", "a \"^1.0.0\""),
          R"("p":"^1.0.0")");
  EXPECT_EQ(out.copy.blocker, Blocker::range);
  EXPECT_EQ(out.copy.reason, "p 1.0.0 asks for a `^1.0.0`, the lowest safe version is a 2.0.0");
  EXPECT_FALSE(out.copy.considered.empty());
}

TEST_F(FlatPlan, UnknownPackagesAndMissingFixesAreSaid) {
  world_.advise(osv("a", "1.2.0"));
  const std::string lock = kHead + entry("a@^1.0.0", "a", "1.0.0");
  EXPECT_EQ(run(lock, R"("a":"^1.0.0")").copy.blocker, Blocker::registry);
  world_ = test::World();
  world_.advise(osv("a", "1.2.0"));
  world_.publish("a", packument("a", {"1.0.0", "1.1.0"}));
  const Outcome out = run(lock, R"("a":"^1.0.0")");
  EXPECT_EQ(out.copy.fate, Fate::no_fix);
  EXPECT_EQ(out.copy.blocker, Blocker::no_version);
}

TEST_F(FlatPlan, ResolutionOfTheRootIsNamedNotFoughtWith) {
  world_.advise(osv("a", "1.2.0"));
  world_.publish("a", packument("a", {"1.0.0", "1.2.0"}));
  const std::string lock =
      kHead + entry("a@1.0.0", "a", "1.0.0") + entry("p@^1.0.0", "p", "1.0.0", "a \"^1.0.0\"");
  const Outcome out = run(lock, R"("p":"^1.0.0"},"resolutions":{"a":"1.0.0")");
  EXPECT_EQ(out.copy.blocker, Blocker::override_rule);
}

const std::string kPnpm =
    "lockfileVersion: '9.0'\n\nimporters:\n\n  .:\n    dependencies:\n      p:\n"
    "        specifier: ^1.0.0\n        version: 1.0.0\n\npackages:\n\n"
    "  a@1.0.0:\n    resolution: {integrity: sha512-a==}\n\n"
    "  p@1.0.0:\n    resolution: {integrity: sha512-p==}\n\nsnapshots:\n\n"
    "  a@1.0.0: {}\n\n  p@1.0.0:\n    dependencies:\n      a: 1.0.0\n";

TEST_F(FlatPlan, RangesOfPnpmComeFromTheRegistry) {
  world_.advise(osv("a", "1.2.0"));
  world_.publish("a", packument("a", {"1.0.0", "1.2.0", "1.3.0"}));
  EXPECT_EQ(run(kPnpm, R"("p":"^1.0.0")").copy.blocker, Blocker::registry);
  world_ = test::World();
  world_.advise(osv("a", "1.2.0"));
  world_.publish("a", packument("a", {"1.0.0", "1.2.0", "1.3.0"}));
  world_.publish("p", packument("p", {"1.0.0 a=^1.0.0"}));
  const Outcome out = run(kPnpm, R"("p":"^1.0.0")");
  EXPECT_EQ(out.copy.to, "1.2.0");
  EXPECT_EQ(out.plan.fixes[0].recipe, "pnpm-relock");
  EXPECT_THAT(out.text,
              HasSubstr("  a@1.2.0: {}\n\n  p@1.0.0:\n    dependencies:\n      a: 1.2.0\n"));
}

TEST_F(FlatPlan, OverrideOfPnpmIsNoticed) {
  world_.advise(osv("a", "1.2.0"));
  world_.publish("a", packument("a", {"1.0.0", "1.2.0"}));
  world_.publish("p", packument("p", {"1.0.0 a=^0.9.0"}));
  EXPECT_EQ(run(kPnpm, R"("p":"^1.0.0")").copy.blocker, Blocker::override_rule);
}

}  // namespace
}  // namespace cg::plan
