// Plans for package-locks: each strategy, and which version it takes.
#include <gmock/gmock.h>

#include "fix/plan/npm_world.h"

namespace cg::plan {
namespace {

using Planner = test::NpmPlanning;
using test::Planned;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST_F(Planner, RelocksToTheLowestSafeVersionInRange) {
  advise("a", "1.2.0");
  publish("a", {"1.0.0", "1.1.0", "1.2.0", "1.3.0", "2.0.0"});
  const Planned out = run("a=^1.0.0", test::kDirect);
  const Copy& copy = out.at("a");
  EXPECT_EQ(copy.fate, Fate::fixed);
  EXPECT_EQ(copy.strategy, Strategy::relock);
  EXPECT_EQ(copy.from, "1.0.0");
  EXPECT_EQ(copy.to, "1.2.0");
  EXPECT_EQ(copy.reason, "every dependent's range takes it");
  ASSERT_EQ(copy.considered.size(), 1U);
  EXPECT_TRUE(copy.considered[0].chosen);
  EXPECT_EQ(copy.considered[0].target, "a 1.2.0");
  ASSERT_EQ(out.plan.fixes.size(), 1U);
  EXPECT_EQ(out.plan.fixes[0].recipe, "npm-relock");
  EXPECT_EQ(out.plan.fixes[0].from, "1.0.0");
  EXPECT_EQ(out.plan.fixes[0].to, "1.2.0");
  EXPECT_THAT(out.plan.fixes[0].touched, ElementsAre("node_modules/a"));
  EXPECT_THAT(out.plan.manifests, IsEmpty());
  EXPECT_THAT(out.plan.lock.removed, IsEmpty());
  EXPECT_THAT(out.plan.lock.reflagged, IsEmpty());
  EXPECT_THAT(out.installed, ElementsAre("node_modules/a 1.2.0"));
}

TEST_F(Planner, RelocksToTheHighestWherePolicySaysSo) {
  advise("a", "1.2.0");
  publish("a", {"1.0.0", "1.2.0", "1.3.0", "2.0.0"});
  options_.prefer = Prefer::highest;
  EXPECT_EQ(run("a=^1.0.0", test::kDirect).at("a").to, "1.3.0");
}

TEST_F(Planner, LeavesALockAloneThatHasNothingVulnerable) {
  advise("a", "1.0.0");
  publish("a", {"1.0.0", "1.2.0"});
  const Planned out = run("a=^1.0.0", {"a 1.0.0", "stale 1.0.0"});
  EXPECT_TRUE(out.plan.lock.empty());
  EXPECT_THAT(out.plan.fixes, IsEmpty());
  EXPECT_THAT(out.plan.copies, IsEmpty());
  EXPECT_EQ(out.plan.lockfile, "package-lock.json");
}

TEST_F(Planner, ClearsEveryAdvisoryNotJustTheFirst) {
  advise("a", "1.2.0");
  world_.advise(test::osv("a", "1.3.1", "1.2.0", "GHSA-bbbb-bbbb-bbbb"));
  publish("a", {"1.0.0", "1.2.0", "1.3.0", "1.3.1"});
  EXPECT_EQ(run("a=^1.0.0", test::kDirect).at("a").to, "1.3.1");
}

TEST_F(Planner, PrefersAVersionThatIsNotDeprecated) {
  advise("a", "1.2.0");
  publish("a", {"1.0.0", "1.2.0 +deprecated", "1.3.0"});
  EXPECT_EQ(run("a=^1.0.0", test::kDirect).at("a").to, "1.3.0");
  world_ = test::World();
  advise("a", "1.2.0");
  publish("a", {"1.0.0", "1.2.0 +deprecated"});
  EXPECT_EQ(run("a=^1.0.0", test::kDirect).at("a").to, "1.2.0");
}

TEST_F(Planner, TakesAPreviewOnlyWhereThereIsNothingElse) {
  advise("a", "1.2.0-rc.1");
  publish("a", {"1.0.0", "1.2.0-rc.1", "1.3.0"});
  EXPECT_EQ(run("a=^1.0.0", test::kDirect).at("a").to, "1.3.0");
  world_ = test::World();
  advise("a", "1.2.0-rc.1");
  publish("a", {"1.0.0", "1.2.0-rc.1"});
  const Planned out = run("a=^1.0.0", test::kDirect);
  EXPECT_EQ(out.at("a").strategy, Strategy::direct_bump);
  EXPECT_THAT(out.manifest, HasSubstr(R"("a":"^1.2.0-rc.1")"));
}

TEST_F(Planner, StaysOnAPreviewWhereItWasOnOne) {
  advise("a", "1.0.0-rc.2");
  publish("a", {"1.0.0-rc.1", "1.0.0-rc.2", "1.0.0"});
  EXPECT_EQ(run("a=^1.0.0-rc.1", {"a 1.0.0-rc.1"}).at("a").to, "1.0.0-rc.2");
  options_.prefer = Prefer::highest;
  EXPECT_EQ(run("a=^1.0.0-rc.1", {"a 1.0.0-rc.1"}).at("a").to, "1.0.0");
}

TEST_F(Planner, BringsWhatTheNewVersionNeeds) {
  advise("a", "1.2.0");
  publish("a", {"1.0.0", "1.2.0 z=^1.0.0"});
  publish("z", {"1.0.0", "1.1.0", "1.2.0 +deprecated", "2.0.0"});
  EXPECT_THAT(run("a=^1.0.0", test::kDirect).installed,
              ElementsAre("node_modules/a 1.2.0", "node_modules/z 1.1.0"));
}

TEST_F(Planner, BringsTheLatestOfWhatIsNeeded) {
  advise("a", "1.2.0");
  publish("a", {"1.0.0", "1.2.0 z=^1.0.0"});
  publish("z", {"1.0.0 tag:latest", "1.1.0"});
  EXPECT_THAT(run("a=^1.0.0", test::kDirect).installed,
              ElementsAre("node_modules/a 1.2.0", "node_modules/z 1.0.0"));
}

TEST_F(Planner, BringsAPreviewOnlyWhereItIsAskedFor) {
  advise("a", "1.2.0");
  publish("a", {"1.0.0", "1.2.0 y=^2.0.0-rc.1 z=*"});
  publish("y", {"1.0.0", "2.0.0-rc.1"});
  publish("z", {"1.0.0", "2.0.0-rc.1"});
  EXPECT_THAT(
      run("a=^1.0.0", test::kDirect).installed,
      ElementsAre("node_modules/a 1.2.0", "node_modules/y 2.0.0-rc.1", "node_modules/z 1.0.0"));
}

TEST_F(Planner, BringsWhatIsDeprecatedWhereThereIsNothingElse) {
  advise("a", "1.2.0");
  publish("a", {"1.0.0", "1.2.0 z=^1.0.0"});
  publish("z", {"1.0.0 tag:latest +deprecated"});
  EXPECT_THAT(run("a=^1.0.0", test::kDirect).installed,
              ElementsAre("node_modules/a 1.2.0", "node_modules/z 1.0.0"));
}

TEST_F(Planner, FixesDependentsBeforeWhatTheyNeed) {
  advise("a", "1.2.0");
  advise("v", "1.2.0");
  publish("a", {"1.0.0", "1.2.0"});
  publish("v", {"1.0.0 a=^1.0.0", "1.2.0"});
  const Planned out = run("v=^1.0.0", {"a 1.0.0", "v 1.0.0 a=^1.0.0"});
  EXPECT_EQ(out.plan.fixes.size(), 1U);
  EXPECT_EQ(out.at("a").to, "");
  EXPECT_EQ(out.at("a").fix, 1U);
}

TEST_F(Planner, BringsNothingVulnerable) {
  advise("a", "1.2.0");
  world_.advise(test::osv("z", "", "1.1.0", "GHSA-bbbb-bbbb-bbbb"));
  publish("a", {"1.0.0", "1.2.0 z=^1.0.0"});
  publish("z", {"1.0.0", "1.1.0 tag:latest"});
  EXPECT_THAT(run("a=^1.0.0", test::kDirect).installed,
              ElementsAre("node_modules/a 1.2.0", "node_modules/z 1.0.0"));
}

TEST_F(Planner, DropsWhatTheNewVersionNeedsNoMore) {
  advise("a", "1.2.0");
  publish("a", {"1.0.0 y=^1.0.0", "1.2.0"});
  const Planned out = run("a=^1.0.0", {"a 1.0.0 y=^1.0.0", "y 1.0.0"});
  EXPECT_THAT(out.plan.lock.removed, ElementsAre("node_modules/y"));
  EXPECT_THAT(out.plan.fixes[0].touched, ElementsAre("node_modules/a", "node_modules/y"));
}

TEST_F(Planner, DropsCirclesThatNobodyReachesAnyMore) {
  advise("a", "1.2.0");
  publish("a", {"1.0.0 y=^1.0.0", "1.2.0"});
  const Planned out = run("a=^1.0.0", {"a 1.0.0 y=^1.0.0", "y 1.0.0 z=^1.0.0", "z 1.0.0 y=^1.0.0"});
  EXPECT_THAT(out.installed, ElementsAre("node_modules/a 1.2.0"));
}

TEST_F(Planner, TriesTheNextVersionWhereNeedsCannotBeMet) {
  advise("a", "1.2.0");
  publish("a", {"1.0.0", "1.2.0 z=^9.0.0", "1.2.1"});
  const Planned out = run("a=^1.0.0", test::kDirect);
  EXPECT_EQ(out.at("a").to, "1.2.1");
  EXPECT_THAT(out.answers("a", Strategy::relock),
              ElementsAre("a 1.2.0: cannot get z ^9.0.0 for a 1.2.0",
                          "a 1.2.1: every dependent's range takes it"));
}

TEST_F(Planner, MarksWhatOnlyDevelopmentNeedsAfterwards) {
  advise("a", "1.2.0");
  publish("a", {"1.0.0 y=^1.0.0", "1.2.0"});
  const Planned out =
      run("a=^1.0.0 dev:d=^1.0.0", {"a 1.0.0 y=^1.0.0", "d 1.0.0 y=^1.0.0 +dev", "y 1.0.0"});
  EXPECT_EQ(out.flags, "node_modules/d dev\nnode_modules/y dev\n");
  ASSERT_EQ(out.plan.lock.reflagged.size(), 1U);
  EXPECT_EQ(out.plan.lock.reflagged[0].location, "node_modules/y");
}

TEST_F(Planner, DedupesIntoASafeCopyFurtherUp) {
  advise("a", "1.2.0");
  publish("a", {"1.0.0", "1.2.0", "1.2.1"});
  const Planned out = run("a=^1.0.0 p=^1.0.0", {"a 1.2.1", "p 1.0.0 a=^1.0.0", "p>a 1.0.0"});
  const Copy& copy = out.at("p>a");
  EXPECT_EQ(copy.strategy, Strategy::relock);
  EXPECT_EQ(copy.to, "");
  EXPECT_EQ(copy.reason, "a 1.2.1 is there already and does for everybody who asks");
  EXPECT_EQ(out.plan.fixes[0].recipe, "npm-dedupe");
  EXPECT_EQ(out.plan.fixes[0].to, "");
  EXPECT_EQ(copy.considered[0].target, "");
  EXPECT_THAT(out.installed, ElementsAre("node_modules/a 1.2.1", "node_modules/p 1.0.0"));
}

TEST_F(Planner, DoesNotDedupeIntoWhatIsNoBetter) {
  advise("a", "1.2.0");
  publish("a", {"1.0.0", "1.2.0"});
  options_.strategies = {Strategy::relock};
  const struct {
    const char* outer;
    const char* root;
  } cases[] = {
      {"a 1.1.0", "a=1.1.0 p=^1.0.0"},                                         // vulnerable
      {"a 2.0.0", "a=^2.0.0 p=^1.0.0"},                                        // out of range
      {"a 1.2.0 from:git+ssh://git@example/a.git#1", "a=example/a p=^1.0.0"},  // from elsewhere
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.outer);
    const Planned out = run(c.root, {c.outer, "p 1.0.0 a=^1.0.0", "p>a 1.0.0"});
    EXPECT_EQ(out.at("p>a").to, "1.2.0");
    EXPECT_EQ(out.plan.fixes[0].recipe, "npm-relock");
  }
}

TEST_F(Planner, DedupesOnlyWhereItMayRelock) {
  advise("a", "1.2.0");
  publish("a", {"1.0.0", "1.2.0"});
  options_.strategies = {Strategy::override_rule};
  const Planned out = run("a=^1.2.0 p=^1.0.0", {"a 1.2.0", "p 1.0.0 a=^1.0.0", "p>a 1.0.0"});
  EXPECT_NE(out.at("p>a").strategy, Strategy::relock);
}

TEST_F(Planner, RelocksACopyThatNobodyAsksFor) {
  advise("a", "1.2.0");
  publish("a", {"1.0.0", "1.2.0"});
  const Planned out = run("p=^1.0.0", {"p 1.0.0", "p>a 1.0.0"});
  EXPECT_EQ(out.at("p>a").to, "1.2.0");
}

TEST_F(Planner, KeepsTheTildeOfARange) {
  advise("a", "1.2.0");
  publish("a", {"1.0.0", "1.2.0", "2.0.0"});
  const Planned out = run("a=~1.0.0", test::kDirect);
  const Copy& copy = out.at("a");
  EXPECT_EQ(copy.strategy, Strategy::direct_bump);
  EXPECT_EQ(copy.reason, "the manifest asks for it now");
  EXPECT_EQ(out.plan.fixes[0].recipe, "npm-direct-bump");
  EXPECT_THAT(out.plan.fixes[0].touched, ElementsAre("manifest  a", "node_modules/a"));
  ASSERT_EQ(out.plan.lock.asks.size(), 1U);
  EXPECT_EQ(out.plan.lock.asks[0].from, "~1.0.0");
  EXPECT_EQ(out.plan.lock.asks[0].to, "~1.2.0");
  EXPECT_EQ(out.plan.manifests[0].path, "package.json");
  EXPECT_THAT(out.manifest, HasSubstr(R"("a":"~1.2.0")"));
  EXPECT_THAT(out.answers("a", Strategy::relock),
              ElementsAre("no safe version is in range: package.json asks for a ~1.0.0"));
}

TEST_F(Planner, BumpsADirectDependencyInItsOwnStyle) {
  advise("a", "1.2.0");
  publish("a", {"1.0.0", "1.2.0"});
  const struct {
    const char* root;
    const char* entry;
    const char* says;
  } cases[] = {
      {"a=1.0.0", "a 1.0.0", R"("a":"1.2.0")"},
      {"a=~1.0", "a 1.0.0", R"("a":"~1.2")"},
      {"dev:a=1.0.x", "a 1.0.0 +dev", R"("devDependencies":{"a":"1.2.x")"},
      {"b=npm:a@~1.0.0", "b 1.0.0 real:a", R"("b":"npm:a@~1.2.0")"},
      {"a=>=1.0.0_<1.1.0", "a 1.0.0", R"("a":"^1.2.0")"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.root);
    const Planned out = run(c.root, {c.entry});
    EXPECT_EQ(out.plan.copies[0].strategy, Strategy::direct_bump);
    EXPECT_THAT(out.manifest, HasSubstr(c.says));
  }
}

TEST_F(Planner, ChangesNoOtherRequestThanTheOneInTheWay) {
  advise("a", "1.2.0");
  publish("a", {"1.0.0", "1.2.0"});
  const Planned out = run("a=1.0.0 b=1.0.0 p=1.0.0", {"a 1.0.0", "b 1.0.0", "p 1.0.0 a=^1.0.0"});
  EXPECT_EQ(out.plan.lock.asks.size(), 1U);
  EXPECT_THAT(out.manifest, HasSubstr(R"({"a":"1.2.0","b":"1.0.0","p":"1.0.0"})"));
}

TEST_F(Planner, TreatsAMinorBeforeOneAsBreaking) {
  advise("a", "0.2.0");
  publish("a", {"0.1.0", "0.2.0"});
  EXPECT_EQ(run("a=^0.1.0", {"a 0.1.0"}).at("a").blocker, Blocker::major);
  world_ = test::World();
  advise("a", "0.1.5");
  publish("a", {"0.1.0", "0.1.5"});
  EXPECT_EQ(run("a=0.1.0", {"a 0.1.0"}).at("a").strategy, Strategy::direct_bump);
  world_ = test::World();
  advise("a", "0.0.2");
  publish("a", {"0.0.1", "0.0.2"});
  EXPECT_EQ(run("a=0.0.1", {"a 0.0.1"}).at("a").blocker, Blocker::major);
}

TEST_F(Planner, TakesATagAsARequestForAnything) {
  advise("a", "1.2.0");
  publish("a", {"1.0.0", "1.2.0 tag:latest"});
  const Planned out = run("a=latest", test::kDirect);
  EXPECT_EQ(out.at("a").strategy, Strategy::relock);
  EXPECT_THAT(out.plan.manifests, IsEmpty());
}

TEST_F(Planner, ChangesTheWorkspaceThatAsks) {
  advise("a", "1.2.0");
  publish("a", {"1.0.0", "1.2.0"});
  const Planned out =
      run("workspaces:packages/*", {"packages/w - a=~1.0.0", "w - link:packages/w", "a 1.0.0"});
  EXPECT_EQ(out.at("a").strategy, Strategy::direct_bump);
  ASSERT_EQ(out.plan.manifests.size(), 1U);
  EXPECT_EQ(out.plan.manifests[0].path, "packages/w/package.json");
  EXPECT_EQ(out.plan.manifests[0].asks[0].importer, "packages/w");
  EXPECT_THAT(out.plan.fixes[0].touched, ElementsAre("manifest packages/w a", "node_modules/a"));
}

TEST_F(Planner, FindsManifestsWhereTheLockLies) {
  advise("a", "1.2.0");
  publish("a", {"1.0.0", "1.2.0"});
  const std::string lock = resolve::test::package_lock("a=~1.0.0", test::kDirect);
  const auto graph = lockfile::read_package_lock(npm::LockKind::package_lock, lock, nullptr);
  const auto hits = findings::match_graph(*graph, world_.rules()).hits;
  const auto path = [&](const std::vector<npm::Manifest>& manifests) {
    return plan_npm({"l", *graph, manifests, hits, world_, world_, options_}).manifests[0].path;
  };
  EXPECT_EQ(path({*npm::parse_manifest("app/package.json", "{}")}), "app/package.json");
  EXPECT_EQ(path({*npm::parse_manifest("package.json", "{}")}), "package.json");
  EXPECT_EQ(path({}), "package.json");
}

TEST_F(Planner, ChangesEveryManifestThatIsInTheWay) {
  advise("a", "1.2.0");
  publish("a", {"1.0.0", "1.2.0"});
  const Planned out = run("a=1.0.0 workspaces:packages/*",
                          {"packages/v - a=^1.0.0", "v - link:packages/v", "packages/w - a=~1.0.0",
                           "w - link:packages/w", "a 1.0.0"});
  ASSERT_EQ(out.plan.manifests.size(), 2U);
  EXPECT_EQ(out.plan.manifests[0].path, "package.json");
  EXPECT_EQ(out.plan.manifests[1].path, "packages/w/package.json");
}

TEST_F(Planner, RaisesADependentWhoseRangeRefuses) {
  advise("a", "1.2.0");
  publish("a", {"1.0.0", "1.2.0"});
  publish("p", {"1.0.0 a=~1.0.0", "1.0.5 a=~1.0.0", "1.1.0 a=^1.2.0", "1.1.1 a=^1.2.0"});
  const Planned out = run("p=^1.0.0", test::kBehindP);
  const Copy& copy = out.at("a");
  EXPECT_EQ(copy.strategy, Strategy::parent_bump);
  EXPECT_EQ(copy.reason, "p 1.1.0 asks for a safe version");
  EXPECT_EQ(copy.to, "1.2.0");
  EXPECT_EQ(out.plan.fixes[0].recipe, "npm-parent-bump");
  EXPECT_EQ(out.plan.fixes[0].package, "a");
  EXPECT_THAT(out.plan.fixes[0].touched, ElementsAre("node_modules/a", "node_modules/p"));
  EXPECT_THAT(out.installed, ElementsAre("node_modules/a 1.2.0", "node_modules/p 1.1.0"));
  EXPECT_THAT(out.plan.manifests, IsEmpty());
}

TEST_F(Planner, RaisesADependentThatNeedsItNoMore) {
  advise("a", "1.2.0");
  publish("a", {"1.0.0", "1.2.0"});
  publish("p", {"1.0.0 a=~1.0.0", "1.1.0"});
  const Planned out = run("p=^1.0.0", test::kBehindP);
  EXPECT_EQ(out.at("a").strategy, Strategy::parent_bump);
  EXPECT_EQ(out.at("a").to, "");
  EXPECT_THAT(out.installed, ElementsAre("node_modules/p 1.1.0"));
}

TEST_F(Planner, RaisesADependentThatAsksUnderAnAlias) {
  advise("a", "1.2.0");
  publish("a", {"1.0.0", "1.2.0"});
  publish("p", {"1.0.0 b=npm:a@~1.0.0", "1.1.0 b=npm:c@^1.2.0", "1.2.0 b=npm:a@^1.2.0"});
  publish("c", {"1.2.0"});
  options_.strategies = {Strategy::parent_bump};
  const Planned out = run("p=^1.0.0", {"p 1.0.0 b=npm:a@~1.0.0", "b 1.0.0 real:a"});
  EXPECT_THAT(out.installed, ElementsAre("node_modules/b 1.2.0", "node_modules/p 1.2.0"));
}

TEST_F(Planner, RaisesADependentThatTheManifestPins) {
  advise("a", "1.2.0");
  publish("a", {"1.0.0", "1.2.0"});
  publish("p", {"1.0.0 a=~1.0.0", "1.1.0 a=^1.2.0"});
  const Planned out = run("p=1.0.0", test::kBehindP);
  EXPECT_EQ(out.at("a").strategy, Strategy::parent_bump);
  EXPECT_THAT(out.manifest, HasSubstr(R"("p":"1.1.0")"));
  EXPECT_THAT(out.plan.fixes[0].touched,
              ElementsAre("manifest  p", "node_modules/a", "node_modules/p"));
}

TEST_F(Planner, RaisesTheDependentAndTheManifestTogether) {
  advise("a", "1.2.0");
  publish("a", {"1.0.0", "1.2.0"});
  publish("p", {"1.0.0 a=~1.0.0", "1.1.0 a=^1.2.0"});
  const Planned out = run("a=~1.0.0 p=^1.0.0", test::kBehindP);
  EXPECT_EQ(out.at("a").strategy, Strategy::parent_bump);
  EXPECT_THAT(out.manifest, HasSubstr(R"("a":"~1.2.0","p":"^1.0.0")"));
}

TEST_F(Planner, RaisesSeveralDependentsOfOneCopy) {
  advise("a", "1.2.0");
  publish("a", {"1.0.0", "1.2.0"});
  publish("p", {"1.0.0 a=~1.0.0", "1.1.0 a=^1.2.0"});
  publish("q", {"1.0.0 a=~1.0.0", "1.1.0 a=^1.2.0"});
  const Planned out = run("p=^1.0.0 q=^1.0.0", {"p 1.0.0 a=~1.0.0", "q 1.0.0 a=~1.0.0", "a 1.0.0"});
  EXPECT_EQ(out.at("a").reason, "p 1.1.0, q 1.1.0 asks for a safe version");
  EXPECT_THAT(out.installed, testing::IsSupersetOf({"node_modules/a 1.2.0", "node_modules/p 1.1.0",
                                                    "node_modules/q 1.1.0"}));
}

TEST_F(Planner, RaisesDependentsOneAboveTheOther) {
  advise("a", "1.2.0");
  publish("a", {"1.0.0", "1.2.0"});
  publish("p", {"1.0.0 a=~1.0.0", "1.1.0 a=^1.2.0"});
  publish("g", {"1.0.0 p=~1.0.0", "1.1.0 p=^1.1.0"});
  const Planned out = run("g=^1.0.0", {"g 1.0.0 p=~1.0.0", "p 1.0.0 a=~1.0.0", "a 1.0.0"});
  EXPECT_EQ(out.at("a").strategy, Strategy::parent_bump);
  EXPECT_THAT(out.installed,
              ElementsAre("node_modules/a 1.2.0", "node_modules/g 1.1.0", "node_modules/p 1.1.0"));
}

TEST_F(Planner, LetsAnotherTierCrossAMajor) {
  advise("a", "2.0.0");
  publish("a", {"1.0.0", "2.0.0", "2.1.0", "3.0.0"});
  options_.strategies = {Strategy::relock};
  options_.targets = {{"a", "2.1.0", Strategy::callsite_rewrite}};
  const Planned out = run("a=^1.0.0", test::kDirect);
  EXPECT_EQ(out.at("a").strategy, Strategy::callsite_rewrite);
  EXPECT_EQ(out.at("a").to, "2.1.0");
  EXPECT_EQ(out.plan.fixes[0].recipe, kModelRecipe);
  EXPECT_THAT(out.manifest, HasSubstr(R"("a":"^2.1.0")"));
  options_.targets = {{"a", "", Strategy::direct_bump}};
  EXPECT_EQ(run("a=^1.0.0", test::kDirect).at("a").to, "2.0.0");
}

TEST_F(Planner, LetsAnotherTierCrossAMajorOfAParent) {
  advise("a", "2.0.0");
  publish("a", {"1.0.0", "2.0.0"});
  publish("p", {"1.0.0 a=^1.0.0", "1.1.0 a=^1.0.0", "2.0.0 a=^2.0.0", "3.0.0 a=^2.0.0"});
  options_.across_major = AcrossMajor::refuse;
  const test::Written behind_p = {"p 1.0.0 a=^1.0.0", "a 1.0.0"};
  EXPECT_EQ(run("p=^1.0.0", behind_p).at("a").blocker, Blocker::range);
  options_.targets = {{"p", "", Strategy::callsite_rewrite}};
  const Planned lowest = run("p=^1.0.0", behind_p);
  EXPECT_EQ(lowest.at("a").strategy, Strategy::parent_bump);
  EXPECT_THAT(lowest.installed, ElementsAre("node_modules/a 2.0.0", "node_modules/p 2.0.0"));
  EXPECT_THAT(lowest.manifest, HasSubstr(R"("p":"^2.0.0")"));
  options_.targets = {{"p", "3.0.0", Strategy::direct_bump}};
  EXPECT_THAT(run("p=^1.0.0", behind_p).installed,
              ElementsAre("node_modules/a 2.0.0", "node_modules/p 3.0.0"));
  options_.targets = {{"p", "1.1.0", Strategy::direct_bump}};
  EXPECT_EQ(run("p=^1.0.0", behind_p).at("a").fate, Fate::blocked);
}

TEST_F(Planner, LetsAnotherTierChooseAnOverride) {
  advise("a", "1.2.0");
  publish("a", {"1.0.0", "1.2.0", "1.3.0"});
  publish("p", {"1.0.0 a=~1.0.0", "1.1.0 a=^1.2.0"});
  options_.targets = {{"a", "1.3.0", Strategy::override_rule}};
  const Planned out = run("p=^1.0.0", test::kBehindP);
  EXPECT_EQ(out.at("a").strategy, Strategy::override_rule);
  EXPECT_THAT(out.installed, ElementsAre("node_modules/a 1.3.0", "node_modules/p 1.0.0"));
}

TEST_F(Planner, SaysWhyATargetOfAnotherTierCannotBe) {
  advise("a", "2.0.0");
  publish("a", {"1.0.0", "1.1.0", "2.0.0"});
  publish("p", {"1.0.0 a=^1.0.0"});
  options_.targets = {{"a", "1.1.0"}};
  const Planned unsafe = run("a=^1.0.0", test::kDirect);
  EXPECT_EQ(unsafe.at("a").blocker, Blocker::no_version);
  EXPECT_EQ(unsafe.at("a").fate, Fate::blocked);
  EXPECT_EQ(unsafe.at("a").reason, "a 1.1.0 is no safe version that may be chosen");
  options_.targets = {{"a", "2.0.0"}};
  const Planned out = run("a=^1.0.0 p=^1.0.0", {"p 1.0.0 a=^1.0.0", "a 1.0.0"});
  EXPECT_THAT(out.answers("a", Strategy::callsite_rewrite), ElementsAre("others refuse it"));
  EXPECT_EQ(out.at("a").blocker, Blocker::major);
}

TEST_F(Planner, UsesOnlyTheStrategiesThatMayBeUsed) {
  advise("a", "1.2.0");
  publish("a", {"1.0.0", "1.2.0"});
  publish("p", {"1.0.0 a=~1.0.0", "1.1.0 a=^1.2.0"});
  options_.strategies = {Strategy::relock, Strategy::direct_bump};
  const Planned out = run("p=^1.0.0", test::kBehindP);
  EXPECT_EQ(out.at("a").blocker, Blocker::range);
  EXPECT_THAT(out.answers("a", Strategy::parent_bump), IsEmpty());
  EXPECT_THAT(out.answers("a", Strategy::override_rule), IsEmpty());
  options_.strategies = {Strategy::override_rule};
  EXPECT_EQ(run("p=^1.0.0", test::kBehindP).at("a").strategy, Strategy::override_rule);
  options_.strategies = {Strategy::relock};
  EXPECT_EQ(run("a=~1.0.0", test::kDirect).at("a").blocker, Blocker::major);
}

}  // namespace
}  // namespace cg::plan
