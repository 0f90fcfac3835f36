#include "proving/attempts.h"

#include <algorithm>
#include <set>

#include "base/base/match.h"
#include "base/base/text.h"
#include "base/json/json.h"
#include "history/workflows.h"
#include "prove/gate/signal_json.h"
#include "trust/hash/blake3.h"

namespace cg::program {

namespace {

constexpr std::string_view kBetween = ", ";

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) {
    if (!out.empty()) out += kBetween;
    out += word;
  }
  return out;
}

std::vector<std::string> parted(std::string_view text) {
  std::vector<std::string> out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(kBetween), text.size());
    out.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + kBetween.size(), text.size()));
  }
  return out;
}

/// "qs 6.7.3" of every package that moved: what is new only came along.
std::vector<std::string> versions_of(const Means& means, const std::vector<LockPlan>& plans) {
  std::set<std::string> out;
  for (const LockPlan& one : plans) {
    const npm::Graph& graph = means.scanned.loaded.locks[one.lock].graph;
    std::set<std::string_view> known;
    for (const npm::Node& node : graph.nodes()) known.insert(node.location);
    for (const edit::PutCopy& put : one.plan.lock.put) {
      if (known.contains(put.location)) out.insert(put.release->name + " " + put.release->version);
    }
  }
  return {out.begin(), out.end()};
}

std::vector<plan::Tried> tried_of(const std::vector<gate::AttemptSummary>& history) {
  std::vector<plan::Tried> out;
  for (const gate::AttemptSummary& attempt : history) {
    for (const std::string& word : attempt.tried) {
      const std::size_t space = word.rfind(' ');
      if (space != std::string::npos)
        out.push_back({word.substr(0, space), word.substr(space + 1)});
    }
  }
  return out;
}

/// "" where a side has no numbers.
std::string numbers_text(const json::Value& side) {
  return side.is_null() ? "" : json::write_json(side);
}

/// One attempt as the log and the reports tell it.
class Telling {
 public:
  Telling(Attempted& out, const std::string& group, record::Events& events)
      : out_(out), group_(group), events_(events) {}

  void proof(const Proof& proof, bool several) {
    const sandbox::Isolation isolation = gate::isolation_of(proof.verdict);
    out_.isolation = sandbox::name(isolation);
    for (const gate::Signal& signal : gate::signals_of(proof.verdict)) {
      const json::Value json = gate::to_json(signal);
      const json::Value& before = *json.find("before");
      const json::Value& after = *json.find("after");
      events_.emplace_back(record::SignalJudged{
          cut(numbers_text(after), 250), out_.attempts, cut(numbers_text(before), 250), group_,
          signal.passed() ? "yes" : "no",
          signal.reasons.empty() || signal.passed() ? "" : cut(signal.reasons.front(), 500),
          cut(signal.name, 60)});
      const std::string name = several ? proof.lockfile + " " + signal.name : signal.name;
      out_.gates.push_back({"", name, std::string(gate::name(signal.state)), signal.required,
                            signal.passed(), before, after, signal.words, signal.reasons});
      std::string file = name;
      std::replace(file.begin(), file.end(), '/', '-');
      std::replace(file.begin(), file.end(), ' ', '-');
      out_.documents.emplace_back("gates/" + file + ".json",
                                  json::write_json_pretty(gate::gate_document(signal, isolation)));
      if (signal.blocks() && !signal.excerpt.empty()) out_.excerpts.push_back(signal.excerpt);
    }
  }

 private:
  Attempted& out_;
  const std::string& group_;
  record::Events& events_;
};

/// The failures of several lockfiles as one.
gate::Failed together(std::vector<gate::Failed> all) {
  gate::Failed out = std::move(all.front());
  for (std::size_t i = 1; i < all.size(); ++i) {
    out.failing.insert(out.failing.end(), all[i].failing.begin(), all[i].failing.end());
    out.summary += "; " + all[i].summary;
    out.signals.insert(out.signals.end(), all[i].signals.begin(), all[i].signals.end());
  }
  std::sort(out.failing.begin(), out.failing.end());
  out.failing.erase(std::unique(out.failing.begin(), out.failing.end()), out.failing.end());
  return out;
}

}  // namespace

bool fixes_all(const std::vector<LockPlan>& plans) {
  for (const LockPlan& one : plans) {
    for (const plan::Copy& copy : one.plan.copies) {
      if (copy.verdict != plan::Verdict::fixed) return false;
    }
  }
  return !plans.empty();
}

std::string group_id(const report::Case& c, const std::vector<std::size_t>& steps) {
  std::set<std::string> copies;
  for (const report::Copy& copy : c.copies) {
    if (std::find(steps.begin(), steps.end(), copy.step) == steps.end()) continue;
    copies.insert(copy.lockfile + "\n" + copy.location + "\n" + copy.advisory + "\n");
  }
  hash::Blake3 digest("codegenie 2026 group of copies v1");
  for (const std::string& copy : copies) digest.update(as_bytes(copy));
  return to_hex(digest.finish());
}

namespace {

/// As the ledger has them.
std::vector<budget::LoggedCall> calls_of(const Story& story) {
  std::vector<budget::LoggedCall> out;
  for (const record::BudgetPrecharged& e : story.precharged) {
    budget::LoggedCall call;
    call.id = e.call;
    call.reserved_tokens = e.tokens;
    call.reserved_usd = Money::parse(e.usd).value_or(Money::most());
    for (const record::BudgetReconciled& r : story.reconciled) {
      if (r.call != e.call) continue;
      const bool known = r.known == "yes";
      call.state = known ? budget::Call::State::settled : budget::Call::State::forfeited;
      if (known) {
        call.usage = {r.input, r.output, r.cache_write, r.cache_read};
        call.usd = Money::parse(r.usd).value_or(Money::most());
      }
    }
    out.push_back(call);
  }
  return out;
}

}  // namespace

Result<Interrupted, Problem> interrupted(const Access& access, const Recording& own,
                                         const record::RemediationStarted& about) {
  Interrupted out;
  CG_TRY_ASSIGN(const Workflows workflows, read_workflows(access));
  for (auto it = workflows.all.rbegin(); it != workflows.all.rend(); ++it) {
    if (it->id == own.id() || it->task != "remediate") continue;
    if (it->ended) return out;
    CG_TRY_ASSIGN(const Story story, read_story(access, *it));
    if (!story.about || *story.about != about) continue;
    out.workflow = it->id;
    out.calls = calls_of(story);
    out.violations = story.violations;
    for (const record::AttemptEnded& attempt : story.attempts) {
      if (attempt.failing.empty()) continue;
      out.history[attempt.group].push_back({static_cast<unsigned>(attempt.attempt),
                                            parted(attempt.failing),
                                            {},
                                            "",
                                            parted(attempt.tried)});
    }
    return out;
  }
  return out;
}

Result<Done, Problem> try_plans(const Trying& trying, const Means& means, unsigned number,
                                const std::string& group, Attempted& out,
                                std::vector<gate::AttemptSummary>& history) {
  record::Events& events = trying.recording.events();
  out.attempts = number;
  CG_TRY_ASSIGN(Edited edited, apply_plans(means, out.plans, trying.registry));
  CG_TRY_ASSIGN(const Scanned after, trying.scan(std::move(edited.locks)));
  out.files = std::move(edited.files);
  out.files.insert(out.rewritten.begin(), out.rewritten.end());
  std::vector<std::string> tried = versions_of(trying.means, out.plans);
  for (const auto& [path, bytes] : out.rewritten) tried.push_back("rewritten " + path);
  const std::string title = "attempt " + std::to_string(number) + ": " + cut(joined(tried), 80);
  CG_TRY_ASSIGN(
      std::vector<Proof> proofs,
      trying.proving.prove({title, out.plans, out.files, trying.means.scanned, after}, events));
  Telling telling(out, group, events);
  std::vector<gate::Failed> failures;
  for (Proof& proof : proofs) {
    telling.proof(proof, proofs.size() > 1);
    match(
        std::move(proof.verdict),
        [&](gate::Passed&& passed) { out.proof.push_back(std::move(passed)); },
        [&](gate::Failed&& failed) { failures.push_back(std::move(failed)); });
  }
  out.passed = failures.empty();
  std::string failing;
  if (!out.passed) {
    out.proof.clear();
    history.push_back(gate::summarise(number, together(std::move(failures)), tried));
    failing = joined(history.back().failing);
  }
  events.emplace_back(record::AttemptEnded{number, cut(failing, 500), group, out.isolation,
                                           cut(joined(tried), 2000)});
  return trying.recording.write();
}

Result<Attempted, Problem> attempt(const Trying& trying, const std::vector<LockPlan>& plans,
                                   const std::vector<std::size_t>& steps, const std::string& group,
                                   std::vector<gate::AttemptSummary> history) {
  Attempted out;
  for (;;) {
    const gate::Next next = gate::next(history);
    if (const auto* final = std::get_if<gate::Final>(&next)) {
      out.why = final->reason;
      return out;
    }
    const unsigned number = std::get<gate::Retry>(next).number;
    if (number > trying.max_attempts) {
      out.why = "no more attempts were asked for";
      return out;
    }
    Means means = trying.means;
    means.tried = tried_of(history);
    // A branch stands on its own: its copies are planned for again, without the others.
    std::vector<LockPlan> own = plans_for(means, plans, steps);
    if (!fixes_all(own)) {
      out.why = history.empty() ? "the fix does not stand alone; --group one may help"
                                : "there is no other fix that does not bring the same versions";
      return out;
    }
    out = {};
    out.plans = std::move(own);
    out.avoided = means.tried;
    CG_TRY(try_plans(trying, means, number, group, out, history));
    if (out.passed) return out;
  }
}

}  // namespace cg::program
