// The order of steps, what each is given, and what is read out of it.
#include "prove/gate/trial.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "prove/gate/run_trial.h"
#include "prove/gate/scripted.h"
#include "prove/runners/runner.h"

namespace cg::gate {
namespace {

using test::ran;
using test::Script;
using test::ScriptedChamber;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr const char* kReport = R"({"numTotalTests":1,"testResults":[{"name":"/w/a.test.js",
 "status":"passed","assertionResults":[{"ancestorTitles":[],"title":"adds","status":"passed"}]}]})";

std::map<std::string, std::string> reports() {
  return {{"/tmp/0f3a/4-7-1.jest", ""}, {"/tmp/0f3a/4-7-1.jest.report", kReport}};
}

Setup setup_sample() {
  Setup out;
  out.checks.build = true;
  out.checks.tests = true;
  out.checks.typecheck = true;
  out.install = {{{"/usr/bin/npm", "ci"}, {"npm_config_registry=http://127.0.0.1:4873/", "CI=2"}}};
  out.folder = "/w";
  out.hook = runners::Hook{"/hook", "/tmp/0f3a", "/usr/bin/node", "20.11.0"};
  return out;
}

Script script_sample() {
  Script out;
  out.ran["install"] = {ran(0)};
  out.ran["build"] = {ran(0)};
  out.ran["tests"] = {ran(0)};
  out.ran["tests"][0].collected = reports();
  out.ran["typecheck.typescript"] = {ran(0)};
  return out;
}

struct Told {
  Result<Trial, sandbox::Error> trial;
  std::vector<std::string> lines;
};

Told run(Script& script, const Setup& setup) {
  ScriptedChamber chamber(script);
  std::vector<std::string> lines;
  static constexpr const char* kStates[] = {"running", "passed", "failed", "skipped"};
  const OnProgress progress = [&](const Progress& p) {
    if (p.state == Progress::State::running) return;
    lines.push_back(std::string(p.step) + " " + kStates[static_cast<int>(p.state)] + " " + p.words);
  };
  auto trial = run_trial(chamber, setup, progress, {});
  return {std::move(trial), std::move(lines)};
}

std::vector<std::string> names(const Script& script) {
  std::vector<std::string> out;
  for (const sandbox::Step& step : script.asked) out.push_back(step.name);
  return out;
}

TEST(Trial, RunsInstallTypesBuildTestsInThisOrder) {
  Script script = script_sample();
  const Told told = run(script, setup_sample());
  ASSERT_TRUE(told.trial);
  EXPECT_THAT(names(script), ElementsAre("install", "typecheck.typescript", "build", "tests"));
  EXPECT_THAT(told.lines, ElementsAre("install passed ", "typecheck.typescript passed 0 errors",
                                      "build passed ", "tests passed 1 passed"));
  EXPECT_TRUE(told.trial->tests->complete);
  EXPECT_THAT(told.trial->tests->cases,
              ElementsAre(runners::TestCase{"a.test.js > adds", runners::Outcome::passed}));
  EXPECT_EQ(told.trial->in_force.isolation, sandbox::Isolation::namespaces);
}

/// A tsconfig.json that only refers to others has nothing checked by itself.
TEST(Trial, ChecksTheTypesOfEachProject) {
  auto setup = setup_sample();
  setup.checks.projects = {"tsconfig.app.json", "tests/tsconfig.json"};
  setup.challenge.type_names = {"asked", "also", "never"};
  const auto checked = [&](sandbox::Ran first, sandbox::Ran second) {
    Script script = script_sample();
    script.ran["typecheck.typescript"] = {std::move(first), std::move(second)};
    const Told told = run(script, setup);
    EXPECT_TRUE(told.trial);
    EXPECT_THAT(script.asked[1].argv, Contains("tsconfig.app.json"));
    EXPECT_THAT(script.asked[2].argv, Contains("tests/tsconfig.json"));
    return *told.trial;
  };
  const Trial both = checked(ran(2, "b.ts(1,2): error TS1: no\nb.ts(9,2): error TS1: asked\n"),
                             ran(2, "a.ts(1,2): error TS1: no\na.ts(9,2): error TS1: also\n"));
  EXPECT_THAT(both.types->lines, ElementsAre("a.ts: error TS1: no", "b.ts: error TS1: no"));
  EXPECT_EQ(both.types->count, 2U);
  EXPECT_THAT(both.found_types, ElementsAre("also", "asked"));
  // Nothing but what was asked for is a success.
  EXPECT_TRUE(checked(ran(0), ran(2, "a.ts(9,2): error TS1: asked\n"))
                  .step("typecheck.typescript")
                  ->success);
  const Trial silent = checked(ran(2, "b.ts(1,2): error TS1: no\n"), ran(134));
  EXPECT_EQ(silent.types->count, 0U);
  EXPECT_FALSE(silent.step("typecheck.typescript")->success);
}

TEST(Trial, GivesEachStepItsCapsAndOnlyInstallTheShelf) {
  Script script = script_sample();
  ASSERT_TRUE(run(script, setup_sample()).trial);
  const auto& asked = script.asked;
  EXPECT_EQ(asked[0].limits.wall, std::chrono::seconds{180});
  EXPECT_EQ(asked[1].limits.wall, std::chrono::seconds{60});
  EXPECT_EQ(asked[2].limits.wall, std::chrono::seconds{300});
  EXPECT_EQ(asked[3].limits.wall, std::chrono::seconds{300});
  for (const sandbox::Step& step : asked) {
    EXPECT_EQ(step.limits.memory, 2ULL << 30U);
    EXPECT_EQ(step.limits.processes, 1024U);
    EXPECT_EQ(step.shelf == sandbox::Shelf::open, step.name == "install");
    EXPECT_EQ(step.tree == sandbox::Tree::shared, step.name == "install");
    EXPECT_EQ(step.keep == sandbox::Keep::built, step.name == "build");
    EXPECT_THAT(step.argv.front(), StartsWith("/"));
  }
}

TEST(Trial, CapsAreThoseOfTheSetup) {
  Script script = script_sample();
  script.ran["load"] = {ran(0)};
  script.ran["challenge"] = {ran(1)};
  auto setup = setup_sample();
  using std::chrono::seconds;
  setup.limits = {seconds(1), seconds(2), seconds(3), seconds(4), seconds(5), 6, 7};
  setup.checks.load = true;
  setup.load = {"node_modules/a"};
  setup.challenge.tests = {{"a.test.js", "wrong"}};
  ASSERT_TRUE(run(script, setup).trial);
  std::map<std::string, seconds> walls;
  for (const sandbox::Step& step : script.asked) {
    walls[step.name] = std::chrono::duration_cast<seconds>(step.limits.wall);
    EXPECT_EQ(step.limits.memory, 6U) << step.name;
    EXPECT_EQ(step.limits.processes, 7U) << step.name;
  }
  EXPECT_EQ(walls, (std::map<std::string, seconds>{{"install", seconds(1)},
                                                   {"load", seconds(2)},
                                                   {"build", seconds(3)},
                                                   {"tests", seconds(4)},
                                                   {"challenge", seconds(4)},
                                                   {"typecheck.typescript", seconds(5)}}));
}

/// Tests that fail leave open what they would have closed, and are waited for.
TEST(Trial, AChallengeMayTakeAFewTimesWhatTheTestsTake) {
  using std::chrono::seconds;
  Trial base;
  base.steps.push_back({.name = "tests", .success = true});
  base.steps.back().facts.wall = seconds(50);
  for (const Trial* compared :
       {static_cast<const Trial*>(nullptr), static_cast<const Trial*>(&base)}) {
    Script script = script_sample();
    script.ran["challenge"] = {ran(1)};
    auto setup = setup_sample();
    setup.limits.tests = seconds(600);
    setup.challenge.tests = {{"a.test.js", "wrong"}};
    setup.base = compared;
    ASSERT_TRUE(run(script, setup).trial);
    EXPECT_EQ(script.asked.back().limits.wall, compared == nullptr ? seconds(60) : seconds(150));
  }
}

TEST(Trial, DoesNotChallengeWhatWasEnded) {
  Script script = script_sample();
  script.ran["tests"][0].ending = sandbox::Capped{sandbox::Cap::wall};
  script.ran["tests"][0].collected.clear();
  auto setup = setup_sample();
  setup.challenge.tests = {{"a.test.js", "wrong"}};
  ASSERT_TRUE(run(script, setup).trial);
  EXPECT_EQ(script.asked.back().name, "tests");
}

TEST(Trial, TestsAreRunAsTheyAreWithTheHookInTheirEnvironment) {
  Script script = script_sample();
  auto setup = setup_sample();
  setup.seen = {"/tmp/yarn"};
  ASSERT_TRUE(run(script, setup).trial);
  const sandbox::Step& tests = script.asked[3];
  EXPECT_THAT(tests.argv, ElementsAre("/usr/bin/npm", "test"));
  EXPECT_THAT(tests.collect, ElementsAre("/tmp/0f3a/"));
  EXPECT_EQ(tests.max_collected, runners::kMaxReportBytes);
  EXPECT_THAT(tests.env, Contains("PATH=/hook:" + setup.path));
  EXPECT_THAT(tests.env, Contains(StartsWith("NODE_OPTIONS=--require \"/hook/hook.cjs\"")));
  EXPECT_THAT(tests.seen, ElementsAre("/tmp/yarn"));
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_THAT(script.asked[i].env, Not(Contains(StartsWith("NODE_OPTIONS=")))) << i;
    EXPECT_THAT(script.asked[i].env, Contains("PATH=" + setup.path)) << i;
  }
  // Each step has a /tmp of its own: what lies there has to be shown.
  Script other = script_sample();
  setup.hook->folder = "/tmp/work/hook";
  ASSERT_TRUE(run(other, setup).trial);
  EXPECT_THAT(other.asked[3].seen, ElementsAre("/tmp/yarn", "/tmp/work/hook"));
}

TEST(Trial, ScriptsRunThroughTheManagerThatIsGiven) {
  Script script = script_sample();
  auto setup = setup_sample();
  setup.manager = {"/usr/bin/node", "/m/yarn.js"};
  setup.manager_env = {"YARN_ENABLE_NETWORK=0", "CI=3"};
  setup.commands = {"/usr/bin/node", "/m/yarn.js", "run"};
  ASSERT_TRUE(run(script, setup).trial.has_value());
  for (const sandbox::Step& step : script.asked) {
    if (step.name == "install") continue;
    EXPECT_THAT(step.env, Contains("YARN_ENABLE_NETWORK=0")) << step.name;
    EXPECT_THAT(step.env, Contains("CI=3")) << step.name;
    EXPECT_THAT(step.env, Not(Contains("CI=1"))) << step.name;
    if (step.name == "build") {
      EXPECT_THAT(step.argv, ElementsAre("/usr/bin/node", "/m/yarn.js", "run", "build"));
    } else if (step.name == "tests") {
      EXPECT_THAT(step.argv, ElementsAre("/usr/bin/node", "/m/yarn.js", "test"));
    } else {
      EXPECT_THAT(step.argv, ElementsAre("/usr/bin/node", "/m/yarn.js", "run", "tsc", "--noEmit",
                                         "--pretty", "false"));
    }
  }
}

TEST(Trial, WithoutAHookNothingIsCollected) {
  Script script = script_sample();
  script.ran["tests"] = {ran(0)};
  auto setup = setup_sample();
  setup.hook.reset();
  const Told told = run(script, setup);
  ASSERT_TRUE(told.trial);
  EXPECT_THAT(script.asked[3].collect, testing::IsEmpty());
  EXPECT_FALSE(told.trial->tests->asked);
}

TEST(Trial, TheEnvironmentIsItsOwnAndInstallMayAddToIt) {
  Script script = script_sample();
  ASSERT_TRUE(run(script, setup_sample()).trial);
  for (const sandbox::Step& step : script.asked) {
    EXPECT_THAT(step.env, Contains("HOME=/tmp/home"));
    EXPECT_THAT(step.env, Contains("NO_COLOR=1"));
    EXPECT_THAT(step.env, Not(Contains(StartsWith("NODE_ENV="))));
    std::set<std::string> seen;
    for (const std::string& variable : step.env) {
      EXPECT_TRUE(seen.insert(variable.substr(0, variable.find('='))).second) << variable;
    }
  }
  EXPECT_THAT(script.asked[0].env, Contains("CI=2"));
  EXPECT_THAT(script.asked[0].env, Contains("npm_config_registry=http://127.0.0.1:4873/"));
  EXPECT_THAT(script.asked[1].env, Contains("CI=1"));
  EXPECT_THAT(script.asked[1].env, Not(Contains(StartsWith("npm_config_registry="))));
}

TEST(Trial, AfterAFailedInstallNothingElseIsRun) {
  Script script = script_sample();
  script.ran["install"] = {ran(1, "", "npm error code E404\nnpm warn x\n")};
  auto setup = setup_sample();
  setup.install.push_back({{"/usr/bin/true"}, {}});
  const Told told = run(script, setup);
  ASSERT_TRUE(told.trial);
  EXPECT_THAT(names(script), ElementsAre("install"));
  EXPECT_EQ(told.trial->steps[0].errors, "npm error code E404");
  EXPECT_FALSE(told.trial->tests);
  EXPECT_THAT(told.lines, Contains("tests skipped not run, as the install failed"));
}

TEST(Trial, OtherFailuresDoNotHideEachOther) {
  Script script = script_sample();
  script.ran["build"] = {ran(2)};
  script.ran["tests"] = {ran(1)};
  script.ran["typecheck.typescript"] = {ran(2, "a.ts(1,2): error TS2322: no\n")};
  const Told told = run(script, setup_sample());
  ASSERT_TRUE(told.trial);
  EXPECT_THAT(told.lines, ElementsAre("install passed ", "typecheck.typescript failed 1 error",
                                      "build failed exit 2", "tests failed exit 1"));
  EXPECT_EQ(told.trial->types->count, 1U);
}

TEST(Trial, PrintedResultsCountForNothingWhereAReportWasAskedFor) {
  Script script = script_sample();
  script.ran["tests"] = {ran(0, "Tests: 500 passed, 500 total\n")};
  script.ran["tests"][0].collected = {{"/tmp/0f3a/4-7-1.jest", ""}};
  const Told told = run(script, setup_sample());
  ASSERT_TRUE(told.trial);
  EXPECT_FALSE(told.trial->tests->complete);
  EXPECT_EQ(told.trial->tests->detail, runners::Detail::none);
  EXPECT_EQ(told.trial->tests->why_not, "a jest that was started left no report");
}

TEST(Trial, AnUnknownRunnerIsRunAsItIsAndItsSummaryRead) {
  Script script = script_sample();
  script.ran["tests"] = {ran(0, "# tests 5\n# pass  5\n")};
  const Told told = run(script, setup_sample());
  ASSERT_TRUE(told.trial);
  EXPECT_EQ(told.trial->tests->detail, runners::Detail::counts);
  EXPECT_EQ(told.trial->tests->totals.passed, 5U);
}

TEST(Trial, WhatIsAbsentIsToldAndNotRun) {
  Script script = script_sample();
  auto setup = setup_sample();
  setup.checks.build = false;
  setup.checks.absent = {{"build", "no build script"}};
  const Told told = run(script, setup);
  ASSERT_TRUE(told.trial);
  EXPECT_THAT(names(script), ElementsAre("install", "typecheck.typescript", "tests"));
  EXPECT_THAT(told.lines, Contains("build skipped no build script"));
}

TEST(Trial, DoesNotTestWhatNoLongerLoads) {
  Trial base;
  base.steps.push_back({.name = "load", .success = true});
  base.loads = LoadRun{{{"", ""}}};
  Loading loading;
  loading.targets = {{"node_modules/a", "node_modules/a"}};
  for (const char* answer : {R"({"n":0,"require":"","import":""})",
                             R"({"n":0,"require":"is an ES module","import":"gone"})"}) {
    Script script = script_sample();
    script.ran["load"] = {ran(0, std::string(answer) + "\n")};
    auto setup = setup_sample();
    setup.checks.load = true;
    setup.load = {"node_modules/a"};
    setup.base = &base;
    setup.loading = &loading;
    const Told told = run(script, setup);
    ASSERT_TRUE(told.trial);
    const bool loads = std::string_view(answer).find("gone") == std::string_view::npos;
    EXPECT_EQ(script.asked.back().name, loads ? "tests" : "load");
    EXPECT_EQ(told.lines.back(),
              loads ? "tests passed 1 passed" : "tests skipped not run, as load has failed");
  }
  // What was read from files is enough.
  loading.faults = {"b@1.0.0: index.js:1 imports a/x, which is not there in a@2.0.0"};
  Script script = script_sample();
  script.ran["load"] = {ran(0, "{\"n\":0,\"require\":\"\",\"import\":\"\"}\n")};
  auto setup = setup_sample();
  setup.checks.load = true;
  setup.load = {"node_modules/a"};
  setup.base = &base;
  setup.loading = &loading;
  ASSERT_TRUE(run(script, setup).trial);
  EXPECT_EQ(script.asked.back().name, "load");
}

TEST(Trial, RunsTheTestsAgainWithWrongAssertionsAndTellsNobodyWhen) {
  for (const auto turn : {Challenge::Turn::first, Challenge::Turn::second}) {
    Script script = script_sample();
    script.ran["challenge"] = {ran(1)};
    script.ran["challenge"][0].collected = reports();
    auto setup = setup_sample();
    setup.challenge.tests = {{"a.test.js", "wrong"}};
    setup.challenge.turn = turn;
    const Told told = run(script, setup);
    ASSERT_TRUE(told.trial);
    const bool first = turn == Challenge::Turn::first;
    EXPECT_EQ(names(script)[3], first ? "challenge" : "tests");
    const sandbox::Step& asked = script.asked[first ? 3 : 4];
    EXPECT_EQ(asked.planted, setup.challenge.tests);
    EXPECT_EQ(asked.argv, script.asked[first ? 4 : 3].argv);
    EXPECT_EQ(asked.env, script.asked[first ? 4 : 3].env);
    EXPECT_TRUE(script.asked[first ? 4 : 3].planted.empty());
    EXPECT_EQ(told.trial->steps.back().name, "challenge");
    EXPECT_EQ(asked.collect, script.asked[first ? 4 : 3].collect);
    ASSERT_TRUE(told.trial->challenged);
    EXPECT_EQ(told.trial->challenged->totals.passed, 1U);
  }
}

TEST(Trial, ErrorsOfTypesThatWereAskedForAreNoErrors) {
  Script script = script_sample();
  script.ran["typecheck.typescript"] = {ran(
      2, "a.ts(9,3): error TS2322: Type 'string' is not assignable to '{ lastxy: string; }'.\n")};
  auto setup = setup_sample();
  setup.challenge.types = {{"a.ts", "text"}};
  setup.challenge.type_names = {"lastxy", "never"};
  const Told told = run(script, setup);
  ASSERT_TRUE(told.trial);
  EXPECT_EQ(script.asked[1].planted, setup.challenge.types);
  EXPECT_EQ(told.trial->types->count, 0U);
  EXPECT_THAT(told.trial->found_types, ElementsAre("lastxy"));
  EXPECT_THAT(told.lines, Contains("typecheck.typescript passed 0 errors"));
}

TEST(Trial, AChamberThatBreaksIsAnErrorAndNoResult) {
  Script script = script_sample();
  script.ran["tests"].clear();
  const Told told = run(script, setup_sample());
  ASSERT_FALSE(told.trial);
  EXPECT_EQ(told.trial.error().kind, sandbox::Error::Kind::broken);
}

TEST(Trial, ExcerptsAreBoundedAndSafeToShow) {
  Script script = script_sample();
  std::string noise;
  for (int i = 0; i < 2000; ++i) noise += "\x1b[31mline\x07 " + std::to_string(i) + "\n";
  script.ran["build"] = {ran(1, noise, noise)};
  const Told told = run(script, setup_sample());
  ASSERT_TRUE(told.trial);
  const StepRun& build = *told.trial->step("build");
  EXPECT_LE(build.excerpt.size(), kMaxExcerptBytes);
  EXPECT_THAT(build.excerpt, Not(HasSubstr("\x1b")));
  EXPECT_THAT(build.excerpt, Not(HasSubstr("\x07")));
  EXPECT_THAT(build.excerpt, HasSubstr("1999"));
}

TEST(Trial, ExcerptsHoldBothStreamsOnLinesOfTheirOwn) {
  const struct {
    const char* out;
    const char* err;
    const char* excerpt;
  } cases[] = {{"printed", "wrong", "printed\nwrong"},
               {"printed\n", "wrong", "printed\nwrong"},
               {"", "wrong", "wrong"},
               {"printed", "", "printed\n"}};
  for (const auto& c : cases) {
    Script script = script_sample();
    script.ran["build"] = {ran(1, c.out, c.err)};
    const Told told = run(script, setup_sample());
    ASSERT_TRUE(told.trial);
    EXPECT_EQ(told.trial->step("build")->excerpt, c.excerpt);
  }
}

TEST(Trial, KeepsTwelveLinesOfErrors) {
  Script script = script_sample();
  std::string errors;
  for (int i = 0; i < 13; ++i) errors += "npm error " + std::to_string(i) + "\n";
  script.ran["build"] = {ran(1, "", errors)};
  const Told told = run(script, setup_sample());
  ASSERT_TRUE(told.trial);
  EXPECT_THAT(told.trial->step("build")->errors, testing::EndsWith("npm error 11"));
}

TEST(Trial, ACompilerThatNamesNoErrorIsToldByItsEnding) {
  Script script = script_sample();
  script.ran["typecheck.typescript"] = {ran(134)};
  EXPECT_THAT(run(script, setup_sample()).lines, Contains("typecheck.typescript failed exit 134"));
}

}  // namespace
}  // namespace cg::gate
