// Plans at the bounds of the search and one beyond: what ends there says so.
#include <gmock/gmock.h>

#include "fix/plan/flat_world.h"
#include "fix/plan/npm_world.h"

namespace cg::plan {
namespace {

using Planner = test::NpmPlanning;
using FlatPlan = test::FlatPlanning;
using test::Outcome;
using test::Planned;
using test::Written;
using testing::Contains;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

const char* const kPassesEnded =
    "; planning ended after 6 passes, the last of which still moved something: another run may "
    "fix more";

std::string numbered(const std::string& name, int number) {
  return name + (number < 10 ? "0" : "") + std::to_string(number);
}

/// "1.2.0 …", "1.2.1 …" and so on, then one without.
Written bad_then_good(const std::string& first, int bad, const std::string& words,
                      const std::string& good = "") {
  Written out;
  for (int i = 0; i <= bad; ++i)
    out.push_back(first + std::to_string(i) + " " + (i < bad ? words : good));
  return out;
}

/// Direct dependencies, each of which can go once the next has gone: one in each pass.
Written chain_of_peers(test::World& world, int count, std::string& root) {
  Written lock;
  for (int i = 1; i <= count; ++i) {
    const std::string name = numbered("a", i);
    world.advise(test::osv(name, "1.1.0"));
    const std::string peer = i < count ? " peer:" + numbered("a", i + 1) + "=^1.1.0" : "";
    world.publish(name, resolve::test::packument(name, {"1.0.0", "1.1.0" + peer}));
    root += (root.empty() ? "" : " ") + name + "=1.0.0";
    lock.push_back(name + " 1.0.0");
  }
  return lock;
}

TEST_F(Planner, FixesWhatTwelvePassesReach) {
  std::string root;
  const Written lock = chain_of_peers(world_, 12, root);
  const Planned out = run(root, lock);
  EXPECT_EQ(out.at("a01").fate, Fate::fixed);
  EXPECT_EQ(out.plan.fixes.size(), 12U);
}

TEST_F(Planner, SaysThatPassesEndedBeforeTheWork) {
  std::string root;
  const Written lock = chain_of_peers(world_, 13, root);
  const Planned out = run(root, lock);
  EXPECT_EQ(out.at("a01").blocker, Blocker::peer);
  EXPECT_EQ(out.at("a01").reason,
            "a01 1.1.0 needs a02 ^1.1.0 for a01 1.1.0 as a peer" + std::string(kPassesEnded));
  EXPECT_EQ(out.at("a02").fate, Fate::fixed);
  EXPECT_THAT(out.at("a02").reason, Not(HasSubstr("passes")));
}

TEST_F(Planner, SaysNothingOfPassesWhereNothingMovedAnyMore) {
  advise("a", "2.0.0");
  publish("a", {"1.0.0", "2.0.0"});
  EXPECT_THAT(run("a=^1.0.0", {"a 1.0.0"}).at("a").reason, Not(HasSubstr("passes")));
}

TEST_F(Planner, RelocksToTheEighthVersionInRange) {
  advise("a", "1.2.0");
  options_.strategies = {Strategy::relock};
  publish("a", bad_then_good("1.2.", 7, "z=^9.0.0"));
  EXPECT_EQ(run("a=^1.0.0", {"a 1.0.0"}).at("a").to, "1.2.7");
  world_ = test::World();
  advise("a", "1.2.0");
  publish("a", bad_then_good("1.2.", 8, "z=^9.0.0"));
  const Planned out = run("a=^1.0.0", {"a 1.0.0"});
  EXPECT_EQ(out.at("a").blocker, Blocker::range);
  EXPECT_EQ(out.at("a").reason,
            "a 1.2.0 is in range, but what it needs cannot be had; no more than 8 versions are "
            "tried");
}

TEST_F(Planner, BumpsToTheEighthVersionOfADirectDependency) {
  advise("a", "1.2.0");
  options_.strategies = {Strategy::direct_bump};
  publish("a", bad_then_good("1.2.", 7, "z=^9.0.0"));
  EXPECT_EQ(run("a=~1.0.0", {"a 1.0.0"}).at("a").to, "1.2.7");
  world_ = test::World();
  advise("a", "1.2.0");
  publish("a", bad_then_good("1.2.", 8, "z=^9.0.0"));
  const Planned out = run("a=~1.0.0", {"a 1.0.0"});
  EXPECT_NE(out.at("a").fate, Fate::fixed);
  EXPECT_THAT(out.at("a").reason, EndsWith("; no more than 8 versions are tried"));
  EXPECT_EQ(out.answers("a", Strategy::direct_bump).size(), 8U);
}

TEST_F(Planner, LandsADependentAtTheFourthVersionTried) {
  const Written lock = {"p 1.0.0 a=~1.0.0", "a 1.0.0"};
  options_.strategies = {Strategy::parent_bump};
  const auto plan = [&](int bad) {
    world_ = test::World();
    advise("a", "1.2.0");
    publish("a", {"1.0.0", "1.2.0"});
    publish("p", bad_then_good("1.1.", bad, "a=^1.2.0 z=^9.0.0", "a=^1.2.0"));
    return run("p=^1.0.0", lock);
  };
  EXPECT_THAT(plan(3).installed, ElementsAre("node_modules/a 1.2.0", "node_modules/p 1.1.3"));
  const Planned out = plan(4);
  EXPECT_EQ(out.at("a").blocker, Blocker::range);
  EXPECT_THAT(out.at("a").reason, EndsWith("; no more than 4 versions of p are tried"));
}

TEST_F(Planner, LooksAtTheFortiethVersionOfADependent) {
  const Written lock = {"p 1.0.0 a=~1.0.0", "a 1.0.0"};
  options_.strategies = {Strategy::parent_bump};
  const auto plan = [&](int bad) {
    world_ = test::World();
    advise("a", "1.2.0");
    publish("a", {"1.0.0", "1.2.0"});
    publish("p", bad_then_good("1.1.", bad, "a=~1.0.0", "a=^1.2.0"));
    return run("p=^1.0.0", lock);
  };
  EXPECT_THAT(plan(39).installed, ElementsAre("node_modules/a 1.2.0", "node_modules/p 1.1.39"));
  const Planned out = plan(40);
  EXPECT_EQ(out.at("a").blocker, Blocker::range);
  EXPECT_THAT(out.at("a").reason, EndsWith("; no more than 40 versions of p are looked at"));
}

TEST_F(Planner, ForcesTheThirdVersionTried) {
  const Written lock = {"p 1.0.0 a=~1.0.0", "a 1.0.0"};
  options_.strategies = {Strategy::override_rule};
  for (const std::string first : {"1.2.", "2.0."}) {  // within the major, and across it
    SCOPED_TRACE(first);
    const auto plan = [&](int bad) {
      world_ = test::World();
      advise("a", first + "0");
      publish("a", bad_then_good(first, bad, "z=^9.0.0"));
      publish("p", {"1.0.0 a=~1.0.0"});
      return run("p=^1.0.0", lock);
    };
    EXPECT_EQ(plan(2).at("a").to, first + "2");
    const Planned out = plan(3);
    EXPECT_EQ(out.at("a").blocker, Blocker::range);
    EXPECT_THAT(out.at("a").reason, EndsWith("; no more than 3 versions are tried as an override"));
  }
}

TEST_F(Planner, AddsTheSixthVersionOfWhatIsNeeded) {
  const auto plan = [&](int bad) {
    world_ = test::World();
    advise("a", "1.2.0");
    publish("a", {"1.0.0", "1.2.0 z=^1.0.0"});
    Written versions = {"1.0.0"};
    for (int i = 1; i <= bad; ++i) {
      versions.push_back("1.0." + std::to_string(i) + " y=^9.0.0" +
                         (i == bad ? " tag:latest" : ""));
    }
    publish("z", versions);
    return run("a=^1.0.0", {"a 1.0.0"});
  };
  EXPECT_THAT(plan(5).installed, ElementsAre("node_modules/a 1.2.0", "node_modules/z 1.0.0"));
  const Planned out = plan(6);
  EXPECT_EQ(out.at("a").blocker, Blocker::range);
  EXPECT_EQ(out.answers("a", Strategy::relock).front(),
            "a 1.2.0: cannot get z ^1.0.0 for a 1.2.0; no more than 6 versions are tried");
}

TEST_F(Planner, AddsSixtyFourPackagesEachForTheNext) {
  const auto plan = [&](int count) {
    world_ = test::World();
    advise("a", "1.2.0");
    publish("a", {"1.0.0", "1.2.0 n01=^1.0.0"});
    for (int i = 1; i <= count; ++i) {
      publish(numbered("n", i),
              {i < count ? "1.0.0 " + numbered("n", i + 1) + "=^1.0.0" : "1.0.0"});
    }
    return run("a=^1.0.0", {"a 1.0.0"});
  };
  EXPECT_EQ(plan(64).installed.size(), 65U);
  EXPECT_EQ(plan(65).answers("a", Strategy::relock).front(),
            "a 1.2.0: cannot get n01 ^1.0.0 for a 1.2.0; more than 64 packages, each for the "
            "next, would be added");
}

TEST_F(Planner, AddsTwoHundredAndFiftySixPackages) {
  const auto plan = [&](int count) {
    world_ = test::World();
    advise("a", "1.2.0");
    std::string needs;
    for (int i = 1; i <= count; ++i) {
      needs += " " + numbered("n", i) + "=^1.0.0";
      publish(numbered("n", i), {"1.0.0"});
    }
    publish("a", {"1.0.0", "1.2.0" + needs});
    return run("a=^1.0.0", {"a 1.0.0"});
  };
  EXPECT_EQ(plan(256).installed.size(), 257U);
  EXPECT_EQ(plan(257).answers("a", Strategy::relock).front(),
            "a 1.2.0: cannot get n257 ^1.0.0 for a 1.2.0; more than 256 packages would be added");
}

TEST_F(Planner, RaisesThreeDependentsOneAboveTheOther) {
  const auto plan = [&](int count) {
    world_ = test::World();
    advise("a", "1.2.0");
    publish("a", {"1.0.0", "1.2.0"});
    Written lock = {"a 1.0.0"};
    for (int i = 1; i <= count; ++i) {
      const std::string needs = i == 1 ? "a" : numbered("p", i - 1);
      const std::string newer = i == 1 ? "^1.2.0" : "^1.1.0";
      const std::string older = " " + needs + "=~1.0.0";
      publish(numbered("p", i), {"1.0.0" + older, "1.1.0 " + needs + "=" + newer});
      lock.push_back(numbered("p", i) + " 1.0.0" + older);
    }
    return run(numbered("p", count) + "=^1.0.0", lock);
  };
  options_.strategies = {Strategy::parent_bump};
  EXPECT_EQ(plan(3).at("a").strategy, Strategy::parent_bump);
  const Planned out = plan(4);
  EXPECT_EQ(out.at("a").blocker, Blocker::range);
  EXPECT_THAT(out.answers("a", Strategy::parent_bump),
              ElementsAre("no newer dependent within reach takes a safe version; no more than 3 "
                          "one above the other are raised"));
  options_.max_parents = 4;
  EXPECT_EQ(plan(4).at("a").strategy, Strategy::parent_bump);
}

TEST_F(Planner, RaisesNoMoreEntriesThanAreWorthIt) {
  advise("a", "1.2.0");
  publish("a", {"1.0.0", "1.2.0"});
  publish("p", {"1.0.0 a=~1.0.0", "1.1.0 a=^1.2.0"});
  options_.strategies = {Strategy::parent_bump};
  options_.max_moved = 2;
  const Written lock = {"p 1.0.0 a=~1.0.0", "a 1.0.0"};
  EXPECT_EQ(run("p=^1.0.0", lock).at("a").strategy, Strategy::parent_bump);
  options_.max_moved = 1;
  const Planned out = run("p=^1.0.0", lock);
  EXPECT_EQ(out.at("a").blocker, Blocker::range);
  EXPECT_THAT(out.answers("a", Strategy::parent_bump),
              ElementsAre("would change 2 entries, more than the 1 that are worth it"));
  EXPECT_TRUE(out.plan.lock.empty());
}

TEST_F(Planner, ForcesNoMoreEntriesThanOneOverrideMay) {
  advise("a", "1.2.0");
  publish("a", {"1.0.0", "1.2.0 z=^1.0.0"});
  publish("z", {"1.0.0"});
  publish("p", {"1.0.0 a=~1.0.0"});
  const Written lock = {"p 1.0.0 a=~1.0.0", "a 1.0.0"};
  options_.max_forced = 2;
  EXPECT_EQ(run("p=^1.0.0", lock).at("a").strategy, Strategy::override_rule);
  options_.max_forced = 1;
  const Planned out = run("p=^1.0.0", lock);
  EXPECT_EQ(out.at("a").blocker, Blocker::range);
  EXPECT_THAT(out.answers("a", Strategy::override_rule),
              Contains("a 1.2.0: would change 2 entries, more than the 1 that one override may"));
  EXPECT_TRUE(out.plan.lock.empty());
  EXPECT_TRUE(out.plan.overrides.empty());
}

TEST_F(Planner, NamesNoMoreDependentsThanFitALine) {
  advise("a", "1.2.0");
  publish("a", {"1.0.0", "1.2.0"});
  std::string root;
  Written lock = {"a 1.0.0"};
  for (const char letter : {'p', 'q', 'r'}) {
    const std::string name(53, letter);  // two of "name 1.1.0" and a comma make 120
    publish(name, {"1.0.0 a=~1.0.0", "1.1.0 a=^1.2.0"});
    lock.push_back(name + " 1.0.0 a=~1.0.0");
    root += (root.empty() ? "" : " ") + name + "=^1.0.0";
  }
  EXPECT_EQ(
      run(root, lock).at("a").reason,
      std::string(53, 'p') + " 1.1.0, " + std::string(53, 'q') + " 1.1.0 asks for a safe version");
}

/// Entries each of which can move once the next has moved: one in each pass.
Outcome flat_chain(int count, test::World& world,
                   const std::function<Outcome(const std::string&, const Written&)>& run) {
  world = test::World();
  std::string root;
  Written lock;
  for (int i = 1; i <= count; ++i) {
    const std::string name = numbered("a", i);
    world.advise(test::osv(name, "1.1.0"));
    const std::string need = i < count ? " " + numbered("a", i + 1) + "=^1.1.0" : "";
    world.publish(name, resolve::test::packument(name, {"1.0.0", "1.1.0" + need}));
    root += (root.empty() ? "" : " ") + name + "=^1.0.0";
    lock.push_back(name + "@^1.0.0 1.0.0");
  }
  return run(root, lock);
}

TEST_F(FlatPlan, SaysThatPassesEndedBeforeTheWork) {
  const auto plan = [&](int count) {
    return flat_chain(count, world_, [&](const std::string& root, const Written& lock) {
      return yarn(root, lock);
    });
  };
  const Outcome within = plan(6);
  EXPECT_EQ(within.of("a01").fate, Fate::fixed);
  EXPECT_EQ(within.plan.fixes.size(), 6U);
  const Outcome out = plan(7);
  EXPECT_EQ(out.of("a01").blocker, Blocker::unsupported);
  EXPECT_EQ(out.of("a01").reason,
            "the lock has no entry for `a02@^1.1.0`" + std::string(kPassesEnded));
  EXPECT_THAT(out.of("a02").reason, Not(HasSubstr("passes")));
}

TEST_F(FlatPlan, TriesTwelveVersionsInRange) {
  const auto plan = [&](int bad, const std::string& asked) {
    world_ = test::World();
    advise("a", "1.2.0");
    publish("a", bad_then_good("1.2.", bad, "z=^9.0.0"));
    return yarn("a=" + asked, {"a@" + asked + " 1.0.0"});
  };
  for (const std::string asked : {"^1.0.0", "~1.0.0"}) {  // a relock, and a direct bump
    SCOPED_TRACE(asked);
    EXPECT_EQ(plan(11, asked).copy.to, "1.2.11");
    const Outcome out = plan(12, asked);
    EXPECT_EQ(out.copy.blocker, Blocker::unsupported);
    EXPECT_EQ(out.copy.reason,
              "the lock has no entry for `z@^9.0.0`; no more than 12 versions are tried");
  }
}

TEST_F(FlatPlan, TriesTwelveVersionsBehindADependent) {
  const auto plan = [&](int bad) {
    world_ = test::World();
    advise("a", "1.2.0");
    publish("a", bad_then_good("1.2.", bad, "z=^9.0.0"));
    publish("p", {"1.0.0 a=~1.0.0", "1.1.0 a=^1.2.0"});
    return yarn("p=^1.0.0", {"a@~1.0.0 1.0.0", "p@^1.0.0 1.0.0 a=~1.0.0"});
  };
  EXPECT_EQ(plan(11).of("a").to, "1.2.11");
  EXPECT_THAT(plan(12).of("a").reason, EndsWith("; no more than 12 versions are tried"));
}

TEST_F(FlatPlan, RaisesSixteenDependents) {
  options_.max_moved = 99;
  const auto plan = [&](int count) {
    world_ = test::World();
    advise("a", "1.2.0");
    publish("a", {"1.0.0", "1.2.0"});
    std::string root;
    Written lock = {"a@~1.0.0 1.0.0"};
    for (int i = 1; i <= count; ++i) {
      const std::string name = numbered("p", i);
      publish(name, {"1.0.0 a=~1.0.0", "1.1.0 a=^1.2.0"});
      lock.push_back(name + "@^1.0.0 1.0.0 a=~1.0.0");
      root += (root.empty() ? "" : " ") + name + "=^1.0.0";
    }
    return yarn(root, lock);
  };
  EXPECT_EQ(plan(16).of("a").strategy, Strategy::parent_bump);
  const Outcome out = plan(17);
  EXPECT_EQ(out.of("a").blocker, Blocker::range);
  EXPECT_THAT(out.of("a").reason, EndsWith("; no more than 16 dependents are raised"));
  options_.max_moved = 3;
  EXPECT_EQ(plan(3).of("a").strategy, Strategy::parent_bump);
  EXPECT_THAT(plan(4).of("a").reason, EndsWith("; no more than 3 dependents are worth raising"));
}

}  // namespace
}  // namespace cg::plan
