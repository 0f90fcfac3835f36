#include <algorithm>
#include <set>

#include "base/base/text.h"
#include "base/json/json.h"
#include "prove/evidence/manifest.h"
#include "prove/evidence/verify_parts.h"

namespace cg::evidence {

namespace {

using json::Value;

constexpr std::string_view kNoIsolation = "none";

/// As an event holds the numbers of one side.
std::string numbers_of(const Value& side) {
  return side.is_null() ? "" : cut(json::write_json(side), 250);
}

/// Where several lockfiles were proven, the name of one stands before that of the gate.
bool is_signal(std::string_view name, std::string_view signal) {
  if (name == signal) return true;
  return name.size() > signal.size() && name.ends_with(signal) &&
         name[name.size() - signal.size() - 1] == ' ';
}

bool same_verdict(const report::Gate& gate, const record::SignalJudged& told,
                  const record::AttemptEnded& attempt) {
  const std::string reason =
      gate.passed || gate.reasons.empty() ? "" : cut(gate.reasons.front(), 500);
  const bool fails = (", " + attempt.failing + ", ").contains(", " + told.signal + ", ");
  // Of several lockfiles it may be another one's that is listed.
  const bool several = gate.signal != told.signal;
  // Where the base cannot be run, gates that wait for it are not listed one by one.
  const bool needed = gate.passed || gate.required == fails || (several && !gate.required) ||
                      (", " + attempt.failing + ", ").contains(", base, ");
  return is_signal(gate.signal, told.signal) && gate.passed == (told.passed == "yes") &&
         (gate.state == "passed") == gate.passed && needed &&
         numbers_of(gate.before) == told.before && numbers_of(gate.after) == told.after &&
         reason == told.reason;
}

bool is_step(const Value* step, std::string_view side, const Tale& tale) {
  if (step == nullptr) return false;
  if (step->is_null()) return true;
  return std::any_of(tale.steps.begin(), tale.steps.end(), [&](const record::StepRan& told) {
    return told.side == side && to_hex(told.out) == step->text("stdout_sha256") &&
           to_hex(told.err) == step->text("stderr_sha256");
  });
}

Value reasons_of(const report::Gate& gate) {
  Value::Array out;
  for (const std::string& reason : gate.reasons) out.emplace_back(reason);
  return out;
}

/// Empty if the document says of the gate what the case and the events do.
std::string document_fault(std::string_view text, const report::Gate& gate,
                           const record::AttemptEnded& attempt, const Tale& tale) {
  const auto parsed = json::parse_json(text);
  if (!parsed) return "is not the document of a gate";
  const auto is = [&](std::string_view key, const Value& value) {
    const Value* found = parsed->find(key);
    return found != nullptr && *found == value;
  };
  if (!is_signal(gate.signal, parsed->text("signal")) || parsed->text("signal").empty()) {
    return "is of another gate";
  }
  if (!is("state", gate.state) || !is("passed", gate.passed) || !is("required", gate.required) ||
      !is("before", gate.before) || !is("after", gate.after) || !is("reasons", reasons_of(gate)) ||
      !is("weak", gate.weak)) {
    return "says something else than the case";
  }
  if (!is("isolation_class", attempt.isolation)) return "has another isolation than the events";
  if (!is_step(parsed->find("base"), "base", tale) || !is_step(parsed->find("fix"), "fix", tale)) {
    return "rests on a step that no event has";
  }
  return "";
}

/// A matter of locks and advisories alone.
bool needs_no_run(std::string_view name) {
  return is_signal(name, "lockfile_policy") || is_signal(name, "cve_delta");
}

class Gates {
 public:
  Gates(const Files& files, const report::Case& c, const Tale& tale, BundleReport& out)
      : files_(files), c_(c), tale_(tale), out_(out) {}

  void run() {
    const std::size_t before = out_.breaks.size();
    verdicts();
    for (std::size_t i = 0; i < std::min(c_.branches.size(), tale_.branches.size()); ++i) branch(i);
    isolation();
    if (out_.breaks.size() != before) return;
    const auto passed = std::count_if(c_.gates.begin(), c_.gates.end(),
                                      [](const report::Gate& gate) { return gate.passed; });
    const bool unproven = !c_.unproven.empty();
    out_.checked.push_back(
        (unproven ? "the gates said what the case says, " : "every branch passed its gates, ") +
        std::to_string(passed) + (unproven ? " passed" : "") + " in all, isolation " +
        printable(c_.isolation_class));
  }

 private:
  void wrong(const std::string& file, std::string what) {
    out_.breaks.push_back({printable(file), std::move(what)});
  }

  /// The case has the verdicts of the last attempt at each group, in the order of the events.
  void verdicts() {
    std::size_t at = 0;
    for (const Tried* tried : tale_.last_tries()) {
      for (std::size_t i = 0; i < tried->signals.size(); ++i) {
        const record::SignalJudged& told = tried->signals[i];
        if (at == c_.gates.size()) {
          return wrong(std::string(kCase), "lacks verdicts of gates that the events have");
        }
        const report::Gate& gate = c_.gates[at++];
        if (!same_verdict(gate, told, tried->ended) || cut(gate.weak, 500) != tried->weak[i]) {
          return wrong(std::string(kCase),
                       "says of gate " + printable(gate.signal) + " what the events do not");
        }
      }
    }
    if (at != c_.gates.size()) {
      wrong(std::string(kCase), "has verdicts of gates that the events have not");
    }
  }

  void branch(std::size_t i) {
    const std::string& name = c_.branches[i].name;
    const Tried& tried = tale_.tries[tale_.branches[i].attempt];
    const std::string folder = branch_folder(i, c_.branches.size());
    std::set<std::string> documents;
    const bool unproven = c_.branches[i].outcome == report::kUnproven;
    std::size_t passed = 0;
    for (const report::Gate& gate : c_.gates) {
      if (gate.branch != name) continue;
      if (gate.passed && gate.required) ++passed;
      const bool may_wait = unproven && !needs_no_run(gate.signal);
      if (gate.required && !gate.passed && !may_wait) {
        wrong(std::string(kCase),
              printable(name) + " is a branch, and did not pass " + printable(gate.signal));
      }
      const std::string path = folder + gate_file(gate.signal);
      documents.insert(path);
      const auto found = files_.find(path);
      const std::string fault = found == files_.end()
                                    ? "is missing"
                                    : document_fault(found->second, gate, tried.ended, tale_);
      if (!fault.empty()) wrong(path, fault);
    }
    const std::string_view shown =
        report::is_weak(c_.gates, name) ? report::kWeak : report::kProven;
    if (!unproven && c_.branches[i].outcome != shown) {
      wrong(std::string(kCase), "calls " + printable(name) + " " +
                                    printable(c_.branches[i].outcome) + ", which its gates do not");
    }
    if (passed == 0 || documents.size() != tried.signals.size()) {
      wrong(folder + "gates/", "does not have what the gates said of " + printable(name));
    }
    const std::string prefix = folder + "gates/";
    for (auto it = files_.lower_bound(prefix); it != files_.end(); ++it) {
      if (!it->first.starts_with(prefix)) break;
      if (!documents.contains(it->first)) wrong(it->first, "is of no gate that the case has");
    }
  }

  bool was_opened(const std::string& isolation, std::string_view side) const {
    return std::any_of(tale_.sandboxes.begin(), tale_.sandboxes.end(),
                       [&](const record::SandboxOpened& opened) {
                         return opened.side == side && opened.isolation == isolation;
                       });
  }

  /// The class of the case is one that a gate ran in. Of the two sides it is the weaker one's.
  void isolation() {
    std::string last;
    for (const Tried* tried : tale_.last_tries()) {
      const std::string& held = tried->ended.isolation;
      if (!held.empty()) last = held;
      if (!tried->passed()) continue;
      if (held.empty() || held == kNoIsolation ||
          (!was_opened(held, "base") && !was_opened(held, "fix"))) {
        wrong(std::string(kEvents),
              "has an attempt that passed in an isolation that was not there");
      }
    }
    if (c_.isolation_class != last || (last.empty() && !c_.branches.empty())) {
      wrong(std::string(kCase),
            "says isolation " + printable(c_.isolation_class) + ", which is not that of its gates");
    }
  }

  const Files& files_;
  const report::Case& c_;
  const Tale& tale_;
  BundleReport& out_;
};

}  // namespace

void judge_gates(const Files& files, const report::Case& c, const Tale& tale, BundleReport& out) {
  Gates(files, c, tale, out).run();
}

}  // namespace cg::evidence
