// Judges of what was run: install, build, tests, types, trace.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/base/text.h"
#include "prove/gate/judges.h"
#include "prove/gate/samples.h"

namespace cg::gate {
namespace {

using runners::Outcome;
using runners::Totals;
using runners::TypeErrors;
using test::comparison_sample;
using test::signal_of;
using test::step_of;
using test::step_sample;
using test::tests_sample;
using test::trial_sample;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Signal judged(const Trial& base, const Trial& fix, std::string_view name) {
  return signal_of(base, fix, comparison_sample(), name);
}

void set_step(Trial& trial, const std::string& name, int exit) {
  step_of(trial, name) = step_sample(name, exit);
}

void drop_step(Trial& trial, const std::string& name) {
  std::erase_if(trial.steps, [&](const StepRun& step) { return step.name == name; });
}

TEST(Gate, AllSignalsOfTheSamplePass) {
  for (const Signal& signal : all_signals({trial_sample(), trial_sample(), comparison_sample()})) {
    EXPECT_TRUE(signal.passed()) << signal.name << ": " << testing::PrintToString(signal.reasons);
    EXPECT_TRUE(signal.before && signal.after) << signal.name;
    EXPECT_THAT(signal.reasons, IsEmpty()) << signal.name;
  }
}

TEST(Gate, AStepThatWasNotRunIsMissing) {
  for (const char* name : {"install", "load", "build", "tests", "typecheck.typescript"}) {
    Trial less = trial_sample();
    drop_step(less, name);
    EXPECT_EQ(judged(trial_sample(), less, name).state, State::missing) << name;
    EXPECT_EQ(judged(less, trial_sample(), name).state, State::missing) << name;
  }
}

TEST(Gate, WhatARepositoryLacksIsSaidAndNotPassed) {
  Comparison comparison = comparison_sample();
  comparison.checks.build = false;
  comparison.checks.absent = {{"build", "no build script"}};
  const Signal signal = signal_of(trial_sample(), trial_sample(), comparison, "build");
  EXPECT_EQ(signal.state, State::absent);
  EXPECT_FALSE(signal.passed());
  EXPECT_FALSE(signal.blocks());
  EXPECT_THAT(signal.reasons, ElementsAre("no build script"));
}

TEST(InstallGate, FailsWithTheWordsOfThePackageManager) {
  Trial fix = trial_sample();
  set_step(fix, "install", 1);
  step_of(fix, "install").errors = "npm error code EINTEGRITY\nnpm error sha512 differs";
  const Signal signal = judged(trial_sample(), fix, "install");
  EXPECT_EQ(signal.state, State::failed);
  EXPECT_THAT(signal.reasons,
              ElementsAre("exit 1", "npm error code EINTEGRITY", "npm error sha512 differs"));
  EXPECT_EQ(signal.excerpt, "not fine");
}

TEST(BuildGate, AFailureThatIsNotNewPassesAndSaysSo) {
  Trial bad = trial_sample();
  set_step(bad, "build", 2);
  EXPECT_EQ(judged(trial_sample(), bad, "build").state, State::failed);
  const Signal both = judged(bad, bad, "build");
  EXPECT_EQ(both.state, State::passed);
  EXPECT_THAT(both.reasons, ElementsAre(HasSubstr("not comparable")));
  EXPECT_EQ(judged(bad, trial_sample(), "build").state, State::passed);
}

TEST(BuildGate, WhatWasEndedForALimitIsNoAnswer) {
  Trial bad = trial_sample();
  set_step(bad, "build", 2);
  Trial capped = bad;
  step_of(capped, "build").facts.exit.reset();
  EXPECT_EQ(judged(bad, capped, "build").state, State::failed);
  EXPECT_EQ(judged(capped, capped, "build").state, State::failed);
}

TEST(TestsGate, ATestThatPassedMustStillPass) {
  Trial fix = trial_sample();
  fix.tests = tests_sample({{"a > adds", Outcome::failed}, {"a > takes", Outcome::passed}});
  set_step(fix, "tests", 1);
  const Signal signal = judged(trial_sample(), fix, "tests");
  EXPECT_EQ(signal.state, State::failed);
  EXPECT_THAT(signal.failing_tests, ElementsAre("a > adds"));
  EXPECT_THAT(signal.reasons, Contains("a > adds: passed before, fails now"));
  const auto& after = std::get<TestNumbers>(*signal.after);
  EXPECT_EQ(after.totals, (Totals{1, 1, 0}));
}

TEST(TestsGate, ATestThatVanishedOrIsSkippedIsAFailure) {
  Trial fix = trial_sample();
  fix.tests = tests_sample({{"a > adds", Outcome::passed}});
  EXPECT_EQ(judged(trial_sample(), fix, "tests").state, State::failed);
  fix.tests = tests_sample({{"a > adds", Outcome::passed}, {"a > takes", Outcome::skipped}});
  EXPECT_EQ(judged(trial_sample(), fix, "tests").state, State::failed);
}

TEST(TestsGate, KnownFailuresAreAllowedAndNewOnesAreNot) {
  Trial base = trial_sample();
  base.tests = tests_sample({{"bad", Outcome::failed}, {"good", Outcome::passed}});
  set_step(base, "tests", 1);
  EXPECT_EQ(judged(base, base, "tests").state, State::passed);
  Trial fix = base;
  fix.tests =
      tests_sample({{"bad", Outcome::failed}, {"good", Outcome::passed}, {"new", Outcome::failed}});
  EXPECT_EQ(judged(base, fix, "tests").state, State::failed);
}

TEST(TestsGate, TheExitCodeCountsThoughAllTestsPass) {
  Trial fix = trial_sample();
  set_step(fix, "tests", 1);
  EXPECT_EQ(judged(trial_sample(), fix, "tests").state, State::failed);
}

TEST(TestsGate, AReportThatIsGoneOrCutFailsThoughTheExitCodeIsZero) {
  Trial fix = trial_sample();
  fix.tests->complete = false;
  fix.tests->why_not = "there is no report";
  const Signal signal = judged(trial_sample(), fix, "tests");
  EXPECT_EQ(signal.state, State::failed);
  EXPECT_THAT(signal.reasons, Contains(HasSubstr("there is no report")));
  fix.tests = runners::TestRun{};  // numbers that were printed count for nothing
  fix.tests->detail = runners::Detail::counts;
  fix.tests->totals = {2, 0, 0};
  EXPECT_EQ(judged(trial_sample(), fix, "tests").state, State::failed);
}

TEST(TestsGate, WithoutABaseReportOnlyARunWithoutFailuresPasses) {
  Trial base = trial_sample();
  set_step(base, "tests", 1);
  base.tests->complete = false;
  EXPECT_EQ(judged(base, trial_sample(), "tests").state, State::passed);
  EXPECT_EQ(judged(base, base, "tests").state, State::failed);
  Trial fix = trial_sample();
  fix.tests = tests_sample({{"bad", Outcome::failed}});
  EXPECT_EQ(judged(base, fix, "tests").state, State::failed);
  fix.tests = tests_sample({});
  EXPECT_EQ(judged(base, fix, "tests").state, State::failed);
}

Trial unknown_runner(int exit, std::optional<Totals> totals) {
  Trial out = trial_sample();
  set_step(out, "tests", exit);
  out.tests = runners::TestRun{};
  if (totals) {
    out.tests->detail = runners::Detail::counts;
    out.tests->totals = *totals;
  }
  return out;
}

TEST(TestsGate, WithoutNamesTheExitCodeDecidesAndFewerPassesFail) {
  const Totals twelve{12, 0, 0};
  EXPECT_TRUE(judged(unknown_runner(0, {}), unknown_runner(0, {}), "tests").passed());
  EXPECT_FALSE(judged(unknown_runner(0, {}), unknown_runner(1, {}), "tests").passed());
  EXPECT_FALSE(judged(unknown_runner(1, {}), unknown_runner(1, {}), "tests").passed());
  EXPECT_FALSE(judged(unknown_runner(1, twelve), unknown_runner(1, twelve), "tests").passed());
  EXPECT_TRUE(judged(unknown_runner(1, {}), unknown_runner(0, {}), "tests").passed());
  EXPECT_TRUE(judged(unknown_runner(0, twelve), unknown_runner(0, twelve), "tests").passed());
  EXPECT_FALSE(
      judged(unknown_runner(0, twelve), unknown_runner(0, Totals{11, 0, 0}), "tests").passed());
  EXPECT_FALSE(judged(unknown_runner(0, twelve), unknown_runner(0, {}), "tests").passed());
}

TEST(TestsGate, WhatTheExitCodeDecidedIsWeak) {
  EXPECT_EQ(judged(unknown_runner(0, {}), unknown_runner(0, {}), "tests").weak,
            "their exit code alone was judged");
  EXPECT_NE(
      judged(unknown_runner(0, Totals{2, 0, 0}), unknown_runner(0, Totals{2, 0, 0}), "tests").weak,
      "")
      << "any test can print numbers";
  EXPECT_EQ(judged(trial_sample(), trial_sample(), "tests").weak, "");
  EXPECT_EQ(judged(trial_sample(), trial_sample(), "build").weak, "");
}

TEST(TypesGate, NoMoreErrorsThanTheBaseAndNewOnesAreListed) {
  Trial base = trial_sample();
  set_step(base, "typecheck.typescript", 2);
  base.types = TypeErrors{{"a.ts: error TS1: x", "b.ts: error TS2: y"}, 2, true};
  EXPECT_TRUE(judged(base, base, "typecheck.typescript").passed());
  Trial fix = base;
  fix.types =
      TypeErrors{{"a.ts: error TS1: x", "b.ts: error TS2: y", "c.ts: error TS3: z"}, 3, true};
  const Signal more = judged(base, fix, "typecheck.typescript");
  EXPECT_EQ(more.state, State::failed);
  EXPECT_THAT(more.reasons, ElementsAre("3 errors, 2 at the base", "new: c.ts: error TS3: z"));
  fix.types = TypeErrors{{"c.ts: error TS3: z"}, 1, true};
  const Signal other = judged(base, fix, "typecheck.typescript");
  EXPECT_TRUE(other.passed());
  EXPECT_THAT(other.reasons, ElementsAre("new: c.ts: error TS3: z"));
}

TEST(TypesGate, WhatWasPutInIsNotToldToWhoMendsIt) {
  Trial fix = trial_sample();
  set_step(fix, "typecheck.typescript", 2);
  fix.types = TypeErrors{{"c.ts: error TS3: z"}, 1, true};
  step_of(fix, "typecheck.typescript").out_log.kept =
      "a.ts(1,2): error TS9: '{ asked: string; }'\n  and more of it\n"
      "c.ts(3,4): error TS3: z\n  for this reason\n";
  const Signal signal = judged(trial_sample(), fix, "typecheck.typescript");
  EXPECT_EQ(signal.state, State::failed);
  EXPECT_EQ(signal.said, "c.ts(3,4): error TS3: z\n  for this reason\n");
}

TEST(TypesGate, ACompilerThatEndsWithoutAnAnswerFails) {
  Trial crashed = trial_sample();
  set_step(crashed, "typecheck.typescript", 134);
  EXPECT_EQ(judged(trial_sample(), crashed, "typecheck.typescript").state, State::failed);
  EXPECT_EQ(judged(crashed, trial_sample(), "typecheck.typescript").state, State::failed);
  Trial cut = trial_sample();
  cut.types->complete = false;
  EXPECT_EQ(judged(trial_sample(), cut, "typecheck.typescript").state, State::failed);
}

TEST(TraceGate, ANewExecutableOrAddressFails) {
  Trial fix = trial_sample();
  step_of(fix, "tests").trace.started.push_back({"/usr/bin/node", "/usr/bin/curl"});
  EXPECT_THAT(
      judged(trial_sample(), fix, "trace").reasons,
      ElementsAre("tests: /usr/bin/node started /usr/bin/curl, which it does not at the base"));
  fix = trial_sample();
  step_of(fix, "install").trace.connections = {"tcp 203.0.113.9:443"};
  const Signal signal = judged(trial_sample(), fix, "trace");
  EXPECT_EQ(signal.state, State::failed);
  EXPECT_THAT(signal.reasons, ElementsAre(HasSubstr("tried to reach tcp 203.0.113.9:443")));
  EXPECT_TRUE(judged(fix, fix, "trace").passed());
  EXPECT_TRUE(judged(fix, trial_sample(), "trace").passed());
}

TEST(TraceGate, TheSameProgramStartedByAnotherIsNew) {
  Trial base = trial_sample();
  step_of(base, "tests").trace.started.push_back({"/bin/sh", "/usr/bin/curl"});
  Trial fix = base;
  step_of(fix, "tests").trace.started.push_back({"/usr/bin/node", "/usr/bin/curl"});
  EXPECT_FALSE(judged(base, fix, "trace").passed());
  // Another version of a package in a store, and another random folder, are not.
  step_of(base, "tests").trace.started = {{"/usr/bin/node", "/tree/node_modules/.pnpm/x@1.0.0/x"},
                                          {"/usr/bin/node", "/tmp/build-4fK2p1/run"}};
  step_of(fix, "tests").trace.started = {{"/usr/bin/node", "/tree/node_modules/.pnpm/x@1.0.1/x"},
                                         {"/usr/bin/node", "/tmp/build-abcdef/run"}};
  EXPECT_TRUE(judged(base, fix, "trace").passed());
  // As yarn 1 names the folder of its node.
  step_of(base, "tests").trace.started = {{"/bin/sh", "/tmp/yarn--1700000000001-0.8971/node"}};
  step_of(fix, "tests").trace.started = {{"/bin/sh", "/tmp/yarn--1700000009999-0.267329/node"}};
  EXPECT_TRUE(judged(base, fix, "trace").passed());
  step_of(fix, "tests").trace.started = {{"/bin/sh", "/tmp/yarn--1700000009999-0.267329/curl"}};
  EXPECT_FALSE(judged(base, fix, "trace").passed());
}

/// `before` and `after` are started where the base has one and the fix the other.
Signal traced(const sandbox::Start& before, const sandbox::Start& after) {
  Trial base = trial_sample();
  step_of(base, "tests").trace.started.push_back(before);
  Trial fix = trial_sample();
  step_of(fix, "tests").trace.started.push_back(after);
  return judged(base, fix, "trace");
}

TEST(TraceGate, ACommandIsThatOfItsPackage) {
  const std::string modules = "/tree/node_modules/";
  const std::string tsc = modules + ".bin/tsc";
  const sandbox::Start own{"/bin/sh", modules + "typescript/bin/tsc", tsc};
  EXPECT_TRUE(traced(own, {"/bin/sh", modules + "typescript/lib/tsc.js", tsc}).passed());
  EXPECT_TRUE(
      traced(own, {"/bin/sh", modules + ".pnpm/typescript@5.0.1/node_modules/typescript/x", tsc})
          .passed());
  EXPECT_THAT(traced(own, {"/bin/sh", modules + "victim/tsc.js", tsc}).reasons,
              ElementsAre("tests: /bin/sh started " + tsc + " (" + modules +
                          "victim/tsc.js), which it does not at the base"));
  EXPECT_FALSE(traced(own, {"/bin/sh", modules + "@s/typescript/bin/tsc", tsc}).passed());
  // The same package under another name, as a package has it that brings a new command.
  EXPECT_FALSE(
      traced(own, {"/bin/sh", modules + "typescript/bin/tsc", modules + ".bin/mocha"}).passed());
}

TEST(TraceGate, WhatWasOnlyTriedIsNotStarted) {
  const std::string shim = "/tree/node_modules/.bin/node";
  const sandbox::Start tried{"/usr/bin/node", "", shim};
  EXPECT_TRUE(traced(tried, tried).passed());
  EXPECT_FALSE(
      traced(tried, {"/usr/bin/node", "/tree/node_modules/victim/node.sh", shim}).passed());
  EXPECT_THAT(traced({"", "/bin/sh"}, tried).reasons,
              ElementsAre("tests: /usr/bin/node tried to start " + shim +
                          ", where nothing is, which it does not at the base"));
}

TEST(TraceGate, ANewTextForAShellIsANewProgram) {
  Trial base = trial_sample();
  step_of(base, "tests").trace.shell = {"mocha --reporter-option output=/tmp/report-0123456789ab"};
  Trial fix = base;
  step_of(fix, "tests").trace.shell = {"mocha --reporter-option output=/tmp/report-ba9876543210"};
  EXPECT_TRUE(judged(base, fix, "trace").passed());
  step_of(fix, "tests").trace.shell.emplace_back("node -e 'evil()'");
  EXPECT_THAT(judged(base, fix, "trace").reasons,
              ElementsAre("tests gave a shell a text that the base does not: node -e 'evil()'"));
}

TEST(TraceGate, OtherWordsAreShownAndFailNothing) {
  Trial base = trial_sample();
  step_of(base, "tests").trace.commands = {"/usr/bin/node --port 4001 a.js"};
  Trial fix = base;
  step_of(fix, "tests").trace.commands = {"/usr/bin/node --port 4002 a.js", "/usr/bin/node b.js"};
  const Signal signal = judged(base, fix, "trace");
  EXPECT_TRUE(signal.passed());
  EXPECT_THAT(signal.reasons, ElementsAre("for the reviewer: tests ran /usr/bin/node b.js"));
}

TEST(TraceGate, WhatWasNotWatchedIsMissingAndWhatWasCutFails) {
  Trial blind = trial_sample();
  step_of(blind, "build").trace.kept = false;
  EXPECT_EQ(judged(trial_sample(), blind, "trace").state, State::missing);
  EXPECT_EQ(judged(blind, trial_sample(), "trace").state, State::missing);
  Trial nothing = trial_sample();
  nothing.steps.clear();
  EXPECT_EQ(judged(nothing, nothing, "trace").state, State::missing);
  Trial cut = trial_sample();
  step_of(cut, "tests").trace.cut = true;
  EXPECT_EQ(judged(trial_sample(), cut, "trace").state, State::failed);
}

TEST(TraceGate, OnlyPortsOfLoopbackAndRandomFoldersUnderTmpAreAlike) {
  EXPECT_EQ(normal_connection("tcp 127.0.0.1:4873"), "tcp loopback");
  EXPECT_EQ(normal_connection("tcp [::1]:80"), "tcp loopback");
  EXPECT_EQ(normal_connection("udp 127.0.0.1:53"), "udp loopback");
  EXPECT_EQ(normal_connection("tcp 127.0.0.1.example:80"), "tcp 127.0.0.1.example:80");
  EXPECT_EQ(normal_connection("tcp 127.0.0.2:80"), "tcp 127.0.0.2:80");
  EXPECT_EQ(normal_connection("tcp 203.0.113.9:443"), "tcp 203.0.113.9:443");
  EXPECT_EQ(normal_connection("unix /tmp/x-a1B2c3/s"), "unix /tmp/x-*/s");
  EXPECT_EQ(normal_connection("odd"), "odd");
  EXPECT_EQ(normal_path("/tmp/jest-4711/run"), "/tmp/jest-*/run");
  EXPECT_EQ(normal_path("/tmp/x-a1B2c3/bin/run"), "/tmp/x-*/bin/run");
  EXPECT_EQ(normal_path("/tmp/0123456789abcdef/run"), "/tmp/*/run");
  EXPECT_EQ(normal_path("/tmp/tool/run"), "/tmp/tool/run");
  EXPECT_EQ(normal_path("/tmp/run-123456"), "/tmp/run-123456");
  EXPECT_EQ(normal_path("/usr/bin/x-123456/run"), "/usr/bin/x-123456/run");
}

TEST(Gate, AStepThatWasNotRunIsNamedBySide) {
  Trial less = trial_sample();
  drop_step(less, "build");
  EXPECT_THAT(judged(less, trial_sample(), "build").reasons,
              ElementsAre("was not run at the base"));
  EXPECT_THAT(judged(trial_sample(), less, "build").reasons,
              ElementsAre("was not run with the fix"));
  EXPECT_THAT(judged(less, less, "build").reasons,
              ElementsAre("was not run at the base", "was not run with the fix"));
  drop_step(less, "tests");
  const Signal tests = judged(trial_sample(), less, "tests");
  EXPECT_THAT(tests.reasons, ElementsAre("was not run with the fix, as load has failed"));
  EXPECT_EQ(tests.side(), "");
  drop_step(less, "install");
  EXPECT_THAT(judged(trial_sample(), less, "tests").reasons,
              ElementsAre("was not run with the fix"));
}

TEST(TestsGate, SaysHowTheNumbersCompare) {
  EXPECT_EQ(judged(trial_sample(), trial_sample(), "tests").words, "2 passed, same as before");
  Trial more = trial_sample();
  more.tests = tests_sample(
      {{"a > adds", Outcome::passed}, {"a > takes", Outcome::passed}, {"b", Outcome::passed}});
  EXPECT_EQ(judged(trial_sample(), more, "tests").words, "3 passed, none lost");
  EXPECT_EQ(judged(more, trial_sample(), "tests").words, "2 passed");
}

TEST(TestsGate, NamesNoMoreTestsThanReasons) {
  std::vector<runners::TestCase> good, bad;
  for (int i = 0; i < 25; ++i) {
    good.push_back({"t" + std::to_string(10 + i), Outcome::passed});
    bad.push_back({"t" + std::to_string(10 + i), Outcome::failed});
  }
  Trial base = trial_sample();
  Trial fix = trial_sample();
  base.tests = tests_sample(good);
  fix.tests = tests_sample(bad);
  EXPECT_EQ(judged(base, fix, "tests").failing_tests.size(), kMaxReasons);
}

TEST(TestsGate, WithoutABaseReportOneFailureIsEnough) {
  Trial base = trial_sample();
  base.tests->complete = false;
  set_step(base, "tests", 1);
  Trial fix = trial_sample();
  fix.tests = tests_sample({{"bad", Outcome::failed}, {"good", Outcome::passed}});
  EXPECT_EQ(judged(base, fix, "tests").state, State::failed);
  fix = trial_sample();
  set_step(fix, "tests", 1);
  EXPECT_EQ(judged(base, fix, "tests").state, State::failed);
}

TEST(TestsGate, WithoutNamesItSaysTheNumbersOrTheEnding) {
  const Signal counts =
      judged(unknown_runner(0, Totals{12, 0, 0}), unknown_runner(0, Totals{12, 0, 0}), "tests");
  EXPECT_EQ(counts.words, "12 passed");
  EXPECT_EQ(judged(unknown_runner(0, {}), unknown_runner(0, {}), "tests").words, "exit 0");
}

TEST(TestsGate, WhatWasRunAndNotReadIsMissing) {
  Trial unread = trial_sample();
  unread.tests.reset();
  EXPECT_EQ(judged(trial_sample(), unread, "tests").state, State::missing);
  EXPECT_EQ(judged(unread, trial_sample(), "tests").state, State::missing);
}

TEST(TypesGate, CountsErrorsOnBothSides) {
  Trial base = trial_sample();
  set_step(base, "typecheck.typescript", 2);
  base.types = TypeErrors{{"a.ts: error TS1: x"}, 1, true};
  const Signal signal = judged(base, trial_sample(), "typecheck.typescript");
  EXPECT_EQ(std::get<TypeNumbers>(*signal.before).errors, 1U);
  EXPECT_EQ(std::get<TypeNumbers>(*signal.after).errors, 0U);
  Trial unread = trial_sample();
  unread.types.reset();
  EXPECT_THAT(judged(unread, trial_sample(), "typecheck.typescript").reasons,
              ElementsAre("at the base tsc was not read"));
  EXPECT_THAT(judged(trial_sample(), unread, "typecheck.typescript").reasons,
              ElementsAre("with the fix tsc was not read"));
}

TEST(TraceGate, SaysWhichSideWasNotWatched) {
  Trial blind = trial_sample();
  step_of(blind, "build").trace.kept = false;
  EXPECT_THAT(judged(trial_sample(), blind, "trace").reasons,
              ElementsAre("with the fix build could not be watched"));
  EXPECT_THAT(judged(blind, trial_sample(), "trace").reasons,
              ElementsAre("at the base build could not be watched"));
}

TEST(TraceGate, SaysHowMuchWasSeen) {
  EXPECT_EQ(judged(trial_sample(), trial_sample(), "trace").words,
            "2 executables, 0 addresses, none new");
  Trial fix = trial_sample();
  step_of(fix, "tests").trace.started.push_back({"/usr/bin/node", "/usr/bin/curl"});
  EXPECT_EQ(judged(trial_sample(), fix, "trace").words, "3 executables, 0 addresses");
}

TEST(TraceGate, OnlyWhatLooksDrawnIsTakenForRandom) {
  for (const char* drawn : {"azAZ09", "0", "9", "0123abcf", "abcdefabcdef"}) {
    EXPECT_EQ(normal_path("/tmp/x-" + std::string(drawn) + "/run"), "/tmp/x-*/run") << drawn;
  }
  for (const char* chosen : {"a+c=ef", "a~c{ef", "abc", "abcdefg", "ghijklmn", "0123abcg"}) {
    const std::string path = "/tmp/x-" + std::string(chosen) + "/run";
    EXPECT_EQ(normal_path(path), path);
  }
}

TEST(Reasons, AreBoundedAndSayHowManyMore) {
  std::vector<std::string> out;
  {
    Reasons reasons(out);
    for (int i = 0; i < 100; ++i) reasons.add(std::string(1000, 'x') + "\n\x1b");
  }
  ASSERT_EQ(out.size(), kMaxReasons + 1);
  EXPECT_EQ(out.back(), "and 80 more");
  for (const std::string& reason : out) {
    EXPECT_LE(reason.size(), kMaxReasonBytes);
    EXPECT_EQ(printable(reason), reason);
  }
}

TEST(Reasons, AsManyAsThereMayBeNeedNoMore) {
  std::vector<std::string> out;
  {
    Reasons reasons(out);
    for (std::size_t i = 0; i < kMaxReasons; ++i) reasons.add("r");
  }
  EXPECT_EQ(out.size(), kMaxReasons);
  EXPECT_EQ(out.back(), "r");
}

}  // namespace
}  // namespace cg::gate
