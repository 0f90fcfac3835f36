#include <algorithm>
#include <iterator>

#include "base/base/text.h"
#include "prove/gate/judges.h"
#include "prove/gate/trial.h"
#include "prove/runners/shown.h"

namespace cg::gate {

namespace {

using runners::TypeErrors;

void add_lines(std::string_view lines, Reasons& reasons) {
  for (const std::string_view line : split(lines, '\n')) {
    if (!trim(line).empty()) reasons.add(line);
  }
}

void judge_type_lines(const TypeErrors& base, const TypeErrors& fix, Reasons& reasons) {
  std::vector<std::string> fresh;
  std::set_difference(fix.lines.begin(), fix.lines.end(), base.lines.begin(), base.lines.end(),
                      std::back_inserter(fresh));
  for (const std::string& line : fresh) reasons.add("new: " + line);
}

/// Why tsc's numbers cannot be compared; empty if they can.
std::string why_no_types(const std::optional<TypeErrors>& types, const StepRun& step) {
  if (!types) return "was not read";
  if (!step.facts.exit) return step.facts.ending;
  if (!types->complete) return "wrote more than is kept";
  if (!step.success && types->count == 0)
    return "ended with " + step.facts.ending + " and named no error";
  return {};
}

/// Without the errors that were put in: they are called otherwise each time, and no failure.
std::string without_asked(const std::string& text, const std::vector<std::string>& names) {
  std::string out;
  bool asked = false;
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    // What goes on with a blank belongs to the error above.
    if (!line.starts_with(' ')) {
      asked = std::any_of(names.begin(), names.end(),
                          [&](const std::string& name) { return line.find(name) != line.npos; });
    }
    if (!asked) out += std::string(line) + "\n";
  }
  return out;
}

/// Errors that were put in must be found, as at the base. Where the base finds none of them, the
/// compiler does not look at this repository's sources: no check, and so no word about the fix.
void judge_asked_types(const Evidence& evidence, Signal& signal, Reasons& reasons) {
  const std::vector<std::string>& before = evidence.base.found_types;
  const std::vector<std::string>& after = evidence.fix.found_types;
  if (before.empty()) {
    signal.state = State::absent;
    signal.required = false;
    signal.words = "not checked: of the errors that were put in, none is found at the base";
    reasons.add(signal.words);
  } else if (!std::includes(after.begin(), after.end(), before.begin(), before.end())) {
    signal.state = State::forged;
    reasons.add("errors that were put in are found at the base and not with the fix");
  }
}

}  // namespace

bool take_step(const Evidence& evidence, std::string_view step, Signal& signal) {
  const StepRun* base = evidence.base.step(step);
  const StepRun* fix = evidence.fix.step(step);
  if (base != nullptr) {
    signal.base_step = base->facts;
    signal.before = StepNumbers{base->facts.ending};
    signal.command = base->command;
  }
  if (fix != nullptr) {
    signal.fix_step = fix->facts;
    signal.after = StepNumbers{fix->facts.ending};
    signal.command = fix->command;
  }
  if (base != nullptr && fix != nullptr) return true;
  signal.state = State::missing;
  Reasons reasons(signal.reasons);
  if (base == nullptr) signal.blame = Blame::base;
  if (base == nullptr) reasons.add("was not run at the base");
  if (fix != nullptr) return false;
  // Nothing else than `load` keeps tests from being run where there is something to run them on.
  const StepRun* install = evidence.fix.step("install");
  const bool lost = step == "tests" && base != nullptr && install != nullptr && install->success;
  if (lost) signal.blame = Blame::other;
  reasons.add(lost ? "was not run with the fix, as load has failed" : "was not run with the fix");
  return false;
}

void fail_with_output(const StepRun& fix, Signal& signal) {
  signal.state = State::failed;
  signal.excerpt = fix.excerpt;
  if (!signal.said.empty()) return;
  for (const StepLog* log : {&fix.out_log, &fix.err_log}) {
    signal.said += runners::tail(runners::told(log->kept, sandbox::Step().folder, kMaxLogBytes),
                                 kMaxExcerptBytes / 2);
  }
}

void judge_install(const Evidence& evidence, Signal& signal) {
  if (!take_step(evidence, "install", signal)) return;
  const StepRun& base = *evidence.base.step("install");
  const StepRun& fix = *evidence.fix.step("install");
  Reasons reasons(signal.reasons);
  if (fix.success) {
    signal.state = State::passed;
    if (!base.success) reasons.add("fails at the base: " + base.facts.ending);
    return;
  }
  fail_with_output(fix, signal);
  reasons.add(fix.facts.ending);
  add_lines(fix.errors, reasons);
}

void judge_build(const Evidence& evidence, Signal& signal) {
  if (!take_step(evidence, "build", signal)) return;
  const StepRun& base = *evidence.base.step("build");
  const StepRun& fix = *evidence.fix.step("build");
  Reasons reasons(signal.reasons);
  if (fix.success) {
    signal.state = State::passed;
    if (!base.success) reasons.add("fails at the base: " + base.facts.ending);
    return;
  }
  // Only an exit is an answer: what was ended for a limit might have gone either way.
  if (!base.success && base.facts.exit && fix.facts.exit) {
    signal.state = State::passed;
    signal.words = "fails as before";
    reasons.add("not comparable: it fails at the base as well (" + base.facts.ending + ", now " +
                fix.facts.ending + ")");
    return;
  }
  fail_with_output(fix, signal);
  reasons.add(fix.facts.ending + (base.success ? ", where the base succeeds" : ""));
  add_lines(fix.errors, reasons);
}

void judge_types(const Evidence& evidence, Signal& signal) {
  if (!take_step(evidence, "typecheck.typescript", signal)) return;
  const StepRun& base_step = *evidence.base.step("typecheck.typescript");
  const StepRun& fix_step = *evidence.fix.step("typecheck.typescript");
  const auto& base = evidence.base.types;
  const auto& fix = evidence.fix.types;
  if (base) signal.before = TypeNumbers{base->count};
  if (fix) signal.after = TypeNumbers{fix->count};
  Reasons reasons(signal.reasons);
  const std::string base_lacks = why_no_types(base, base_step);
  const std::string fix_lacks = why_no_types(fix, fix_step);
  if (!base_lacks.empty()) signal.blame = Blame::base;
  if (!base_lacks.empty()) reasons.add("at the base tsc " + base_lacks);
  if (!fix_lacks.empty()) reasons.add("with the fix tsc " + fix_lacks);
  if (!base_lacks.empty() || !fix_lacks.empty()) {
    fail_with_output(fix_step, signal);
    return;
  }
  signal.words = counted(fix->count, "error", "errors") + ", before " + grouped(base->count);
  if (fix->count > base->count) {
    fail_with_output(fix_step, signal);
    signal.said = without_asked(signal.said, evidence.fix.found_types);
    reasons.add(counted(fix->count, "error", "errors") + ", " + grouped(base->count) +
                " at the base");
  } else {
    signal.state = State::passed;
    judge_asked_types(evidence, signal, reasons);
  }
  judge_type_lines(*base, *fix, reasons);
}

}  // namespace cg::gate
