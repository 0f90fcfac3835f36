// Plans for package-locks: overrides that are added, edited, left alone and dropped again.
#include <gmock/gmock.h>

#include "fix/plan/npm_world.h"

namespace cg::plan {
namespace {

using Planner = test::NpmPlanning;
using test::Planned;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

using Path = std::vector<std::string>;

TEST_F(Planner, ScopesAnOverrideByNameAndRange) {
  advise("a", "1.2.0");
  publish("a", {"1.0.0", "1.2.0", "2.0.0"});
  publish("p", {"1.0.0 a=~1.0.0"});
  options_.override_days = 90;
  const Planned out = run("p=^1.0.0", test::kBehindP);
  EXPECT_EQ(out.at("a").strategy, Strategy::override_rule);
  EXPECT_EQ(out.at("a").to, "1.2.0");
  EXPECT_EQ(out.at("a").reason, "no dependent in reach asks for a safe version");
  ASSERT_EQ(out.plan.overrides.size(), 1U);
  const OverrideNote& note = out.plan.overrides[0];
  EXPECT_EQ(note.path, Path{"a@~1.0.0 || ^1.2.0"});
  EXPECT_EQ(note.value, "^1.2.0");
  EXPECT_EQ(note.reason,
            "p 1.0.0 asks for a ~1.0.0, all of which is vulnerable, and no newer release of it is "
            "within reach");
  EXPECT_EQ(note.days, 90);
  EXPECT_THAT(note.advisories, ElementsAre("GHSA-aaaa-aaaa-aaaa"));
  EXPECT_EQ(out.plan.fixes[0].recipe, "npm-override");
  EXPECT_THAT(out.plan.fixes[0].touched,
              ElementsAre("node_modules/a", "override a@~1.0.0 || ^1.2.0", "overrides"));
  EXPECT_THAT(out.manifest, HasSubstr(R"("a@~1.0.0 || ^1.2.0":"^1.2.0")"));
  EXPECT_THAT(out.plan.lock.asks, IsEmpty());
}

TEST_F(Planner, NamesOnlyTheAdvisoriesOfWhatIsForced) {
  advise("a", "1.2.0");
  world_.advise(test::osv("b", "1.2.0", "0", "GHSA-bbbb-bbbb-bbbb"));
  publish("a", {"1.0.0", "1.2.0"});
  publish("b", {"1.0.0", "1.2.0"});
  publish("p", {"1.0.0 a=~1.0.0"});
  const Planned out = run("b=^1.0.0 p=^1.0.0", {"p 1.0.0 a=~1.0.0", "a 1.0.0", "b 1.0.0"});
  ASSERT_EQ(out.plan.overrides.size(), 1U);
  EXPECT_THAT(out.plan.overrides[0].advisories, ElementsAre("GHSA-aaaa-aaaa-aaaa"));
}

TEST_F(Planner, StaysWithinTheMajorWhereItCan) {
  advise("a", "1.2.0");
  publish("a", {"1.0.0", "1.2.0", "2.0.0"});
  publish("p", {"1.0.0 a=~1.0.0"});
  options_.prefer = Prefer::highest;
  EXPECT_EQ(run("p=^1.0.0", test::kBehindP).at("a").to, "1.2.0");
}

TEST_F(Planner, SaysThatAnOverrideCrossesAMajor) {
  advise("a", "2.0.0");
  publish("a", {"1.0.0", "2.0.0"});
  publish("p", {"1.0.0 a=~1.0.0"});
  EXPECT_EQ(run("p=^1.0.0", test::kBehindP).at("a").reason,
            "no dependent in reach asks for a safe version; the override crosses a major version");
  options_.across_major = AcrossMajor::refuse;
  const Planned out = run("p=^1.0.0", test::kBehindP);
  EXPECT_EQ(out.at("a").blocker, Blocker::range);
  EXPECT_THAT(out.answers("a", Strategy::override_rule),
              ElementsAre("only across a major version, which policy refuses",
                          "no override can be written that everybody can live with"));
}

TEST_F(Planner, PinsAPreviewExactly) {
  advise("a", "1.2.0-rc.1");
  publish("a", {"1.0.0", "1.2.0-rc.1"});
  publish("p", {"1.0.0 a=~1.0.0"});
  const Planned out = run("p=^1.0.0", test::kBehindP);
  ASSERT_EQ(out.plan.overrides.size(), 1U);
  EXPECT_EQ(out.plan.overrides[0].value, "1.2.0-rc.1");
}

TEST_F(Planner, RefersToTheManifestWhereItAsksForThePackageToo) {  // trap 5
  advise("a", "1.2.0");
  publish("a", {"1.0.0", "1.2.0"});
  publish("p", {"1.0.0 a=~1.0.0"});
  const Planned out = run("a=^1.0.0 p=^1.0.0", {"a 1.2.0", "p 1.0.0 a=~1.0.0", "p>a 1.0.0"});
  ASSERT_EQ(out.plan.overrides.size(), 1U);
  EXPECT_EQ(out.plan.overrides[0].value, "$a");
}

TEST_F(Planner, KeepsApartFromARequestThatHasNothingInCommon) {
  advise("a", "1.2.0");
  publish("a", {"1.0.0", "1.2.0"});
  publish("p", {"1.0.0 a=~1.0.0"});
  const Planned out = run("a=^2.0.0 p=^1.0.0", {"a 2.0.0", "p 1.0.0 a=~1.0.0", "p>a 1.0.0"});
  ASSERT_EQ(out.plan.overrides.size(), 1U);
  EXPECT_EQ(out.plan.overrides[0].value, "^1.2.0");
}

TEST_F(Planner, DoesNotForceWhatTheManifestRefuses) {
  advise("a", "1.0.5");
  publish("a", {"1.0.0", "1.2.0"});
  publish("p", {"1.0.0 a=>=1.0.0_<1.0.5"});
  const Planned out =
      run("a=~1.0.0 p=^1.0.0", {"a 1.0.9", "p 1.0.0 a=>=1.0.0_<1.0.5", "p>a 1.0.0"});
  EXPECT_EQ(out.at("p>a").blocker, Blocker::range);
  EXPECT_THAT(out.answers("p>a", Strategy::override_rule),
              ElementsAre("a 1.2.0: package.json itself asks for a ~1.0.0",
                          "no override can be written that everybody can live with"));
}

TEST_F(Planner, ForcesTheManifestAndTheDependentTogether) {
  advise("a", "1.2.0");
  publish("a", {"1.0.0", "1.2.0"});
  publish("p", {"1.0.0 a=~1.0.0"});
  const Planned out = run("a=~1.0.0 p=^1.0.0", test::kBehindP);
  EXPECT_EQ(out.at("a").strategy, Strategy::override_rule);
  EXPECT_THAT(out.manifest, HasSubstr(R"("a":"~1.2.0")"));
  ASSERT_EQ(out.plan.overrides.size(), 1U);
  EXPECT_EQ(out.plan.overrides[0].path, Path{"a@~1.0.0 || ~1.2.0"});
  EXPECT_EQ(out.plan.overrides[0].value, "$a");
}

/// npm before 11.2 asks a rule again once it has been applied, by the value that it gave.
TEST_F(Planner, HasTheValueOfARuleInItsRange) {
  advise("a", "1.2.0");
  publish("a", {"1.0.0", "1.0.9", "1.2.0", "2.0.0"});
  publish("p", {"1.0.0 a=1.0.0"});
  const Planned out = run("p=^1.0.0", {"p 1.0.0 a=1.0.0", "a 1.0.0"});
  ASSERT_EQ(out.plan.overrides.size(), 1U);
  EXPECT_EQ(out.plan.overrides[0].path, Path{"a@1.0.0 || ^1.2.0"});
}

TEST_F(Planner, SpeaksOfThoseWhoAskForTheValueToo) {
  advise("a", "1.2.0");
  publish("a", {"1.0.0", "1.2.0"});
  publish("p", {"1.0.0 a=^1.0.0"});
  publish("q", {"1.0.0 a=1.0.0"});
  const Planned out = run("p=^1.0.0 q=^1.0.0", {"p 1.0.0 a=^1.0.0", "q 1.0.0 a=1.0.0", "a 1.0.0"});
  ASSERT_EQ(out.plan.overrides.size(), 1U);
  EXPECT_EQ(out.plan.overrides[0].path, Path{"a@1.0.0 || ^1.2.0"});
  EXPECT_EQ(out.at("a").to, "1.2.0");
}

TEST_F(Planner, DoesNotEditARuleSoThatItForgetsWhatItForces) {
  advise("a", "1.2.0");
  publish("a", {"1.0.0", "1.2.0"});
  publish("p", {"1.0.0 a=^1.0.0"});
  const test::Written lock = {"p 1.0.0 a=^1.0.0", "a 1.0.0"};
  const Planned narrow = run("p=^1.0.0", lock, R"({"a@<1.1.0":"1.0.0"})");
  EXPECT_EQ(narrow.at("a").fate, Fate::blocked);
  EXPECT_THAT(narrow.answers("a", Strategy::override_rule),
              Contains(HasSubstr("would no longer speak of what it forces")));
  const Planned wide = run("p=^1.0.0", lock, R"({"a@1":"1.0.0"})");
  EXPECT_EQ(wide.at("a").to, "1.2.0");
}

TEST_F(Planner, DoesNotForceAMajorOnTheManifest) {
  advise("a", "2.0.0");
  publish("a", {"1.0.0", "2.0.0"});
  publish("p", {"1.0.0 a=~1.0.0"});
  const Planned out = run("a=~1.0.0 p=^1.0.0", test::kBehindP);
  EXPECT_EQ(out.at("a").blocker, Blocker::major);
  EXPECT_THAT(out.plan.overrides, IsEmpty());
}

TEST_F(Planner, EditsTheRuleThatPinsTheVulnerableVersion) {  // trap 4
  advise("a", "1.2.0");
  publish("a", {"1.0.0", "1.2.0"});
  publish("p", {"1.0.0 a=^1.0.0"});
  const test::Written lock = {"p 1.0.0 a=^1.0.0", "a 1.0.0"};
  const Planned out = run("p=^1.0.0", lock, R"({"a":"1.0.0"})");
  EXPECT_EQ(out.at("a").strategy, Strategy::override_rule);
  ASSERT_EQ(out.plan.overrides.size(), 1U);
  EXPECT_EQ(out.plan.overrides[0].path, Path{"a"});
  EXPECT_EQ(out.plan.overrides[0].value, "1.2.0");
  EXPECT_EQ(out.plan.overrides[0].reason, "pinned a 1.0.0, which is vulnerable");
  EXPECT_THAT(out.manifest, HasSubstr(R"("overrides":{"a":"1.2.0"})"));
  const Planned inner = run("p=^1.0.0", lock, R"({"p":{"a":"~1.0.0"}})");
  ASSERT_EQ(inner.plan.overrides.size(), 1U);
  EXPECT_EQ(inner.plan.overrides[0].path, (Path{"p", "a"}));
  EXPECT_EQ(inner.plan.overrides[0].value, "~1.2.0");
}

TEST_F(Planner, FollowsARuleThatRefersToTheManifest) {
  advise("a", "1.2.0");
  publish("a", {"1.0.0", "1.2.0"});
  publish("p", {"1.0.0 a=^1.0.0"});
  const Planned out = run("a=1.0.0 p=^1.0.0", {"p 1.0.0 a=^1.0.0", "a 1.0.0"}, R"({"a":"$a"})");
  EXPECT_EQ(out.at("a").strategy, Strategy::direct_bump);
  EXPECT_THAT(out.manifest, HasSubstr(R"("a":"1.2.0")"));
  EXPECT_THAT(out.plan.overrides, IsEmpty());
}

TEST_F(Planner, LeavesARuleThatRefersToSomethingElse) {
  advise("a", "1.2.0");
  publish("a", {"1.0.0", "1.2.0"});
  publish("p", {"1.0.0 a=^1.0.0"});
  const Planned out =
      run("b=1.0.0 p=^1.0.0", {"p 1.0.0 a=^1.0.0", "a 1.0.0", "b 1.0.0"}, R"({"a":"$b"})");
  EXPECT_EQ(out.at("a").blocker, Blocker::override_rule);
  EXPECT_EQ(out.at("a").reason, "the override `a`: `$b` of package.json refuses a 1.2.0");
}

TEST_F(Planner, DoesNotSpeakOfAnAlias) {
  advise("a", "1.2.0");
  publish("a", {"1.0.0", "1.2.0"});
  publish("p", {"1.0.0 b=npm:a@~1.0.0"});
  const Planned out = run("p=^1.0.0", {"p 1.0.0 b=npm:a@~1.0.0", "b 1.0.0 real:a"});
  EXPECT_EQ(out.at("b").blocker, Blocker::range);
  EXPECT_EQ(out.answers("b", Strategy::override_rule).front(),
            "an override cannot speak of npm:a@~1.0.0");
}

TEST_F(Planner, MovesEveryCopyThatTheRuleSpeaksOf) {
  advise("a", "1.2.0");
  publish("a", {"1.0.0", "1.0.1", "1.2.0"});
  publish("p", {"1.0.0 a=~1.0.0"});
  publish("q", {"1.0.0 a=~1.0.0"});
  const Planned out =
      run("p=^1.0.0 q=^1.0.0", {"p 1.0.0 a=~1.0.0", "q 1.0.0 a=~1.0.0", "a 1.0.0", "q>a 1.0.1"});
  EXPECT_EQ(out.at("q>a").strategy, Strategy::override_rule);
  EXPECT_EQ(out.at("q>a").fix, 1U);
  EXPECT_EQ(out.plan.overrides.size(), 1U);
  EXPECT_EQ(out.plan.fixes.size(), 1U);
}

TEST_F(Planner, MovesOtherCopiesOnlyToWhatMayBeChosenForThem) {
  advise("a", "1.2.0");
  publish("a", {"1.0.0 +script", "1.2.0 +script", "1.2.1"});
  publish("p", {"1.0.0 a=~1.0.0"});
  publish("q", {"1.0.0 a=~1.0.0"});
  options_.new_scripts = NewScripts::refuse;
  const Planned out = run("p=^1.0.0 q=^1.0.0", {"p 1.0.0 a=~1.0.0", "p>a 1.0.0 +script",
                                                "q 1.0.0 a=~1.0.0", "q>a 1.0.0"});
  EXPECT_EQ(out.at("p>a").to, "1.2.0");
  EXPECT_EQ(out.at("q>a").to, "1.2.1");
}

TEST_F(Planner, GivesUpWhereAnotherCopyCannotFollow) {
  advise("a", "1.2.0");
  publish("a", {"1.0.0", "1.2.0 peer:h=^1.0.0"});
  publish("p", {"1.0.0 a=~1.0.0"});
  publish("q", {"1.0.0 a=~1.0.0"});
  publish("h", {"1.0.0"});
  // Beside q there is another h that is pinned: what q has cannot follow the rule.
  const Planned out =
      run("h=1.0.0 p=^1.0.0 q=^1.0.0", {"h 1.0.0", "p 1.0.0 a=~1.0.0", "a 1.0.0",
                                        "q 1.0.0 a=~1.0.0 h=0.9.0", "q>a 1.0.0", "q>h 0.9.0"});
  EXPECT_NE(out.at("a").fate, Fate::fixed);
  EXPECT_THAT(out.plan.overrides, IsEmpty());
  EXPECT_THAT(out.manifest, Not(HasSubstr("overrides")));
}

TEST_F(Planner, SaysThatARuleOfThisPlanAsksForIt) {
  advise("a", "1.2.0");
  world_.advise(test::osv("a", "1.3.5", "1.3.0", "GHSA-bbbb-bbbb-bbbb"));
  publish("a", {"1.0.0", "1.2.0", "1.3.0", "1.3.5"});
  publish("p", {"1.0.0 a=~1.0.0"});
  publish("q", {"1.0.0 a=>=1.0.0_<=1.3.0"});
  const Planned out = run("p=^1.0.0 q=^1.0.0", {"p 1.0.0 a=~1.0.0", "p>a 1.0.0",
                                                "q 1.0.0 a=>=1.0.0_<=1.3.0", "q>a 1.3.0"});
  EXPECT_EQ(out.at("q>a").strategy, Strategy::override_rule);
  EXPECT_EQ(out.at("q>a").reason, "an override of this plan asks for it");
  EXPECT_EQ(out.at("q>a").to, "1.3.5");
  EXPECT_EQ(out.plan.fixes[out.at("q>a").fix - 1].recipe, "npm-override");
}

TEST_F(Planner, DropsAnOverrideThatNothingNeedsAnyMore) {  // trap 11
  advise("a", "1.2.0");
  publish("a", {"1.0.0", "1.2.0"});
  noted_ = {{"a"}};
  const test::Written lock = {"p 1.0.0 a=^1.0.0", "a 1.2.0"};
  const Planned out = run("p=^1.0.0", lock, R"({"a":"1.2.0","b":"1.0.0"})");
  EXPECT_THAT(out.plan.redundant, ElementsAre(Path{"a"}));
  EXPECT_THAT(out.manifest, HasSubstr(R"("overrides":{"b":"1.0.0"})"));
  EXPECT_THAT(out.plan.fixes, IsEmpty());
  noted_.clear();
  EXPECT_THAT(run("p=^1.0.0", lock, R"({"a":"1.2.0"})").plan.redundant, IsEmpty());
}

TEST_F(Planner, KeepsAnOverrideThatIsStillNeeded) {
  advise("a", "1.2.0");
  publish("a", {"1.0.0", "1.2.0"});
  noted_ = {{"a"}};
  // Out of range without it.
  EXPECT_THAT(run("p=^1.0.0", {"p 1.0.0 a=~1.0.0", "a 1.2.0"}, R"({"a":"1.2.0"})").plan.redundant,
              IsEmpty());
  // What it gives is itself vulnerable, and was edited just now.
  publish("p", {"1.0.0 a=^1.0.0"});
  const Planned edited = run("p=^1.0.0", {"p 1.0.0 a=^1.0.0", "a 1.0.0"}, R"({"a":"1.0.0"})");
  EXPECT_THAT(edited.plan.redundant, IsEmpty());
  EXPECT_EQ(edited.plan.overrides.size(), 1U);
  // What it gives is vulnerable, and cannot be fixed.
  world_ = test::World();
  advise("a", "1.2.0");
  EXPECT_THAT(run("p=^1.0.0", {"p 1.0.0 a=^1.0.0", "a 1.0.0"}, R"({"a":"1.0.0"})").plan.redundant,
              IsEmpty());
}

TEST_F(Planner, PassesOverANotedOverrideThatIsNotThere) {
  noted_ = {{"gone"}};
  EXPECT_THAT(run("p=^1.0.0", {"p 1.0.0"}, R"({"a":"1.2.0"})").plan.redundant, IsEmpty());
}

}  // namespace
}  // namespace cg::plan
