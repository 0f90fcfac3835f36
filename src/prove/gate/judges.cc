#include "prove/gate/judges.h"

#include "prove/gate/comparison.h"
#include "prove/gate/trial.h"
#include "prove/runners/shown.h"

namespace cg::gate {

namespace {

bool always(const Checks&) { return true; }

void set_absent(const Checks& checks, Signal& signal) {
  signal.state = State::absent;
  const std::string_view why = checks.why_absent(signal.name);
  signal.words = why.empty() ? "not asked for" : runners::one_line(why, kMaxReasonBytes);
  signal.reasons.push_back(signal.words);
}

/// Of a fix that was not run, with what the base showed.
void set_missing(const Evidence& evidence, Signal& signal) {
  signal.blame = Blame::other;
  const StepRun* step = evidence.base.step(signal.name);
  if (step == nullptr) {
    signal.reasons.emplace_back("was not run");
    return;
  }
  if (!step->success) {
    signal.blame = Blame::base;
    signal.reasons.push_back("fails at the base: " + step->facts.ending);
    signal.excerpt = step->excerpt;
  }
  static_cast<void>(take_step(evidence, signal.name, signal));
}

}  // namespace

const std::vector<SignalRow>& signal_table() {
  static const std::vector<SignalRow> table = {
      {"install", "the packages of the lock can be installed", always, judge_install},
      {"load", "packages whose dependencies were moved or forced load, and find what they import",
       [](const Checks& c) { return c.load; }, judge_load},
      {"typecheck.typescript", "the compiler finds no more errors than before",
       [](const Checks& c) { return c.typecheck; }, judge_types},
      {"build", "the build script succeeds, or fails as it did before",
       [](const Checks& c) { return c.build; }, judge_build},
      {"tests", "every test that passed still passes, and no new one fails",
       [](const Checks& c) { return c.tests; }, judge_tests},
      {"lockfile_policy", "what the lock gained comes from a configured registry, with integrity",
       always, judge_lock},
      {"cve_delta", "the advisories to fix are gone, and none is new", always, judge_advisories},
      {"trace", "nothing was executed or dialled that the base does not", always, judge_trace},
  };
  return table;
}

std::vector<Signal> all_signals(const Evidence& evidence) {
  std::vector<Signal> out;
  for (const SignalRow& row : signal_table()) {
    Signal& signal = out.emplace_back();
    signal.name = row.name;
    signal.required = row.is_needed(evidence.comparison.checks);
    if (signal.required) {
      row.judge(evidence, signal);
      continue;
    }
    set_absent(evidence.comparison.checks, signal);
  }
  return out;
}

bool needs_no_run(std::string_view signal) {
  return signal == "lockfile_policy" || signal == "cve_delta";
}

std::vector<Signal> signals_at_base(const Trial& base, const Comparison& comparison) {
  const Trial none;
  const Evidence evidence{base, none, comparison};
  std::vector<Signal> out;
  for (const SignalRow& row : signal_table()) {
    Signal& signal = out.emplace_back();
    signal.name = row.name;
    signal.required = row.is_needed(comparison.checks);
    if (!signal.required) {
      set_absent(comparison.checks, signal);
    } else if (needs_no_run(row.name)) {
      row.judge(evidence, signal);
    } else {
      set_missing(evidence, signal);
    }
  }
  return out;
}

}  // namespace cg::gate
