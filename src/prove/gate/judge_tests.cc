#include <algorithm>

#include "base/base/text.h"
#include "prove/gate/flaky.h"
#include "prove/gate/judges.h"
#include "prove/gate/trial.h"

namespace cg::gate {

namespace {

using runners::Detail;
using runners::outcome_of;
using runners::TestRun;

class TestsJudge {
 public:
  TestsJudge(const Evidence& evidence, Signal& signal)
      : evidence_(evidence),
        base_step_(*evidence.base.step("tests")),
        fix_step_(*evidence.fix.step("tests")),
        base_(*evidence.base.tests),
        fix_(*evidence.fix.tests),
        base_challenge_({evidence.base.step("challenge"), evidence.base.challenged}),
        fix_challenge_({evidence.fix.step("challenge"), evidence.fix.challenged}),
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
    if (base_step_.success && !fix_step_.success && !is_excused_) {
      reasons_.add(fix_step_.facts.ending + ", where the base succeeds");
      is_good_ = false;
    }
    for (const std::string& path : fix_step_.altered) {
      const auto& known = base_step_.altered;
      if (std::find(known.begin(), known.end(), path) != known.end()) continue;
      bad("they change " + path + " while they run, which at the base they do not");
    }
    signal_.state = State::passed;
    if (!is_good_) return fail_with_output(fix_step_, signal_);
    by_challenge();
  }

 private:
  /// The run with wrong assertions; no step: there was none.
  struct Challenged {
    const StepRun* step;
    const std::optional<TestRun>& tests;
  };

  static bool is_whole(const TestRun& run) { return run.detail == Detail::cases && run.complete; }

  static TestNumbers numbers(const StepRun& step, const TestRun& run) {
    return {run.runner, step.facts.ending, run.totals};
  }

  void bad(const std::string& reason) {
    is_good_ = false;
    reasons_.add(reason);
  }

  void by_name() {
    if (!is_whole(fix_)) {
      return bad("the report of the tests is not whole: " + fix_.why_not);
    }
    runners::TestDelta delta = compare(base_, fix_);
    const auto flaky = std::stable_partition(
        delta.broken.begin(), delta.broken.end(),
        [&](const std::string& id) { return !is_flaky(evidence_.base, evidence_.fix, id); });
    const std::vector<std::string> excused(flaky, delta.broken.end());
    delta.broken.erase(flaky, delta.broken.end());
    for (const std::string& id : excused) {
      reasons_.add(id + ": flaky: fails now and then, at the base as well");
    }
    // What they end with is those tests' doing as well.
    is_excused_ = !excused.empty() && delta.is_clean();
    std::vector<runners::Failure> failures;
    for (const runners::Failure& one : fix_.failures) {
      const bool counts = std::binary_search(delta.broken.begin(), delta.broken.end(), one.id) ||
                          std::binary_search(delta.added.begin(), delta.added.end(), one.id);
      if (counts) failures.push_back(one);
    }
    signal_.said = runners::list_failures(std::move(failures), kMaxExcerptBytes);
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

  /// The base could not say which tests pass: only a run without any failure is no worse. Where the
  /// fix cannot either, as where one runner is used inside of another, how they end is all there
  /// is.
  void without_base() {
    reasons_.add("the base has no whole report: " + base_.why_not);
    if (!is_whole(fix_)) {
      reasons_.add("nor has the fix: " + fix_.why_not);
      if (!base_step_.success) return bad("and the base fails");
      if (lost_some()) bad(describe(base_.totals) + " before, now " + describe(fix_.totals));
      return by_ending();
    }
    signal_.words = describe(fix_.totals);
    if (fix_.totals.failed > 0 || !fix_step_.success || fix_.totals.passed == 0) {
      bad("so only a run without failures passes, and this one is " + describe(fix_.totals) + ", " +
          fix_step_.facts.ending);
    }
  }

  void by_ending() {
    reasons_.add("the tests do not say by name what became of each: their exit code decides");
    signal_.words = fix_.detail == Detail::counts ? describe(fix_.totals) : fix_step_.facts.ending;
    if (!fix_step_.success && !base_step_.success) {
      return bad("they fail at the base as well, so nobody can tell whether more fail now");
    }
    if (base_.detail != Detail::counts || !base_step_.success) return;
    const std::string before = describe(base_.totals) + " before";
    if (fix_.detail != Detail::counts) return bad(before + ", and now no numbers");
    if (lost_some()) bad(before + ", now " + describe(fix_.totals));
  }

  /// By the numbers alone.
  [[nodiscard]] bool lost_some() const {
    return fix_.totals.passed < base_.totals.passed || fix_.totals.failed > base_.totals.failed;
  }

  /// Everything passed. Did anybody look? What wrong assertions make fail at the base must fail
  /// with the fix: who says otherwise was not asked, or answered for itself.
  void by_challenge() {
    if (!is_whole(base_)) weak("their exit code alone was judged");
    if (is_whole(base_) && base_.totals.passed == 0)
      weak("not checked: no test passes at the base");
    if (base_challenge_.step == nullptr) {
      return weak("they have no assertion that could be made wrong to see whether it is looked at");
    }
    const std::vector<std::string> turned = turned_at_base();
    const bool ends_differently = base_step_.success && !base_challenge_.step->success;
    if (turned.empty() && !ends_differently) {
      return weak("assertions that were made wrong make none of them fail at the base");
    }
    if (fix_challenge_.step == nullptr || !fix_challenge_.tests) {
      return forged("they were not run with wrong assertions");
    }
    if (ends_differently && fix_challenge_.step->success) {
      forged("with assertions made wrong they end with " + fix_challenge_.step->facts.ending +
             ", at the base with " + base_challenge_.step->facts.ending);
    }
    look_at_turned(turned);
    look_at_others();
  }

  /// Tests that must fail now.
  void look_at_turned(const std::vector<std::string>& turned) {
    const bool stops = stops_at_failures();
    std::size_t failed = 0;
    for (const std::string& id : turned) {
      const auto outcome = outcome_of(*fix_challenge_.tests, id);
      if (outcome == runners::Outcome::failed) ++failed;
      if (outcome == runners::Outcome::failed || (stops && !outcome)) continue;
      forged(id + ": an assertion of it was made wrong, and it is not reported as failed");
    }
    if (stops && !turned.empty() && failed == 0) {
      forged("none of the tests whose assertions were made wrong is reported as failed");
    }
  }

  /// Tests that were left alone: who passes only when nobody looks is not what it seems.
  void look_at_others() {
    if (!is_whole(base_) || !base_challenge_.tests) return;
    for (const runners::TestCase& test : fix_challenge_.tests->cases) {
      if (test.outcome != runners::Outcome::failed) continue;
      const bool passes = outcome_of(fix_, test.id) == runners::Outcome::passed;
      const bool left_alone =
          outcome_of(*base_challenge_.tests, test.id) == runners::Outcome::passed;
      if (passes && left_alone && !is_flaky(evidence_.base, evidence_.fix, test.id)) {
        forged(test.id + ": passes, and fails when assertions of other tests are wrong");
      }
    }
  }

  /// Passed, and failed with wrong assertions.
  [[nodiscard]] std::vector<std::string> turned_at_base() const {
    std::vector<std::string> out;
    if (!is_whole(base_) || !base_challenge_.tests) return out;
    for (const runners::TestCase& test : base_challenge_.tests->cases) {
      const runners::TestCase passed{test.id, runners::Outcome::passed};
      const bool before = std::binary_search(base_.cases.begin(), base_.cases.end(), passed);
      if (test.outcome == runners::Outcome::failed && before) out.push_back(test.id);
    }
    return out;
  }

  /// Wrong assertions kept others from being run at the base: which ones is chance.
  [[nodiscard]] bool stops_at_failures() const {
    if (!base_challenge_.tests) return false;
    return std::any_of(base_.cases.begin(), base_.cases.end(), [&](const runners::TestCase& test) {
      return test.outcome == runners::Outcome::passed &&
             !outcome_of(*base_challenge_.tests, test.id);
    });
  }

  void weak(const std::string& why) {
    if (signal_.weak.empty()) signal_.weak = why;
  }

  void forged(const std::string& why) {
    signal_.state = State::forged;
    reasons_.add(why);
  }

  const Evidence& evidence_;
  const StepRun& base_step_;
  const StepRun& fix_step_;
  const TestRun& base_;
  const TestRun& fix_;
  Challenged base_challenge_;
  Challenged fix_challenge_;
  Signal& signal_;
  Reasons reasons_;
  bool is_good_ = true;
  bool is_excused_ = false;  // that the command failed
};

}  // namespace

void judge_tests(const Evidence& evidence, Signal& signal) {
  if (!take_step(evidence, "tests", signal)) return;
  if (!evidence.base.tests || !evidence.fix.tests) return;
  TestsJudge(evidence, signal).run();
}

}  // namespace cg::gate
