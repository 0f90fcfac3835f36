// Trials for tests in which all is well, to be spoilt one thing at a time.
#pragma once

#include <string>

#include "prove/gate/judges.h"
#include "prove/gate/verdict.h"
#include "trust/hash/sha256.h"

namespace cg::gate::test {

using runners::Outcome;

[[nodiscard]] inline StepRun step_sample(std::string name, int exit = 0) {
  StepRun out;
  out.name = std::move(name);
  out.command = "/usr/bin/npm " + out.name;
  out.facts.ending = "exit " + std::to_string(exit);
  out.facts.exit = exit;
  out.facts.wall = std::chrono::milliseconds{1500};
  out.facts.out = hash::sha256(as_bytes("out"));
  out.facts.err = hash::sha256(as_bytes(""));
  out.success = exit == 0;
  out.excerpt = exit == 0 ? "fine" : "not fine";
  out.trace.kept = true;
  out.trace.started = {{"", "/bin/sh"}, {"/bin/sh", "/usr/bin/node"}};
  return out;
}

[[nodiscard]] inline runners::TestRun tests_sample(std::vector<runners::TestCase> cases) {
  runners::TestRun out;
  out.runner = "jest";
  out.detail = runners::Detail::cases;
  out.asked = true;
  out.complete = true;
  out.cases = std::move(cases);
  for (const runners::TestCase& c : out.cases) {
    if (c.outcome == Outcome::passed) ++out.totals.passed;
    if (c.outcome == Outcome::failed) ++out.totals.failed;
    if (c.outcome == Outcome::skipped) ++out.totals.skipped;
  }
  return out;
}

[[nodiscard]] inline Trial trial_sample() {
  Trial out;
  out.in_force.isolation = sandbox::Isolation::namespaces;
  out.in_force.layers = {{"user namespace", true, true, ""}, {"cgroup", false, false, "EACCES"}};
  for (const char* name : {"install", "load", "typecheck.typescript", "build", "tests"}) {
    out.steps.push_back(step_sample(name));
  }
  out.steps.push_back(step_sample("challenge", 1));
  out.challenged = tests_sample({{"a > adds", Outcome::failed}, {"a > takes", Outcome::passed}});
  out.loads = LoadRun{{{"", ""}}};
  out.found_types = {"asked"};
  out.tests = tests_sample({{"a > adds", Outcome::passed}, {"a > takes", Outcome::passed}});
  out.types = runners::TypeErrors{};
  return out;
}

[[nodiscard]] inline StepRun& step_of(Trial& trial, std::string_view name) {
  for (StepRun& step : trial.steps) {
    if (step.name == name) return step;
  }
  std::abort();
}

[[nodiscard]] inline LockEntry entry_sample(const std::string& package,
                                            const std::string& version) {
  return {"node_modules/" + package,
          package,
          version,
          "https://registry.example/" + package + "/-/" + package + "-" + version + ".tgz",
          "sha512-" + package + version,
          npm::Source::registry,
          false};
}

[[nodiscard]] inline Comparison comparison_sample() {
  Comparison out;
  out.checks.load = true;
  out.loading.targets = {{"node_modules/left", "node_modules/left"}};
  out.checks.build = true;
  out.checks.tests = true;
  out.checks.typecheck = true;
  out.registries = {"https://registry.example/"};
  out.lock_before = LockSide{{entry_sample("left", "1.0.0"), entry_sample("right", "2.0.0")}, {}};
  out.lock_after = LockSide{{entry_sample("left", "1.0.1"), entry_sample("right", "2.0.0")}, {}};
  out.advisories_before = {
      {{"GHSA-1", "left", "node_modules/left"}, {"GHSA-2", "right", "node_modules/right"}}};
  out.advisories_after = {{{"GHSA-2", "right", "node_modules/right"}}};
  out.to_fix = {{"GHSA-1", "left", "node_modules/left"}};
  return out;
}

/// The signal of that name when the two are judged.
[[nodiscard]] inline Signal signal_of(const Trial& base, const Trial& fix,
                                      const Comparison& comparison, std::string_view name) {
  for (const Signal& signal : all_signals({base, fix, comparison})) {
    if (signal.name == name) return signal;
  }
  std::abort();
}

[[nodiscard]] inline Signal tests_of(const Trial& base, const Trial& fix) {
  return signal_of(base, fix, comparison_sample(), "tests");
}

}  // namespace cg::gate::test
