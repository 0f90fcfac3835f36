// Plans for package-locks: what stands in the way is named, and by what.
#include <gmock/gmock.h>

#include "fix/plan/npm_world.h"

namespace cg::plan {
namespace {

using Planner = test::NpmPlanning;
using test::Planned;
using testing::Contains;
using testing::ElementsAre;
using testing::EndsWith;
using testing::IsEmpty;

const std::vector<Strategy> kNoOverride = {Strategy::relock, Strategy::direct_bump,
                                           Strategy::parent_bump};

TEST_F(Planner, NamesTheRangeThatRefuses) {
  advise("a", "1.2.0");
  publish("a", {"1.0.0", "1.2.0"});
  publish("p", {"1.0.0 a=~1.0.0", "1.1.0 a=~1.0.0", "2.0.0 a=^1.2.0"});
  options_.strategies = kNoOverride;
  const Planned out = run("p=^1.0.0", test::kBehindP);
  EXPECT_EQ(out.at("a").fate, Fate::blocked);
  EXPECT_EQ(out.at("a").blocker, Blocker::range);
  EXPECT_EQ(out.at("a").reason, "p 1.0.0 asks for a ~1.0.0, the lowest safe version is a 1.2.0");
  EXPECT_THAT(out.answers("a", Strategy::parent_bump),
              ElementsAre("no newer dependent within reach takes a safe version"));
  EXPECT_TRUE(out.plan.lock.empty());
  EXPECT_THAT(out.plan.manifests, IsEmpty());
}

TEST_F(Planner, NamesWhatIsInRangeButCannotBeHad) {
  advise("a", "1.2.0");
  publish("a", {"1.0.0", "1.2.0 z=^9.0.0"});
  publish("p", {"1.0.0 a=^1.0.0"});
  const Planned out = run("p=^1.0.0", {"p 1.0.0 a=^1.0.0", "a 1.0.0"});
  EXPECT_EQ(out.at("a").blocker, Blocker::range);
  EXPECT_EQ(out.at("a").reason, "a 1.2.0 is in range, but what it needs cannot be had");
  EXPECT_THAT(out.answers("a", Strategy::parent_bump),
              ElementsAre("raising dependents does not free the copy"));
}

TEST_F(Planner, NamesTheOverrideThatRefuses) {
  advise("a", "1.2.0");
  publish("a", {"1.0.0", "1.2.0"});
  publish("p", {"1.0.0 a=^1.0.0"});
  options_.strategies = kNoOverride;
  const Planned out = run("p=^1.0.0", {"p 1.0.0 a=^1.0.0", "a 1.0.0"}, R"({"p":{"a":"1.0.0"}})");
  EXPECT_EQ(out.at("a").blocker, Blocker::override_rule);
  EXPECT_EQ(out.at("a").reason, "the override `a`: `1.0.0` of package.json refuses a 1.2.0");
}

TEST_F(Planner, NamesThePackageThatCarriesItInside) {
  advise("a", "1.2.0");
  publish("a", {"1.0.0", "1.2.0"});
  publish("p", {"1.0.0 a=^1.0.0 bundle:a", "1.1.0 a=^1.0.0 bundle:a"});
  const Planned out = run("p=^1.0.0", {"p 1.0.0 a=^1.0.0 bundle:a", "p>a 1.0.0 +bundled"});
  EXPECT_EQ(out.at("p>a").blocker, Blocker::bundled);
  EXPECT_EQ(out.at("p>a").reason,
            "inside the package of p 1.0.0; only a release of that one that carries nothing "
            "vulnerable can change it");
  EXPECT_THAT(out.answers("p>a", Strategy::parent_bump),
              ElementsAre("no newer p within reach is known to carry nothing inside"));
}

TEST_F(Planner, ReplacesAPackageThatCarriesItInside) {
  advise("a", "1.2.0");
  publish("a", {"1.0.0", "1.2.0"});
  publish("p", {"1.0.0 b=^1.0.0 bundle:b", "1.1.0 a=^1.0.0"});
  const test::Written lock = {"p 1.0.0 b=^1.0.0 bundle:b", "p>b 1.0.0 a=^1.0.0 +bundled",
                              "p>b>a 1.0.0 +bundled"};
  const Planned out = run("p=^1.0.0", lock);
  EXPECT_EQ(out.at("p>b>a").strategy, Strategy::parent_bump);
  EXPECT_EQ(out.at("p>b>a").reason, "p 1.0.0 carried it inside; p 1.1.0 carries nothing");
  EXPECT_THAT(out.installed, ElementsAre("node_modules/a 1.2.0", "node_modules/p 1.1.0"));
  options_.strategies = {Strategy::relock, Strategy::direct_bump};
  EXPECT_EQ(run("p=^1.0.0", lock).at("p>b>a").blocker, Blocker::bundled);
}

TEST_F(Planner, RaisesNothingThatLiesInsideAnotherPackage) {
  advise("a", "1.2.0");
  publish("a", {"1.0.0", "1.2.0"});
  publish("b", {"1.0.0 a=~1.0.0", "1.1.0 a=^1.2.0"});
  options_.strategies = {Strategy::parent_bump};
  const Planned out =
      run("p=^1.0.0", {"p 1.0.0 b=^1.0.0 bundle:b", "p>b 1.0.0 a=~1.0.0 +bundled", "a 1.0.0"});
  EXPECT_EQ(out.at("a").blocker, Blocker::range);
}

TEST_F(Planner, RaisesNothingWhoseVersionIsNotKnown) {
  advise("a", "1.2.0");
  publish("a", {"1.0.0", "1.2.0"});
  publish("q", {"1.0.0 a=~1.0.0", "1.1.0 a=^1.2.0"});
  options_.strategies = {Strategy::parent_bump};
  EXPECT_EQ(run("q=^1.0.0", {"q - a=~1.0.0", "a 1.0.0"}).at("a").blocker, Blocker::range);
}

TEST_F(Planner, TakesWhatTheRootBundlesForAnyOther) {
  advise("a", "1.2.0");
  publish("a", {"1.0.0", "1.2.0"});
  EXPECT_EQ(run("a=^1.0.0 bundle:a", {"a 1.0.0 +bundled"}).at("a").strategy, Strategy::relock);
}

TEST_F(Planner, NamesTheShrinkwrapThatDictates) {
  advise("a", "1.2.0");
  publish("a", {"1.0.0", "1.2.0"});
  const Planned out =
      run("p=^1.0.0", {"p 1.0.0 b=^1.0.0 +shrinkwrap", "p>b 1.0.0 a=^1.0.0", "p>b>a 1.0.0"});
  EXPECT_EQ(out.at("p>b>a").blocker, Blocker::shrinkwrap);
  EXPECT_EQ(out.at("p>b>a").reason, "dictated by the shrinkwrap of p 1.0.0");
}

TEST_F(Planner, ChoosesNoVersionThatCarriesOthersInside) {
  const struct {
    const char* version;
    Blocker blocker;
  } cases[] = {{"1.2.0 z=^1.0.0 bundle:z", Blocker::bundled},
               {"1.2.0 +shrinkwrap", Blocker::shrinkwrap}};
  for (const auto& c : cases) {
    SCOPED_TRACE(c.version);
    world_ = test::World();
    advise("a", "1.2.0");
    publish("a", {"1.0.0", c.version});
    publish("z", {"1.0.0"});
    const Planned out = run("a=^1.0.0", test::kDirect);
    EXPECT_EQ(out.at("a").blocker, c.blocker);
    EXPECT_EQ(out.at("a").fate, Fate::blocked);
    EXPECT_EQ(out.at("a").reason, "a 1.2.0 carries other packages inside its own");
  }
}

TEST_F(Planner, NamesThePeerThatIsNotThere) {
  advise("a", "1.2.0");
  publish("a", {"1.0.0", "1.2.0 peer:h=^2.0.0"});
  publish("h", {"1.0.0", "2.0.0"});
  const Planned out = run("a=^1.0.0 h=1.0.0", {"a 1.0.0", "h 1.0.0"});
  EXPECT_EQ(out.at("a").blocker, Blocker::peer);
  EXPECT_EQ(out.at("a").reason, "a 1.2.0 needs h ^2.0.0 for a 1.2.0 as a peer");
  EXPECT_EQ(out.answers("a", Strategy::relock).front(),
            "a 1.2.0: a peer dependency is not met: h ^2.0.0 for a 1.2.0");
}

TEST_F(Planner, NamesThePeerThatWouldBeForced) {  // trap 21
  advise("a", "1.2.0");
  publish("a", {"1.0.0", "1.2.0"});
  publish("p", {"1.0.0 peer:a=~1.0.0"});
  const Planned out = run("a=^1.0.0 p=^1.0.0", {"a 1.0.0", "p 1.0.0 peer:a=~1.0.0"});
  EXPECT_EQ(out.at("a").blocker, Blocker::peer);
  EXPECT_EQ(out.at("a").reason,
            "p 1.0.0 asks for a ~1.0.0 as a peer, the lowest safe version is a 1.2.0");
  EXPECT_THAT(out.plan.overrides, IsEmpty());
}

TEST_F(Planner, NamesTheEngineThatIsNotThere) {
  advise("a", "1.2.0");
  publish("a", {"1.0.0", "1.2.0 engine:node=>=18", "1.2.1 engine:node=>=20"});
  const Planned any = run("a=^1.0.0", test::kDirect);
  EXPECT_EQ(any.at("a").to, "1.2.0");
  options_.node = *semver::Range::parse("14.x");
  const Planned out = run("a=^1.0.0", test::kDirect);
  EXPECT_EQ(out.at("a").blocker, Blocker::engine);
  EXPECT_EQ(out.at("a").reason,
            "a 1.2.0 needs node >=18.0.0, and this repository runs on >=14.0.0 <15.0.0: 14 would "
            "be left out");
  options_.node = *semver::Range::parse(">=18");
  EXPECT_EQ(run("a=^1.0.0", test::kDirect).at("a").to, "1.2.0");
}

TEST_F(Planner, LosesNoNodeThatTheRepositoryNames) {
  advise("a", "1.2.0");
  publish("a", {"1.0.0 engine:node=>=12", "1.2.0 engine:node=>=18.17"});
  options_.node = *semver::Range::parse(">=18");
  const Planned out = run("a=^1.0.0", test::kDirect);
  EXPECT_EQ(out.at("a").blocker, Blocker::engine);
  EXPECT_EQ(out.at("a").reason,
            "a 1.2.0 needs node >=18.17.0, and this repository runs on >=18.0.0: 18.0 to 18.16 "
            "would be left out");
  options_.node = *semver::Range::parse(">=20");
  EXPECT_EQ(run("a=^1.0.0", test::kDirect).at("a").to, "1.2.0");
}

TEST_F(Planner, MayLeaveOutTheNodesThatAreLeftOutAlready) {
  advise("a", "1.2.0");
  options_.node = *semver::Range::parse(">=14");
  publish("a", {"1.0.0 engine:node=>=18", "1.2.0 engine:node=>=18"});
  EXPECT_EQ(run("a=^1.0.0", test::kDirect).at("a").to, "1.2.0");
  world_ = test::World();
  advise("a", "1.2.0");
  publish("a", {"1.0.0 engine:node=>=18", "1.2.0 engine:node=>=20"});
  EXPECT_EQ(run("a=^1.0.0", test::kDirect).at("a").blocker, Blocker::engine);
}

TEST_F(Planner, SaysWhichSafeVersionNeedsAnotherNode) {
  advise("a", "1.2.0");
  publish("a", {"1.0.0", "1.2.0 engine:node=>=20", "2.0.0"});
  options_.node = *semver::Range::parse(">=18");
  const Planned out = run("a=^1.0.0", test::kDirect);
  EXPECT_EQ(out.at("a").blocker, Blocker::major);
  EXPECT_THAT(out.at("a").reason,
              EndsWith("; a 1.2.0 needs node >=20.0.0, and this repository runs on >=18.0.0: 18 "
                       "would be left out"));
}

TEST_F(Planner, BringsInNothingThatLosesANode) {
  advise("a", "1.2.0");
  publish("a", {"1.0.0", "1.2.0 b=^1.0.0"});
  publish("b", {"1.0.0 engine:node=>=14", "1.1.0 engine:node=>=20"});
  options_.node = *semver::Range::parse(">=18");
  const Planned out = run("a=^1.0.0", test::kDirect);
  EXPECT_THAT(out.installed, Contains("node_modules/b 1.0.0"));
  options_.node = *semver::Range::parse(">=12");
  EXPECT_EQ(run("a=^1.0.0", test::kDirect).at("a").fate, Fate::blocked);
}

TEST_F(Planner, PrefersWhatRunsOnTheOldestNode) {
  advise("a", "1.2.0");
  publish("a",
          {"1.0.0", "1.2.0 engine:node=>=18", "1.2.1 engine:npm=>=99", "1.2.2 engine:node=>=14"});
  options_.node = *semver::Range::parse(">=14");
  EXPECT_EQ(run("a=^1.0.0", test::kDirect).at("a").to, "1.2.1");
  world_ = test::World();
  advise("a", "1.2.0");
  publish("a", {"1.0.0", "1.2.0 engine:node=>=18", "1.2.2 engine:node=>=14"});
  EXPECT_EQ(run("a=^1.0.0", test::kDirect).at("a").to, "1.2.2");
  world_ = test::World();
  advise("a", "1.2.0");
  publish("a", {"1.0.0", "1.2.0 engine:node=>=18", "1.2.2 engine:node=no_version"});
  EXPECT_EQ(run("a=^1.0.0", test::kDirect).at("a").to, "1.2.2");
}

TEST_F(Planner, WaitsUntilAVersionIsOldEnough) {
  advise("a", "1.2.0");
  publish("a", {"1.0.0", "1.2.0 at:2024-01-10"});
  options_.cooldown_days = 7;
  const auto on = [&](const char* day) {
    options_.now = *parse_date(day);
    return run("a=^1.0.0", test::kDirect).at("a");
  };
  EXPECT_EQ(on("2024-01-16").blocker, Blocker::policy);
  EXPECT_EQ(on("2024-01-16").reason, "policy does not allow a 1.2.0 yet");
  EXPECT_EQ(on("2024-01-17").fate, Fate::fixed);
  options_.cooldown_days = 0;
  EXPECT_EQ(on("2024-01-10").fate, Fate::fixed);
  EXPECT_EQ(on("2024-01-09").fate, Fate::fixed);  // clocks differ
}

TEST_F(Planner, TakesAVersionWhoseAgeIsNotKnown) {
  advise("a", "1.2.0");
  publish("a", {"1.0.0", "1.2.0"});
  options_.cooldown_days = 7;
  EXPECT_EQ(run("a=^1.0.0", test::kDirect).at("a").fate, Fate::fixed);
}

TEST_F(Planner, BringsNoInstallScriptWherePolicyRefuses) {
  advise("a", "1.2.0");
  publish("a", {"1.0.0", "1.2.0 +script"});
  EXPECT_EQ(run("a=^1.0.0", test::kDirect).at("a").fate, Fate::fixed);
  options_.new_scripts = NewScripts::refuse;
  EXPECT_EQ(run("a=^1.0.0", test::kDirect).at("a").blocker, Blocker::policy);
  EXPECT_EQ(run("a=^1.0.0", {"a 1.0.0 +script"}).at("a").fate, Fate::fixed);
}

TEST_F(Planner, NamesTheFirstReasonOfSeveral) {
  advise("a", "1.2.0");
  publish("a", {"1.0.0", "1.2.0 +script", "1.2.1 +shrinkwrap"});
  options_.new_scripts = NewScripts::refuse;
  EXPECT_EQ(run("a=^1.0.0", test::kDirect).at("a").blocker, Blocker::policy);
}

TEST_F(Planner, ChoosesNothingWhereThereIsNoVersionToChoose) {
  advise("a", "1.2.0");
  publish("a", {"1.0.0", "1.2.0"});
  const struct {
    const char* root;
    const char* entry;
    const char* reason;
  } cases[] = {
      {"a=example/a", "a 1.0.0 from:git+ssh://git@example/a.git#1",
       "comes from git: there is no version to choose"},
      {"a=https://registry.example/a.tgz", "a 1.0.0 from:https://registry.example/a.tgz",
       "comes from a URL of its own: there is no version to choose"},
      {"a=https://registry.example/a.tgz", "a 1.0.0",
       "package.json asks for a https://registry.example/a.tgz, which is no version"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.reason);
    const Planned out = run(c.root, {c.entry});
    EXPECT_EQ(out.at("a").blocker, Blocker::source);
    EXPECT_EQ(out.at("a").reason, c.reason);
  }
}

TEST_F(Planner, SaysWhetherOnlyGoingBackWouldHelp) {
  advise("a", "", "1.0.0");
  publish("a", {"0.9.0", "1.0.0", "1.1.0"});
  const Planned down = run("a=*", test::kDirect);
  EXPECT_EQ(down.at("a").fate, Fate::no_fix);
  EXPECT_EQ(down.at("a").blocker, Blocker::no_version);
  EXPECT_EQ(down.at("a").reason,
            "no newer version of a is safe; going back to an older one is not done");
  world_ = test::World();
  advise("a", "");
  publish("a", {"0.9.0", "1.0.0", "1.1.0"});
  EXPECT_EQ(run("a=*", test::kDirect).at("a").reason, "no published version of a is safe");
  world_ = test::World();
  advise("a", "");
  publish("a", {"0.9.0"});  // what is installed was taken back
  EXPECT_EQ(run("a=*", test::kDirect).at("a").reason, "no published version of a is safe");
}

TEST_F(Planner, HandsOnWhatOnlyABreakingVersionFixes) {
  advise("a", "2.0.0");
  publish("a", {"1.0.0", "2.0.0", "3.0.0"});
  const Planned out = run("a=^1.0.0", test::kDirect);
  EXPECT_EQ(out.at("a").fate, Fate::handed_on);
  EXPECT_EQ(out.at("a").blocker, Blocker::major);
  EXPECT_EQ(out.at("a").reason,
            "major bump needed: package.json asks for a ^1.0.0, the lowest safe version is a "
            "2.0.0");
  EXPECT_THAT(out.answers("a", Strategy::direct_bump),
              ElementsAre("not without a breaking change, or others refuse it"));
  EXPECT_TRUE(out.plan.lock.empty());
}

TEST_F(Planner, NamesTheWorkspaceThatAsksForABreakingVersion) {
  advise("a", "2.0.0");
  publish("a", {"1.0.0", "2.0.0"});
  const Planned out =
      run("workspaces:packages/*", {"packages/w - a=^1.0.0", "w - link:packages/w", "a 1.0.0"});
  EXPECT_EQ(out.at("a").reason,
            "major bump needed: packages/w/package.json asks for a ^1.0.0, the lowest safe "
            "version is a 2.0.0");
}

TEST_F(Planner, NeverUpgradesMalware) {
  advise("a", "1.2.0");
  publish("a", {"1.0.0", "1.2.0"});
  malware_ = true;
  const Planned out = run("a=^1.0.0", test::kDirect);
  EXPECT_EQ(out.at("a").fate, Fate::handed_on);
  EXPECT_EQ(out.at("a").blocker, Blocker::malware);
  EXPECT_EQ(out.at("a").reason, "malware: no version of it is to be trusted, it has to be removed");
  EXPECT_TRUE(out.plan.lock.empty());
}

TEST_F(Planner, SaysThatTheRegistryWasNotReached) {
  advise("a", "1.2.0");
  const Planned out = run("a=^1.0.0", test::kDirect);
  EXPECT_EQ(out.at("a").blocker, Blocker::registry);
  EXPECT_EQ(out.at("a").reason, "the registry's versions of a are not to be had");
  EXPECT_EQ(world_.missing, 1U);
}

TEST_F(Planner, ChoosesNothingThatTheGatesTurnedDown) {
  advise("a", "1.2.0");
  publish("a", {"1.0.0", "1.2.0", "1.2.1"});
  options_.tried = {{"a", "1.2.0"}, {"b", "1.2.1"}};
  EXPECT_EQ(run("a=^1.0.0", test::kDirect).at("a").to, "1.2.1");
  options_.tried = {{"a", "1.2.0"}, {"a", "1.2.1"}};
  EXPECT_EQ(run("a=^1.0.0", test::kDirect).at("a").blocker, Blocker::gates);
}

TEST(Words, EveryBlockerHasItsOwn) {
  const std::map<Blocker, std::string_view> words = {{Blocker::none, "none"},
                                                     {Blocker::range, "range"},
                                                     {Blocker::override_rule, "override"},
                                                     {Blocker::bundled, "bundled"},
                                                     {Blocker::shrinkwrap, "shrinkwrap"},
                                                     {Blocker::peer, "peer"},
                                                     {Blocker::engine, "engine"},
                                                     {Blocker::policy, "policy"},
                                                     {Blocker::source, "source"},
                                                     {Blocker::no_version, "no_version"},
                                                     {Blocker::major, "major"},
                                                     {Blocker::malware, "malware"},
                                                     {Blocker::unsupported, "unsupported"},
                                                     {Blocker::registry, "registry"},
                                                     {Blocker::ignored, "ignored"},
                                                     {Blocker::gates, "gates"}};
  for (const auto& [blocker, word] : words) EXPECT_EQ(name(blocker), word);
}

TEST(Words, EveryStrategyAndVerdictHasItsOwn) {
  EXPECT_EQ(name(Strategy::relock), "relock");
  EXPECT_EQ(name(Strategy::direct_bump), "direct_bump");
  EXPECT_EQ(name(Strategy::parent_bump), "parent_bump");
  EXPECT_EQ(name(Strategy::override_rule), "override");
  EXPECT_EQ(name(Strategy::callsite_rewrite), "callsite_rewrite");
  EXPECT_EQ(name(Fate::fixed), "fixed");
  EXPECT_EQ(name(Fate::blocked), "blocked");
  EXPECT_EQ(name(Fate::no_fix), "no_fix");
  EXPECT_EQ(name(Fate::handed_on), "handed_on");
}

}  // namespace
}  // namespace cg::plan
