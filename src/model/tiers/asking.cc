#include "model/tiers/asking.h"

#include <algorithm>
#include <utility>

#include "base/base/match.h"
#include "base/base/text.h"
#include "model/budget/forecast.h"
#include "model/leaf/wire.h"
#include "model/proposal/feedback.h"
#include "trust/hash/blake3.h"

namespace cg::tiers {

namespace {

constexpr std::string_view kPlanContext = "codegenie 2026 plan proposal v1";

hash::Digest digest_of(std::string_view context, std::string_view text) {
  hash::Blake3 digest(context);
  digest.update(as_bytes(text));
  return digest.finish();
}

const std::string& rationale_of(const proposal::Proposal& plan) {
  return std::visit([](const auto& one) -> const std::string& { return one.rationale; }, plan);
}

std::string short_text(std::string_view text, std::size_t most) {
  return std::string(cut_utf8(text, most));
}

}  // namespace

std::vector<Text> Asking::examples(const Question& question, unsigned attempt) {
  std::vector<Text> out;
  for (const Example& example : tools_.retrieval.nearest(question, attempt, events_)) {
    events_.emplace_back(record::RagHit{question.task.advisory, attempt, example.record,
                                        example.similarity, example.degraded ? "degraded" : "hit"});
    out.push_back({SourceKind::rag_retrieved, example.text, example.record});
  }
  if (out.empty()) {
    events_.emplace_back(
        record::RagMiss{question.task.advisory, attempt, "", "there is no solved example like it"});
  }
  return out;
}

/// Once a plan of ours has failed, that says more than an example could.
std::vector<Text> Asking::texts_beside(const Question& question, unsigned attempt,
                                       const std::vector<Text>& failure) {
  std::vector<Text> out = failure;
  if (attempt == question.before + 1) {
    for (Text& text : examples(question, attempt)) out.push_back(std::move(text));
  }
  return out;
}

/// What one call may take, less what it takes without a body. As the ledger counts.
std::size_t Asking::room_for_body(std::string_view system) const {
  const std::size_t rest =
      leaf::write_question(net::Wire::messages, {calls_.model(), system, "", leaf::kMaxTokens})
          .size();
  const std::uint64_t all = budget::most_bytes(ledger().caps().tokens_per_call, leaf::kMaxTokens);
  return all - std::min<std::uint64_t>(all, rest);
}

prompt::Prompt Asking::build(const Question& question, const std::vector<Text>& more,
                             prompt::Repair repair) {
  prompt::PromptBuilder builder(tools_.skill, tools_.nonces);
  builder.task(question.task).repair(repair).fit(room_for_body(builder.system().text()));
  for (const auto* texts : {&question.texts, &more}) {
    for (const Text& text : *texts) {
      builder.add(text.kind, text.payload, text.label, text.line, text.shorter);
    }
  }
  prompt::Prompt prompt = std::move(builder).build();
  for (prompt::Segment& one : prompt::segments_of(prompt.events, prompt.body.text())) {
    const bool known = std::find(marked_.begin(), marked_.end(), one) != marked_.end();
    if (prompt::is_marked(one) && !known) marked_.push_back(std::move(one));
  }
  for (record::Event& event : prompt.events) events_.push_back(std::move(event));
  prompt.events.clear();
  return prompt;
}

/// As the budget counts it, whoever is asked.
std::string Asking::request_of(const prompt::Prompt& prompt) const {
  return leaf::write_question(net::Wire::messages, {tools_.model, prompt.system.text(),
                                                    prompt.body.text(), leaf::kMaxTokens});
}

Result<std::variant<leaf::Answer, GivenUp>, Problem> Asking::call(const Attempt& attempt,
                                                                  const prompt::Prompt& prompt) {
  CG_TRY_ASSIGN(auto made, calls_.make({attempt.question.group, attempt.number}, prompt));
  return match(
      std::move(made),
      [](Unaffordable&& none) -> std::variant<leaf::Answer, GivenUp> {
        return GivenUp{GivenUp::Why::budget, std::move(none.reason), std::nullopt};
      },
      [](Called&& called) -> std::variant<leaf::Answer, GivenUp> {
        if (const auto* failed = std::get_if<leaf::Failure>(&called.answer)) {
          return GivenUp{GivenUp::Why::leaf, failed->detail, failed->kind};
        }
        return std::move(called.answer);
      });
}

NoPlan Asking::reject(const Attempt& attempt, const leaf::Trace& trace, Rejected rejected) {
  const std::string where = printable(rejected.where);
  events_.emplace_back(record::PlanProposalRejected{
      attempt.number, trace.response, attempt.question.group, short_text(rejected.rule, 60),
      violations_, short_text(where, 250)});
  return {"what the model said was turned down: " + rejected.rule +
              (where.empty() ? "" : " (" + where + ")"),
          std::move(rejected.told)};
}

Asked Asking::violated(const Attempt& attempt, const leaf::Violated& answer) {
  ++violations_;
  const std::string fault(proposal::name(answer.violation.fault));
  NoPlan rejected = reject(attempt, answer.trace, {fault, answer.violation.where});
  if (violations_ < kMaxViolations) return rejected;
  return GivenUp{
      GivenUp::Why::violations,
      "the model broke the protocol " + std::to_string(violations_) + " times, last: " + fault,
      std::nullopt};
}

Asked Asking::read(const Attempt& attempt, leaf::Proposed&& proposed, const hash::Digest& prompt) {
  const proposal::Proposal& plan = proposed.plan;
  if (const auto* refused = std::get_if<proposal::Refuse>(&plan)) {
    events_.emplace_back(record::PlanProposalAccepted{
        attempt.number, digest_of(kPlanContext, proposal::write(plan)), attempt.question.group,
        "refuse", digest_of(kPlanContext, refused->rationale)});
    return GivenUp{GivenUp::Why::refused_by_model,
                   "the model gave up: " + std::string(proposal::name(refused->reason)),
                   std::nullopt, refused->rationale};
  }
  if (auto broken = attempt.judge(plan)) {
    return Asked(reject(attempt, proposed.trace, *std::move(broken)));
  }
  events_.emplace_back(record::PlanProposalAccepted{
      attempt.number, digest_of(kPlanContext, proposal::write(plan)), attempt.question.group,
      std::string(proposal::kind_of(plan)), digest_of(kPlanContext, rationale_of(plan))});
  return Planned{std::move(proposed.plan), std::move(proposed.trace), prompt};
}

Asking::Bill Asking::bill() const {
  if (tools_.answers == Tools::Answers::live) return {ledger().spent(), {}};
  return {ledger().spent(0, before_), ledger().spent(before_, ledger().calls().size())};
}

Preview Asking::preview(const Question& question, unsigned attempt,
                        const std::vector<Text>& failure) {
  const std::size_t told = events_.size();
  const prompt::Prompt prompt =
      build(question, texts_beside(question, attempt, failure), prompt::Repair::none);
  const record::Events made(events_.begin() + static_cast<std::ptrdiff_t>(told), events_.end());
  Preview out;
  out.system = prompt.system.text();
  out.user = prompt.body.text();
  out.segments = prompt::segments_of(made, out.user);
  out.model = tools_.model;
  out.bytes = request_of(prompt).size();
  budget::Ledger ledger = calls_.ledger();  // this one is charged, and forgotten
  const auto token = ledger.precharge(out.bytes, leaf::kMaxTokens);
  if (!token) out.over = token.error().what;
  out.output = leaf::kMaxTokens;
  if (!ledger.price()) return out;
  const budget::Call most = budget::most_for(out.bytes, leaf::kMaxTokens, *ledger.price());
  out.input = most.reserved_tokens - out.output;
  out.usd = most.reserved_usd;
  return out;
}

Result<Asked, Problem> Asking::ask(const Question& question, unsigned attempt,
                                   const std::vector<Text>& failure, const Judge& judge) {
  const Attempt now{question, attempt, judge};
  const std::vector<Text> more = texts_beside(question, attempt, failure);
  Asked last = NoPlan{"nobody was asked"};
  for (const prompt::Repair repair :
       {prompt::Repair::none, prompt::Repair::last_answer_was_malformed}) {
    const prompt::Prompt prompt = build(question, more, repair);
    CG_TRY_ASSIGN(auto answer, call(now, prompt));
    if (auto* stop = std::get_if<GivenUp>(&answer)) return Asked(std::move(*stop));
    leaf::Answer& said = std::get<leaf::Answer>(answer);
    if (auto* proposed = std::get_if<leaf::Proposed>(&said)) {
      return read(now, std::move(*proposed), digest_of(prompt));
    }
    const auto& answered = std::get<leaf::Violated>(said);
    const proposal::Violation& violation = answered.violation;
    if (!violation.breaks_protocol()) {
      return Asked(reject(now, answered.trace,
                          {std::string(proposal::name(violation.fault)), violation.where,
                           proposal::feedback(violation)}));
    }
    last = violated(now, answered);
    if (std::holds_alternative<GivenUp>(last)) return last;
  }
  return last;
}

}  // namespace cg::tiers
