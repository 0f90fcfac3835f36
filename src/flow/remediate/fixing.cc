#include "flow/remediate/fixing.h"

#include <algorithm>
#include <utility>

#include "base/base/match.h"
#include "base/base/text.h"
#include "base/json/json.h"
#include "flow/history/interrupted.h"
#include "prove/gate/signal_json.h"

namespace cg::remediate {

namespace {

using history::joined;

/// Stands where the failing gates of an attempt stand, if it never came to them.
constexpr const char* kNoProposal = "proposal";

/// "" where a side has no numbers.
std::string numbers_text(const json::Value& side) {
  return side.is_null() ? "" : json::write_json(side);
}

/// After the bare version: whether the gates leave something to ask a model about. That they show
/// little is such a thing.
bool may_go_on(const gate::AttemptSummary& bare) {
  if (bare.failing == std::vector<std::string>{std::string(gate::kWeak)}) return true;
  return std::holds_alternative<gate::Retry>(gate::next({bare}));
}

/// The failures of several lockfiles as one.
gate::Failed as_one(std::vector<gate::Failed> all) {
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

std::string_view standing_of(const SettledGroup& group) {
  if (group.attempted.unprovable) return "Unproven";
  if (!group.attempted.passed) {
    return group.attempted.for_a_person ? "Left for a person, as its proof is weak" : "Turned down";
  }
  return group.branch.outcome == "weak" ? "Passed, but weak" : "Proven";
}

std::optional<unsigned> Fixing::next() {
  if (over_) return std::nullopt;
  // What was tried before anybody is asked is nobody's attempt, unless it shows that nothing can be
  // tried here: what recipes had, and the version alone.
  std::size_t before = group_.handed_on ? propose::unasked(*group_.handed_on) : 0;
  if (history_.size() <= before)
    before = history_.empty() || !may_go_on(history_.back()) ? 0 : history_.size();
  const gate::Next next =
      gate::next({history_.begin() + static_cast<std::ptrdiff_t>(before), history_.end()});
  if (const auto* final = std::get_if<gate::Final>(&next)) {
    out_.why = final->reason;
    return std::nullopt;
  }
  const unsigned number = std::get<gate::Retry>(next).number + static_cast<unsigned>(before);
  if (number <= max_attempts_) return number;
  out_.why = "no more attempts were asked for";
  return std::nullopt;
}

const propose::Candidate* Fixing::consider(unsigned number, propose::Answer answer,
                                           record::Events& events) {
  return match(
      std::move(answer),
      [&](propose::Candidate&& candidate) -> const propose::Candidate* {
        std::vector<evidence::FailedAttempt> failed = std::move(out_.failed);
        std::vector<precedent::Mistake> mistakes = std::move(out_.mistakes);
        before_ = std::exchange(out_, {});
        out_.failed = std::move(failed);
        out_.mistakes = std::move(mistakes);
        out_.attempts = number;
        out_.candidate = std::move(candidate);
        return &out_.candidate;
      },
      [&](propose::NoPlan&& none) -> const propose::Candidate* {
        // An attempt like any other, but that no gate saw it.
        history_.push_back({number, {kNoProposal}, {}, "", {none.why}, std::move(none.told)});
        events.emplace_back(
            record::AttemptEnded{number, kNoProposal, group_.id, "", cut(none.why, 2000)});
        return nullptr;
      },
      [&](propose::GivenUp&& given_up) -> const propose::Candidate* {
        over_ = true;
        out_.why = std::move(given_up.why);
        out_.stopped = std::move(given_up.stopped);
        return nullptr;
      });
}

void Fixing::stop(std::string why) {
  over_ = true;
  out_.why = std::move(why);
}

void Fixing::abandon(std::string why) {
  std::vector<evidence::FailedAttempt> failed = std::move(out_.failed);
  std::vector<precedent::Mistake> mistakes = std::move(out_.mistakes);
  out_ = std::move(before_);
  out_.failed = std::move(failed);
  out_.mistakes = std::move(mistakes);
  out_.untried = out_.gates.empty();
  out_.why = std::move(why);
  over_ = true;
}

std::string Fixing::title() const {
  return "attempt " + std::to_string(out_.attempts) + ": " + cut(joined(out_.candidate.brings), 80);
}

void Fixing::judge(job::EditedFiles files, std::vector<proving::Proof> proofs,
                   record::Events& events) {
  out_.files = std::move(files);
  out_.bare = out_.candidate.shows == propose::Shows::by_name;
  std::vector<gate::Failed> failures;
  std::vector<report::Unprovable> causes;
  for (proving::Proof& proof : proofs) {
    tell(proof, proofs.size() > 1, events);
    const auto* down = std::get_if<gate::Failed>(&proof.verdict);
    if (down != nullptr && gate::is_unprovable(*down)) {
      causes.push_back({proof.lockfile, cut(down->summary, 1000)});
    }
    match(
        std::move(proof.verdict),
        [&](gate::Passed&& passed) { out_.proof.push_back(std::move(passed)); },
        [&](gate::Failed&& failed) { failures.push_back(std::move(failed)); });
  }
  over_ = out_.passed = failures.empty();
  std::string failing;
  if (out_.passed) {
    const auto& thought = out_.candidate.documents;
    out_.documents.insert(out_.documents.end(), thought.begin(), thought.end());
  } else {
    out_.proof.clear();
    out_.for_a_person = std::all_of(failures.begin(), failures.end(),
                                    [](const gate::Failed& one) { return one.for_a_person; });
    if (std::all_of(failures.begin(), failures.end(), gate::is_unprovable)) {
      for (const report::Unprovable& one : causes) {
        events.emplace_back(
            record::BaseUnprovable{out_.attempts, one.cause, group_.id, cut(one.lockfile, 500)});
      }
      out_.unprovable = Unproven::of(std::move(causes));
    }
    gate::Failed failed = as_one(std::move(failures));
    if (out_.candidate.lesson && !out_.unprovable) {
      out_.mistakes.push_back({*out_.candidate.lesson, failed, out_.attempts});
    }
    history_.push_back(gate::summarise(out_.attempts, std::move(failed), out_.candidate.brings));
    failing = joined(history_.back().failing);
    out_.failed.push_back({group_.id, out_.attempts, cut(failing, 500), out_.documents});
  }
  events.emplace_back(record::AttemptEnded{out_.attempts, cut(failing, 500), group_.id,
                                           out_.isolation,
                                           cut(joined(out_.candidate.brings), 2000)});
}

/// One proof as the log and the reports tell it.
void Fixing::tell(const proving::Proof& proof, bool several, record::Events& events) {
  const sandbox::Isolation isolation = gate::isolation_of(proof.verdict);
  out_.isolation = sandbox::name(isolation);
  for (const gate::Signal& signal : gate::signals_of(proof.verdict)) {
    const json::Value json = gate::to_json(signal);
    const json::Value& before = *json.find("before");
    const json::Value& after = *json.find("after");
    events.emplace_back(record::SignalJudged{
        cut(numbers_text(after), 250), out_.attempts, cut(numbers_text(before), 250), group_.id,
        signal.passed() ? "yes" : "no",
        signal.reasons.empty() || signal.passed() ? "" : cut(signal.reasons.front(), 500),
        cut(signal.name, 60)});
    if (!signal.weak.empty()) {
      events.emplace_back(
          record::ProofWeak{out_.attempts, group_.id, cut(signal.weak, 500), cut(signal.name, 60)});
    }
    if (signal.state == gate::State::forged) {
      events.emplace_back(record::AnswerForged{
          out_.attempts, group_.id, signal.reasons.empty() ? "" : cut(signal.reasons.front(), 500),
          cut(signal.name, 60)});
    }
    const std::string name = several ? proof.lockfile + " " + signal.name : signal.name;
    out_.gates.push_back(
        {"", name, std::string(gate::name(signal.state)), signal.required, signal.passed(), before,
         after, signal.words, signal.reasons, signal.weak, std::string(signal.side()),
         signal.blocks() && !signal.failing_tests.empty() ? signal.failing_tests.front()
                                                          : std::string()});
    out_.documents.emplace_back(evidence::gate_file(name),
                                json::write_json_pretty(gate::gate_document(signal, isolation)));
    if (signal.blocks() && !signal.excerpt.empty()) out_.excerpts.push_back(signal.excerpt);
  }
}

}  // namespace cg::remediate
