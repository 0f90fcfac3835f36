#include "prove/gate/verdict.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <type_traits>

#include "base/base/assert.h"
#include "base/json/json.h"
#include "prove/gate/attempts.h"
#include "prove/gate/samples.h"
#include "prove/gate/signal_json.h"

namespace cg::gate {
namespace {

using sandbox::Isolation;
using test::comparison_sample;
using test::step_of;
using test::step_sample;
using test::trial_sample;
using testing::ElementsAre;
using testing::HasSubstr;

static_assert(!std::is_copy_constructible_v<Passed> && !std::is_copy_assignable_v<Passed>);
static_assert(!std::is_default_constructible_v<Passed>);
static_assert(!std::is_constructible_v<Passed, std::vector<Signal>, Isolated>);
static_assert(!std::is_constructible_v<Isolated, Isolation>);

Trial isolated(Isolation isolation) {
  Trial out = trial_sample();
  out.in_force.isolation = isolation;
  return out;
}

TEST(Verdict, PassesIfEveryRequiredSignalDoes) {
  const Verdict verdict = judge(trial_sample(), trial_sample(), comparison_sample());
  ASSERT_TRUE(std::holds_alternative<Passed>(verdict));
  EXPECT_EQ(signals_of(verdict).size(), signal_table().size());
  EXPECT_EQ(isolation_of(verdict), Isolation::namespaces);
}

TEST(Verdict, IsAStrictAnd) {
  Trial fix = trial_sample();
  step_of(fix, "build") = step_sample("build", 1);
  step_of(fix, "tests").trace.started.push_back({"/usr/bin/node", "/bin/nc"});
  const Verdict verdict = judge(trial_sample(), fix, comparison_sample());
  const auto* failed = std::get_if<Failed>(&verdict);
  ASSERT_NE(failed, nullptr);
  EXPECT_THAT(failed->failing, ElementsAre("build", "trace"));
  EXPECT_THAT(failed->summary, HasSubstr("build: exit 1, where the base succeeds; trace: tests"));
}

TEST(Unprovable, IsABaseThatCannotBeInstalled) {
  Trial base = trial_sample();
  EXPECT_EQ(why_unprovable(base, comparison_sample().checks), "");
  step_of(base, "install") = step_sample("install", 1);
  step_of(base, "install").errors = "npm error code EUSAGE\nmore";
  const std::string why = why_unprovable(base, comparison_sample().checks);
  EXPECT_EQ(why, "the packages cannot be installed at the base (exit 1): code EUSAGE; more");
  const Verdict verdict = unprovable(base, why, comparison_sample());
  const auto* failed = std::get_if<Failed>(&verdict);
  ASSERT_NE(failed, nullptr);
  EXPECT_THAT(failed->failing, ElementsAre("base"));
  const Next next = gate::next({summarise(1, *failed, {})});
  ASSERT_TRUE(std::holds_alternative<Final>(next));
  EXPECT_EQ(std::get<Final>(next).reason, "nothing can be proven here: " + why);
}

const Signal& signal_in(const Failed& failed, std::string_view name) {
  const auto found = std::find_if(failed.signals.begin(), failed.signals.end(),
                                  [&](const Signal& signal) { return signal.name == name; });
  CG_ASSERT(found != failed.signals.end());
  return *found;
}

/// What needs no run is judged all the same, and what waits for the base says so.
TEST(Unprovable, SaysWhatTheBaseShowedAndWhatNeedsNoRun) {
  Trial base = trial_sample();
  step_of(base, "install") = step_sample("install", 1);
  const Verdict verdict = unprovable(base, "why", comparison_sample());
  const Failed& failed = std::get<Failed>(verdict);
  EXPECT_TRUE(is_unprovable(failed));
  EXPECT_EQ(failed.signals.size(), signal_table().size());
  EXPECT_EQ(signal_in(failed, "lockfile_policy").state, State::passed);
  EXPECT_EQ(signal_in(failed, "cve_delta").state, State::passed);
  const Signal& install = signal_in(failed, "install");
  EXPECT_EQ(install.state, State::missing);
  EXPECT_EQ(install.side(), "base");
  EXPECT_EQ(install.reasons.front(), "fails at the base: exit 1");
  EXPECT_TRUE(install.base_step && !install.fix_step);
  EXPECT_EQ(signal_in(failed, "tests").side(), "") << "another gate is to blame";
}

/// A plan that brings an advisory is turned down for that, whatever the base does.
TEST(Unprovable, IsNothingThatIsInTheWayWithoutARun) {
  Trial base = trial_sample();
  step_of(base, "install") = step_sample("install", 1);
  Comparison worse = comparison_sample();
  worse.advisories_after->push_back({"GHSA-3", "left", "node_modules/left"});
  const Verdict verdict = unprovable(base, "why", worse);
  const Failed& failed = std::get<Failed>(verdict);
  EXPECT_THAT(failed.failing, ElementsAre("base", "cve_delta"));
  EXPECT_FALSE(is_unprovable(failed));
}

TEST(Unprovable, AnInstallThatWantsAnotherNodeSaysWhatToDo) {
  Trial base = trial_sample();
  step_of(base, "install") = step_sample("install", 1);
  step_of(base, "install").errors =
      "error eslint@10.0.0: The engine \"node\" is incompatible with this module. "
      "Expected version \">=24\". Got \"20.1.0\"";
  EXPECT_THAT(why_unprovable(base, comparison_sample().checks),
              HasSubstr("Got \"20.1.0\" (put a node that it asks for first in PATH)"));
}

TEST(Unprovable, AreTestsThatReachALimit) {
  const Checks checks = comparison_sample().checks;
  Trial base = trial_sample();
  step_of(base, "tests").success = false;
  step_of(base, "tests").facts.exit.reset();
  step_of(base, "tests").facts.ending = "took more than 2048 MiB of memory";
  EXPECT_EQ(why_unprovable(base, checks), "") << "what was told before is whole";
  base.tests->complete = false;
  EXPECT_THAT(why_unprovable(base, checks),
              AllOf(HasSubstr("took more than 2048 MiB of memory"), HasSubstr("gates.limits")));
  Checks without = checks;
  without.tests = false;
  EXPECT_EQ(why_unprovable(base, without), "");
}

/// Failing tests that are known by name can be compared; so can a suite that passes as a whole.
TEST(Unprovable, AreTestsThatFailAndNameNone) {
  const Checks checks = comparison_sample().checks;
  Trial base = trial_sample();
  step_of(base, "tests") = step_sample("tests", 1);
  EXPECT_EQ(why_unprovable(base, checks), "");
  base.tests = runners::TestRun{};
  EXPECT_THAT(why_unprovable(base, checks), HasSubstr("the tests fail at the base (exit 1)"));
  Checks without = checks;
  without.tests = false;
  EXPECT_EQ(why_unprovable(base, without), "");
  step_of(base, "tests") = step_sample("tests", 0);
  EXPECT_EQ(why_unprovable(base, checks), "");
}

TEST(Verdict, AWeakProofIsWhatPolicyMakesOfIt) {
  Trial weak = trial_sample();
  weak.tests = runners::TestRun{};
  weak.challenged = runners::TestRun{};
  Comparison comparison = comparison_sample();
  const Verdict allowed = judge(weak, weak, comparison);
  ASSERT_TRUE(std::holds_alternative<Passed>(allowed));
  EXPECT_TRUE(std::get<Passed>(allowed).weak());
  EXPECT_FALSE(std::get<Passed>(judge(trial_sample(), trial_sample(), comparison)).weak());
  for (const WeakProof policy : {WeakProof::handoff, WeakProof::refuse}) {
    comparison.weak = policy;
    EXPECT_TRUE(std::holds_alternative<Passed>(judge(trial_sample(), trial_sample(), comparison)));
    const Verdict verdict = judge(weak, weak, comparison);
    const auto* failed = std::get_if<Failed>(&verdict);
    ASSERT_NE(failed, nullptr);
    EXPECT_THAT(failed->failing, ElementsAre(kWeak));
    EXPECT_EQ(failed->for_a_person, policy == WeakProof::handoff);
    EXPECT_EQ(failed->summary, "tests: their exit code alone was judged");
    const Next after = next({summarise(1, *failed, {})});
    ASSERT_TRUE(std::holds_alternative<Final>(after));
    EXPECT_THAT(std::get<Final>(after).reason, HasSubstr("gates.weak_tests"));
  }
}

TEST(Verdict, AMissingSignalIsAFailure) {
  Comparison comparison = comparison_sample();
  comparison.advisories_after.reset();
  const Verdict verdict = judge(trial_sample(), trial_sample(), comparison);
  ASSERT_TRUE(std::holds_alternative<Failed>(verdict));
  EXPECT_THAT(std::get<Failed>(verdict).failing, ElementsAre("cve_delta"));
}

TEST(Verdict, NothingPassesWithoutIsolation) {
  for (const auto& [base, fix] : {std::pair{Isolation::none, Isolation::microvm},
                                  std::pair{Isolation::microvm, Isolation::none},
                                  std::pair{Isolation::none, Isolation::none}}) {
    const Verdict verdict = judge(isolated(base), isolated(fix), comparison_sample());
    ASSERT_TRUE(std::holds_alternative<Failed>(verdict));
    EXPECT_THAT(std::get<Failed>(verdict).failing, ElementsAre("isolation"));
    EXPECT_EQ(isolation_of(verdict), Isolation::none);
  }
}

TEST(Verdict, AMandatoryLayerThatIsNotHeldIsNoIsolation) {
  Trial fix = trial_sample();
  fix.in_force.layers[0].held = false;
  EXPECT_TRUE(std::holds_alternative<Failed>(judge(trial_sample(), fix, comparison_sample())));
}

TEST(Verdict, TheWeakerIsolationCountsAndEmulationStaysEmulation) {
  EXPECT_EQ(isolation_of(judge(isolated(Isolation::microvm_emulated), isolated(Isolation::microvm),
                               comparison_sample())),
            Isolation::microvm_emulated);
  EXPECT_EQ(isolation_of(judge(isolated(Isolation::microvm), isolated(Isolation::namespaces),
                               comparison_sample())),
            Isolation::namespaces);
  EXPECT_EQ(isolation_of(judge(isolated(Isolation::microvm), isolated(Isolation::microvm),
                               comparison_sample())),
            Isolation::microvm);
}

TEST(SignalTable, NamesAreThoseOfTheDesignAndDiffer) {
  std::vector<std::string_view> names;
  for (const SignalRow& row : signal_table()) {
    names.push_back(row.name);
    EXPECT_FALSE(row.says.empty());
  }
  EXPECT_THAT(names, ElementsAre("install", "load", "typecheck.typescript", "build", "tests",
                                 "lockfile_policy", "cve_delta", "trace"));
}

TEST(SignalJson, SaysStateAndNumbersBeforeAndAfter) {
  Trial fix = trial_sample();
  fix.tests = test::tests_sample(
      {{"a > adds", runners::Outcome::failed}, {"a > takes", runners::Outcome::passed}});
  const Signal signal = test::signal_of(trial_sample(), fix, comparison_sample(), "tests");
  EXPECT_EQ(json::write_json(to_json(signal)),
            R"({"signal":"tests","state":"failed","passed":false,"required":true,)"
            R"("before":{"ending":"exit 0","failed":0,"passed":2,"runner":"jest","skipped":0},)"
            R"("after":{"ending":"exit 0","failed":1,"passed":1,"runner":"jest","skipped":0},)"
            R"("reasons":["a > adds: passed before, fails now"],"weak":""})");
}

TEST(SignalJson, TheDocumentOfAGateHasCommandExitDurationAndDigests) {
  const Signal signal =
      test::signal_of(trial_sample(), trial_sample(), comparison_sample(), "install");
  const json::Value document = gate_document(signal, Isolation::namespaces);
  EXPECT_EQ(*document.find("schema")->as_string(), "codegenie/gate/v1");
  EXPECT_EQ(*document.find("isolation_class")->as_string(), "namespaces");
  EXPECT_EQ(*document.find("command")->as_string(), "/usr/bin/npm install");
  for (const char* side : {"base", "fix"}) {
    const json::Value* step = document.find(side);
    EXPECT_EQ(step->find("exit")->as_int(), 0);
    EXPECT_EQ(step->find("duration_ms")->as_int(), 1500);
    EXPECT_EQ(*step->find("stdout_sha256")->as_string(), to_hex(hash::sha256(as_bytes("out"))));
  }
  const json::Value bare = gate_document(
      test::signal_of(trial_sample(), trial_sample(), comparison_sample(), "cve_delta"),
      Isolation::microvm);
  EXPECT_TRUE(bare.find("base")->is_null());
}

TEST(SignalJson, EverySignalReadsBack) {
  Comparison comparison = comparison_sample();
  comparison.checks.build = false;
  const auto signals = all_signals({trial_sample(), trial_sample(), comparison});
  const json::Value json = to_json(signals);
  const auto again = json::parse_json(json::write_json(json));
  ASSERT_TRUE(again);
  EXPECT_EQ(*again, json);
  EXPECT_EQ(json.as_array()->size(), signals.size());
}

}  // namespace
}  // namespace cg::gate
