#include "flow/history/interrupted.h"

#include <algorithm>

namespace cg::history {

namespace {

constexpr std::string_view kBetween = ", ";

/// As the ledger has them.
std::vector<budget::Call> calls_of(const Story& story) {
  std::vector<budget::Call> out;
  for (const record::BudgetPrecharged& e : story.precharged) {
    budget::Call call;
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

Result<Interrupted, Problem> interrupted(const workspace::Access& access, const std::string& own,
                                         const record::RemediationStarted& about) {
  Interrupted out;
  CG_TRY_ASSIGN(const Workflows workflows, read_workflows(access));
  for (auto it = workflows.all.rbegin(); it != workflows.all.rend(); ++it) {
    if (it->id == own || it->task != "remediate") continue;
    if (it->ended && it->status != "interrupted") return out;
    CG_TRY_ASSIGN(const Story story, read_story(access, *it));
    if (!story.about || *story.about != about) continue;
    out.workflow = it->id;
    // Nobody was paid for recorded answers.
    if (!story.replayed) out.calls = calls_of(story);
    out.violations = story.violations;
    for (const record::AttemptEnded& attempt : story.attempts) {
      if (attempt.failing.empty()) continue;
      out.attempts[attempt.group].push_back({static_cast<unsigned>(attempt.attempt),
                                             parted(attempt.failing),
                                             {},
                                             "",
                                             parted(attempt.tried)});
    }
    return out;
  }
  return out;
}

}  // namespace cg::history
