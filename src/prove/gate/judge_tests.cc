#include <algorithm>

#include "base/base/text.h"
#include "prove/gate/judges.h"
#include "prove/gate/trial.h"

namespace cg::gate {

namespace {

using runners::Detail;
using runners::TestRun;

class TestsJudge {
 public:
  TestsJudge(const Evidence& evidence, Signal& signal)
      : base_step_(*evidence.base.step("tests")),
        fix_step_(*evidence.fix.step("tests")),
        base_(*evidence.base.tests),
        fix_(*evidence.fix.tests),
        signal_(signal),
        reasons_(signal.reasons) {}

  void run() {
    signal_.before = numbers(base_step_, base_);
    signal_.after = numbers(fix_step_, fix_);
    if (is_whole(base_)) {
      by_name();
    } else if (base_.asked) {
      without_base();
    } else {
      by_ending();
    }
    if (base_step_.success && !fix_step_.success) {
      reasons_.add(fix_step_.facts.ending + ", where the base succeeds");
      is_good_ = false;
    }
    signal_.state = State::passed;
    if (!is_good_) fail_with_output(fix_step_, signal_);
  }

 private:
  static bool is_whole(const TestRun& run) { return run.detail == Detail::cases && run.complete; }

  static TestNumbers numbers(const StepRun& step, const TestRun& run) {
    return {std::string(name(run.runner)), step.facts.ending, run.totals};
  }

  void bad(const std::string& reason) {
    is_good_ = false;
    reasons_.add(reason);
  }

  void by_name() {
    if (!is_whole(fix_)) {
      return bad("the report of the tests is not whole: " + fix_.why_not);
    }
    const runners::TestDelta delta = compare(base_, fix_);
    list(delta.broken, "passed before, fails now");
    list(delta.missing, "passed before, is not run now");
    list(delta.added, "fails now, did not fail before");
    if (!delta.is_clean()) is_good_ = false;
    if (!delta.known.empty()) {
      reasons_.add(counted(delta.known.size(), "test fails", "tests fail") + " as before");
    }
    signal_.words = describe(fix_.totals);
    if (delta.is_clean()) {
      signal_.words += fix_.totals == base_.totals ? ", same as before" : ", none lost";
    }
  }

  void list(const std::vector<std::string>& ids, const std::string& what) {
    for (const std::string& id : ids) {
      reasons_.add(id + ": " + what);
      if (signal_.failing_tests.size() < kMaxReasons) signal_.failing_tests.push_back(id);
    }
  }

  /// The base could not say which tests pass: only a run without any failure is no worse.
  void without_base() {
    reasons_.add("the base has no whole report: " + base_.why_not);
    if (!is_whole(fix_)) return bad("nor has the fix: " + fix_.why_not);
    signal_.words = describe(fix_.totals);
    if (fix_.totals.failed > 0 || !fix_step_.success || fix_.totals.passed == 0) {
      bad("so only a run without failures passes, and this one is " + describe(fix_.totals) + ", " +
          fix_step_.facts.ending);
    }
  }

  void by_ending() {
    reasons_.add("the tests do not say by name what became of each: their exit code decides");
    signal_.weak = true;
    signal_.words = fix_.detail == Detail::counts ? describe(fix_.totals) : fix_step_.facts.ending;
    if (!fix_step_.success && !base_step_.success) {
      return bad("they fail at the base as well, so nobody can tell whether more fail now");
    }
    if (base_.detail != Detail::counts || !base_step_.success) return;
    const std::string before = describe(base_.totals) + " before";
    if (fix_.detail != Detail::counts) return bad(before + ", and now no numbers");
    if (fix_.totals.passed < base_.totals.passed || fix_.totals.failed > base_.totals.failed) {
      bad(before + ", now " + describe(fix_.totals));
    }
  }

  const StepRun& base_step_;
  const StepRun& fix_step_;
  const TestRun& base_;
  const TestRun& fix_;
  Signal& signal_;
  Reasons reasons_;
  bool is_good_ = true;
};

}  // namespace

void judge_tests(const Evidence& evidence, Signal& signal) {
  if (!take_step(evidence, "tests", signal)) return;
  if (!evidence.base.tests || !evidence.fix.tests) return;
  TestsJudge(evidence, signal).run();
}

}  // namespace cg::gate
