#include "prove/gate/verdict.h"

#include <algorithm>
#include <array>

#include "base/base/match.h"
#include "base/base/text.h"
#include "prove/gate/judges.h"
#include "prove/runners/shown.h"

namespace cg::gate {

namespace {

bool holds(const sandbox::InForce& in_force) {
  return in_force.isolation != sandbox::Isolation::none &&
         std::all_of(in_force.layers.begin(), in_force.layers.end(),
                     [](const sandbox::Layer& layer) { return layer.held || !layer.mandatory; });
}

Failed failed_of(std::vector<Signal> signals, const std::optional<Isolated>& isolated) {
  Failed out;
  const auto say = [&](const std::string& name, const std::string& why) {
    out.failing.push_back(name);
    if (!out.summary.empty()) out.summary += "; ";
    out.summary += name + ": " + why;
  };
  if (isolated) {
    out.isolation = isolated->isolation();
  } else {
    say(std::string(kIsolation), "the steps were not kept apart from the host");
  }
  for (const Signal& signal : signals) {
    if (!signal.blocks()) continue;
    say(signal.name,
        signal.reasons.empty() ? std::string(name(signal.state)) : signal.reasons.front());
  }
  const bool forged = std::any_of(signals.begin(), signals.end(),
                                  [](const Signal& s) { return s.state == State::forged; });
  if (forged) out.failing.emplace_back(kForged);
  std::sort(out.failing.begin(), out.failing.end());
  out.summary = runners::one_line(out.summary, 1024);
  out.signals = std::move(signals);
  return out;
}

/// What an installer says is wrong, in one line: its first words are seldom those that tell.
std::string said_by(const StepRun& install) {
  constexpr std::size_t kMostLines = 5;
  constexpr std::array<std::string_view, 2> kMarks = {"npm error", "npm ERR!"};
  std::string out;
  std::size_t count = 0;
  const std::string& errors = install.errors.empty() ? install.excerpt : install.errors;
  for (std::string_view line : split(errors, '\n')) {
    for (const std::string_view mark : kMarks) {
      if (line.starts_with(mark)) line.remove_prefix(mark.size());
    }
    line = trim(line);
    if (line.empty() || count == kMostLines) continue;
    out += (count++ == 0 ? "" : "; ") + std::string(line);
  }
  out = runners::one_line(out, 2 * kMaxReasonBytes);
  // yarn 1 insists on the engines of whatever it installs, npm and pnpm where they are told to.
  constexpr std::array<std::string_view, 3> kEngines = {
      "The engine \"node\" is incompatible", "EBADENGINE", "ERR_PNPM_UNSUPPORTED_ENGINE"};
  const bool wants_node = std::any_of(kEngines.begin(), kEngines.end(), [&](std::string_view one) {
    return errors.find(one) != std::string::npos;
  });
  return wants_node ? out + " (put a node that it asks for first in PATH)" : out;
}

bool is_weak(const std::vector<Signal>& signals) {
  return std::any_of(signals.begin(), signals.end(),
                     [](const Signal& signal) { return signal.passed() && !signal.weak.empty(); });
}

Failed too_weak(std::vector<Signal> signals, const Isolated& isolated, WeakProof weak) {
  Failed out;
  out.isolation = isolated.isolation();
  out.for_a_person = weak == WeakProof::handoff;
  out.failing = {std::string(kWeak)};
  for (const Signal& signal : signals) {
    if (!signal.passed() || signal.weak.empty()) continue;
    out.summary += (out.summary.empty() ? "" : "; ") + signal.name + ": " + signal.weak;
  }
  out.summary = runners::one_line(out.summary, 1024);
  out.signals = std::move(signals);
  return out;
}

}  // namespace

std::optional<Isolated> Isolated::of(const sandbox::InForce& base, const sandbox::InForce& fix) {
  if (!holds(base) || !holds(fix)) return std::nullopt;
  return Isolated(std::min(base.isolation, fix.isolation));  // in the order of their strength
}

Verdict judge(const Trial& base, const Trial& fix, const Comparison& comparison) {
  std::vector<Signal> signals = all_signals({base, fix, comparison});
  const std::optional<Isolated> isolated = Isolated::of(base.in_force, fix.in_force);
  const bool blocked = std::any_of(signals.begin(), signals.end(),
                                   [](const Signal& signal) { return signal.blocks(); });
  if (!isolated || blocked) return failed_of(std::move(signals), isolated);
  if (comparison.weak != WeakProof::allow && is_weak(signals)) {
    return too_weak(std::move(signals), *isolated, comparison.weak);
  }
  return Passed(std::move(signals), *isolated);
}

std::string why_unprovable(const Trial& base, const Checks& checks) {
  const StepRun* install = base.step("install");
  if (install != nullptr && !install->success) {
    return "the packages cannot be installed at the base (" + install->facts.ending +
           "): " + said_by(*install);
  }
  const StepRun* tests = base.step("tests");
  const bool is_whole =
      base.tests && base.tests->detail == runners::Detail::cases && base.tests->complete;
  if (checks.tests && tests != nullptr && !tests->facts.exit && !is_whole) {
    return "the tests at the base were ended before they were through (" + tests->facts.ending +
           "), so there is nothing to compare a fix with: what a step may take is gates.limits of "
           "policy/policy.yaml";
  }
  // What names its tests, or was asked to, can be compared by name, or by being without failure.
  const bool by_ending = base.tests && !base.tests->asked;
  if (checks.tests && tests != nullptr && by_ending && !tests->success) {
    return "the tests fail at the base (" + tests->facts.ending +
           ") and do not say by name which, so nobody could tell whether more fail with a fix";
  }
  return {};
}

Verdict unprovable(const Trial& base, std::string why, const Comparison& comparison) {
  Failed out;
  out.failing = {std::string(kBase)};
  out.summary = std::move(why);
  out.isolation = base.in_force.isolation;
  out.signals = signals_at_base(base, comparison);
  for (const Signal& signal : out.signals) {
    if (needs_no_run(signal.name) && signal.blocks()) out.failing.push_back(signal.name);
  }
  std::sort(out.failing.begin(), out.failing.end());
  return out;
}

bool is_unprovable(const Failed& failed) {
  return failed.failing == std::vector{std::string(kBase)};
}

bool Passed::weak() const { return is_weak(signals_); }

const std::vector<Signal>& signals_of(const Verdict& verdict) {
  if (const auto* passed = std::get_if<Passed>(&verdict)) return passed->signals();
  return std::get<Failed>(verdict).signals;
}

sandbox::Isolation isolation_of(const Verdict& verdict) {
  return match(
      verdict, [](const Passed& passed) { return passed.isolation(); },
      [](const Failed& failed) { return failed.isolation; });
}

}  // namespace cg::gate
