// What is loaded, how answers are read, and what the gate says to them.
#include "prove/gate/load.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "npm/lockfile/lock.h"
#include "prove/gate/run_trial.h"
#include "prove/gate/samples.h"
#include "prove/gate/scripted.h"

namespace cg::gate {
namespace {

using test::comparison_sample;
using test::signal_of;
using test::trial_sample;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

/// `packages` are members of the lock's object.
npm::Graph lock(const std::string& packages) {
  auto graph = lockfile::read_lock(
      npm::LockKind::package_lock,
      R"({"name": "app", "version": "1.0.0", "lockfileVersion": 3, "packages": {)" + packages +
          "}}",
      {});
  EXPECT_TRUE(graph);
  return *std::move(graph);
}

std::string entry(const std::string& place, const std::string& version,
                  const std::string& needs = "") {
  return ", \"" + place + R"(": {"version": ")" + version +
         R"(", "resolved": "https://registry.example/x.tgz", "integrity": "sha512-AAAA")" +
         (needs.empty() ? "" : R"(, "dependencies": {)" + needs + "}") + "}";
}
const std::string kRoot =
    R"("": {"name": "app", "version": "1.0.0", "dependencies": {"request": "^2.0.0"}})";

npm::Graph with_uuid(const std::string& version, const std::string& range = "^3.3.2") {
  return lock(kRoot + entry("node_modules/request", "2.88.2", R"("uuid": ")" + range + "\"") +
              entry("node_modules/uuid", version));
}

/// "request uuid 3.4.0 14.0.0"
std::vector<std::string> moves(const npm::Graph& before, const npm::Graph& after) {
  std::vector<std::string> out;
  for (const Moved& one : moved_between(before, after)) {
    out.push_back(
        std::string(after.node(one.dependent).name) + " " + one.name + " " +
        (one.before == npm::kNoNode ? "-" : std::string(before.node(one.before).version)) + " " +
        std::string(after.node(one.dependency).version));
  }
  return out;
}

TEST(MovedBetween, TellsBreakingVersionsAndForcedOnes) {
  EXPECT_THAT(moves(with_uuid("3.4.0"), with_uuid("14.0.0")),
              ElementsAre("request uuid 3.4.0 14.0.0"));
  EXPECT_THAT(moves(with_uuid("3.4.0"), with_uuid("3.4.1")), IsEmpty());
  EXPECT_THAT(moves(with_uuid("3.4.0", "~3.4.0"), with_uuid("3.5.0", "~3.4.0")),
              ElementsAre("request uuid 3.4.0 3.5.0"))
      << "no breaking version, but not what it asks for";
  EXPECT_THAT(moves(with_uuid("0.3.0", "*"), with_uuid("0.4.0", "*")),
              ElementsAre("request uuid 0.3.0 0.4.0"));
  EXPECT_THAT(moves(with_uuid("14.0.0"), with_uuid("14.0.0")), IsEmpty())
      << "forced already at the base";
  EXPECT_THAT(moves(with_uuid("14.0.0"), with_uuid("3.4.0")),
              ElementsAre("request uuid 14.0.0 3.4.0"));
}

TEST(MovedBetween, FollowsAPackageThatMovedToAnotherPlace) {
  const npm::Graph before =
      lock(kRoot + entry("node_modules/request", "2.88.2", R"("uuid": "^3.3.2")") +
           entry("node_modules/request/node_modules/uuid", "3.4.0") +
           entry("node_modules/uuid", "8.0.0"));
  const npm::Graph after = with_uuid("8.0.0");
  EXPECT_THAT(moves(before, after), ElementsAre("request uuid 3.4.0 8.0.0"));
  const Loading loading = targets_of(moved_between(before, after), before, after);
  EXPECT_THAT(loading.targets,
              ElementsAre(LoadTarget{"node_modules/request", "node_modules/request"},
                          LoadTarget{"node_modules/request/node_modules/uuid", "node_modules/uuid",
                                     LoadTarget::Role::moved}));
  EXPECT_THAT(loading.unchecked, IsEmpty());
}

TEST(TargetsOf, AreBoundedAndOfLocksThatKnowPlaces) {
  std::string before = kRoot;
  std::string after = kRoot;
  for (int i = 0; i < 40; ++i) {
    const std::string place = "node_modules/p" + std::to_string(i);
    before += entry(place, "1.0.0", R"("uuid": "*")");
    after += entry(place, "1.0.0", R"("uuid": "*")");
  }
  const npm::Graph old = lock(before + entry("node_modules/uuid", "3.0.0"));
  const npm::Graph now = lock(after + entry("node_modules/uuid", "4.0.0"));
  const Loading loading = targets_of(moved_between(old, now), old, now);
  EXPECT_THAT(loading.targets, SizeIs(kMaxTargets));
  EXPECT_THAT(loading.unchecked, ElementsAre("9 packages more than are loaded"));

  const auto yarn = [](const std::string& version) {
    auto graph = lockfile::read_lock(
        npm::LockKind::yarn_classic,
        "# yarn lockfile v1\n\n\na@^1.0.0:\n  version \"1.0.0\"\n  dependencies:\n    b \"*\"\n\n"
        "b@*:\n  version \"" +
            version + "\"\n",
        {});
    EXPECT_TRUE(graph);
    return *std::move(graph);
  };
  const npm::Graph one = yarn("1.0.0");
  const npm::Graph two = yarn("2.0.0");
  const Loading none = targets_of(moved_between(one, two), one, two);
  EXPECT_THAT(none.targets, IsEmpty());
  EXPECT_THAT(none.unchecked, ElementsAre(HasSubstr("yarn classic does not say where")));
}

TEST(SetLoad, SaysWhyThereIsNothingToLoad) {
  Checks checks;
  set_load(checks, {});
  EXPECT_FALSE(checks.load);
  EXPECT_EQ(checks.why_absent("load"), "nothing crosses a breaking version");
  set_load(checks, std::vector<Moved>(1));
  EXPECT_TRUE(checks.load);
  EXPECT_EQ(checks.why_absent("load"), "");
}

constexpr const char* kLoaded = R"({"n":0,"require":"","import":"no"})";

TEST(ReadLoads, TakesOneLineForEachAndNoOther) {
  const LoadRun run = read_loads(std::string(kLoaded) + "\n", 1);
  EXPECT_FALSE(run.strange);
  EXPECT_THAT(run.answers, ElementsAre(LoadAnswer{"", "no"}));
  EXPECT_FALSE(read_loads("", 1).strange) << "only missing";
  const std::string line = kLoaded;
  for (const std::string& bad :
       {line + "\n" + line, line + "\nhello", std::string("hello\n") + line,
        std::string(R"({"n":1,"require":"","import":""})"), std::string(R"({"n":0,"require":""})"),
        std::string(R"({"n":0,"require":1,"import":""})"), std::string("[]")}) {
    EXPECT_TRUE(read_loads(bad, 1).strange) << bad;
  }
}

TEST(Trial, LoadsAfterTheInstallWithAScriptOfOurs) {
  test::Script script;
  script.ran["install"] = {test::ran(0)};
  script.ran["load"] = {test::ran(0, std::string(kLoaded) + "\n")};
  test::ScriptedChamber chamber(script);
  gate::Setup setup;
  setup.install = {{{"/usr/bin/npm", "ci"}, {}}};
  setup.folder = "/tree/app";
  setup.checks.load = true;
  setup.load = {"node_modules/a", "node_modules/b\"];evil(["};
  const auto trial = run_trial(chamber, setup, {}, {});
  ASSERT_TRUE(trial);
  ASSERT_THAT(script.asked, SizeIs(2));
  const sandbox::Step& step = script.asked[1];
  EXPECT_THAT(step.argv, ElementsAre("/usr/bin/node", "/tree/codegenie-load.cjs"));
  EXPECT_EQ(step.tree, sandbox::Tree::own);
  EXPECT_EQ(step.shelf, sandbox::Shelf::closed);
  ASSERT_TRUE(step.planted.contains("codegenie-load.cjs"));
  const std::string& text = step.planted.at("codegenie-load.cjs");
  EXPECT_THAT(text, HasSubstr(R"(const folder = "/tree/app";)"));
  EXPECT_THAT(text, HasSubstr(R"(["node_modules/a","node_modules/b\"];evil(["];)"));
  ASSERT_TRUE(trial->loads);
  EXPECT_THAT(trial->loads->answers, SizeIs(1));
}

TEST(Trial, LoadsNothingWhereNothingIsToBeLoaded) {
  for (const bool asked : {false, true}) {
    test::Script script;
    script.ran["install"] = {test::ran(0)};
    test::ScriptedChamber chamber(script);
    gate::Setup setup;
    setup.install = {{{"/usr/bin/npm", "ci"}, {}}};
    setup.checks.load = asked;
    if (!asked) setup.load = {"node_modules/a"};
    ASSERT_TRUE(run_trial(chamber, setup, {}, {}));
    EXPECT_THAT(script.asked, SizeIs(1));
  }
}

class LoadGate : public testing::Test {
 protected:
  LoadGate() { one("", "", "", ""); }
  void one(const std::string& require_before, const std::string& import_before,
           const std::string& require_after, const std::string& import_after) {
    base.loads = LoadRun{{{require_before, import_before}}};
    fix.loads = LoadRun{{{require_after, import_after}}};
  }
  [[nodiscard]] Signal judged() const { return signal_of(base, fix, comparison, "load"); }

  Trial base = trial_sample();
  Trial fix = trial_sample();
  Comparison comparison = comparison_sample();
};

TEST_F(LoadGate, PassesWhatLoadsAsBefore) {
  EXPECT_TRUE(judged().passed());
  EXPECT_EQ(judged().words, "1 package loads");
  one("", "no", "", "no");
  EXPECT_TRUE(judged().passed());
  one("", "no", "", "");
  EXPECT_TRUE(judged().passed());
}

TEST_F(LoadGate, FailsADependentThatLoadedInThatWay) {
  one("", "", "Cannot find module 'uuid/v4'", "");
  const Signal signal = judged();
  EXPECT_EQ(signal.state, State::failed);
  EXPECT_THAT(signal.reasons, ElementsAre("node_modules/left no longer loads by require(): Cannot "
                                          "find module 'uuid/v4'"));
  one("", "", "", "boom\x1b[2J");
  EXPECT_EQ(judged().state, State::failed);
  EXPECT_THAT(judged().reasons.front(), HasSubstr("by import: boom"));
  EXPECT_THAT(judged().reasons.front(), Not(HasSubstr("\x1b")));
}

TEST_F(LoadGate, TheMovedPackageHasToLoadInOneWayThatItDid) {
  comparison.loading.targets[0].role = LoadTarget::Role::moved;
  one("", "", "is an ES module", "");
  EXPECT_TRUE(judged().passed());
  one("", "no", "is an ES module", "");
  EXPECT_EQ(judged().state, State::failed);
  one("", "", "boom", "boom");
  EXPECT_EQ(judged().state, State::failed);
}

TEST_F(LoadGate, WhatDidNotLoadBeforeIsNamedAndNotHeldAgainstTheFix) {
  one("window is not defined", "window is not defined", "boom", "boom");
  const Signal signal = judged();
  EXPECT_TRUE(signal.passed());
  EXPECT_THAT(signal.reasons, ElementsAre("not checked: node_modules/left does not load at the "
                                          "base: window is not defined"));
}

TEST_F(LoadGate, FaultsThatWereReadFailWhateverAPackageSays) {
  comparison.loading.faults = {"request@2.88.2: lib/auth.js:3 imports uuid/v4, which is not there"};
  EXPECT_EQ(judged().state, State::failed);
  EXPECT_THAT(judged().reasons, ElementsAre(comparison.loading.faults.front()));
  comparison.loading.targets.clear();
  EXPECT_EQ(judged().state, State::failed);
  comparison.loading.faults.clear();
  comparison.loading.unchecked = {"nothing was loaded"};
  EXPECT_TRUE(judged().passed());
  EXPECT_THAT(judged().reasons, ElementsAre("not checked: nothing was loaded"));
}

TEST_F(LoadGate, AnAnswerThatSomebodyElseGaveIsForged) {
  fix.loads->strange = true;
  EXPECT_EQ(judged().state, State::forged);
}

TEST_F(LoadGate, AnswersThatAreNotThereAreMissing) {
  for (Trial* side : {&base, &fix}) {
    const Trial whole = *side;
    side->loads->answers.clear();
    EXPECT_EQ(judged().state, State::missing);
    side->loads.reset();
    EXPECT_EQ(judged().state, State::missing);
    *side = whole;
    test::step_of(*side, "load").success = false;
    EXPECT_EQ(judged().state, State::missing);
    *side = whole;
  }
  EXPECT_TRUE(judged().passed());
}

}  // namespace
}  // namespace cg::gate
