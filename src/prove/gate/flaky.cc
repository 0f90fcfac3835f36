#include "prove/gate/flaky.h"

#include <algorithm>
#include <set>

namespace cg::gate {

namespace {

using runners::Outcome;
using runners::outcome_of;

bool is_by_name(const std::optional<runners::TestRun>& run) {
  return run && run->detail == runners::Detail::cases && run->complete;
}

}  // namespace

std::vector<std::string> suspects(const Trial& base, const Trial& fix) {
  if (!is_by_name(base.tests) || !is_by_name(fix.tests)) return {};
  const runners::TestDelta delta = compare(*base.tests, *fix.tests);
  std::set<std::string> out(delta.broken.begin(), delta.broken.end());
  if (is_by_name(base.challenged) && is_by_name(fix.challenged)) {
    for (const runners::TestCase& test : fix.challenged->cases) {
      if (test.outcome == Outcome::failed && outcome_of(*fix.tests, test.id) == Outcome::passed &&
          outcome_of(*base.challenged, test.id) == Outcome::passed) {
        out.insert(test.id);
      }
    }
  }
  if (out.size() > kMaxSuspects) return {};
  return {out.begin(), out.end()};
}

bool is_clean(const Trial& base, const Trial& fix) {
  for (const StepRun& step : fix.steps) {
    const StepRun* before = base.step(step.name);
    if (before != nullptr && before->success && !step.success) return false;
  }
  if (!is_by_name(base.tests)) return true;
  return is_by_name(fix.tests) && compare(*base.tests, *fix.tests).is_clean() &&
         suspects(base, fix).empty();
}

std::vector<std::string> with_outcome(const std::vector<std::string>& ids,
                                      const std::vector<runners::TestRun>& again, Outcome outcome) {
  std::vector<std::string> out;
  std::copy_if(ids.begin(), ids.end(), std::back_inserter(out), [&](const std::string& id) {
    return std::any_of(again.begin(), again.end(),
                       [&](const runners::TestRun& run) { return outcome_of(run, id) == outcome; });
  });
  return out;
}

bool is_flaky(const Trial& base, const Trial& fix, const std::string& id) {
  return !with_outcome({id}, base.again, Outcome::failed).empty() &&
         !with_outcome({id}, fix.again, Outcome::passed).empty();
}

}  // namespace cg::gate
