#include "base/base/text.h"
#include "prove/gate/comparison.h"
#include "prove/gate/judges.h"
#include "prove/gate/trial.h"

namespace cg::gate {

namespace {

using Role = LoadTarget::Role;

bool loads(const LoadAnswer& answer) { return answer.require.empty() || answer.import.empty(); }

class LoadJudge {
 public:
  explicit LoadJudge(Reasons& reasons) : reasons_(reasons) {}

  void judge(const LoadTarget& target, const LoadAnswer& before, const LoadAnswer& after) {
    if (!loads(before)) {
      reasons_.add("not checked: " + target.before +
                   " does not load at the base: " + before.require);
      return;
    }
    ++checked_;
    if (target.role == Role::moved) {
      const bool still = (before.require.empty() && after.require.empty()) ||
                         (before.import.empty() && after.import.empty());
      if (!still) bad(target, "", before.require.empty() ? after.require : after.import);
      return;
    }
    if (before.require.empty() && !after.require.empty()) {
      bad(target, " by require()", after.require);
    } else if (before.import.empty() && !after.import.empty()) {
      bad(target, " by import", after.import);
    }
  }

  [[nodiscard]] std::size_t checked() const { return checked_; }
  [[nodiscard]] bool is_good() const { return is_good_; }

 private:
  void bad(const LoadTarget& target, const char* way, const std::string& why) {
    is_good_ = false;
    reasons_.add(target.after + " no longer loads" + way + ": " + why);
  }

  Reasons& reasons_;
  std::size_t checked_ = 0;
  bool is_good_ = true;
};

/// Why a side's answers cannot be used; empty if they can.
std::string why_no_loads(const Trial& trial, std::size_t targets) {
  const StepRun* step = trial.step("load");
  if (!step->success) return step->facts.ending;
  if (!trial.loads || trial.loads->answers.size() != targets) return "answers are missing";
  return {};
}

}  // namespace

void judge_load(const Evidence& evidence, Signal& signal) {
  const Loading& loading = evidence.comparison.loading;
  const std::size_t targets = loading.targets.size();
  if (targets > 0 && !take_step(evidence, "load", signal)) return;
  Reasons reasons(signal.reasons);
  // What was read from files comes first: no package had a say in it.
  for (const std::string& fault : loading.faults) reasons.add(fault);
  LoadJudge judge(reasons);
  bool usable = true;
  bool strange = false;
  if (targets > 0) {
    strange = evidence.fix.loads && evidence.fix.loads->strange;
    const std::string base_lacks = why_no_loads(evidence.base, targets);
    const std::string fix_lacks = why_no_loads(evidence.fix, targets);
    if (strange) reasons.add("a package that was loaded wrote among the answers");
    if (!base_lacks.empty()) reasons.add("at the base: " + base_lacks);
    if (!fix_lacks.empty()) reasons.add("with the fix: " + fix_lacks);
    usable = base_lacks.empty() && fix_lacks.empty();
    for (std::size_t i = 0; usable && !strange && i < targets; ++i) {
      judge.judge(loading.targets[i], evidence.base.loads->answers[i],
                  evidence.fix.loads->answers[i]);
    }
  }
  for (const std::string& line : loading.unchecked) reasons.add("not checked: " + line);
  signal.words = counted(judge.checked(), "package loads", "packages load");
  if (strange) {
    signal.state = State::forged;
  } else if (!judge.is_good() || !loading.faults.empty()) {
    signal.state = State::failed;
  } else {
    signal.state = usable ? State::passed : State::missing;
  }
}

}  // namespace cg::gate
