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

hash::Digest digest_of(const prompt::Prompt& prompt) {
  return prompt::digest_of(prompt.system.text(), prompt.body.text());
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
  for (const Example& example : tools_.retrieval.nearest(question)) {
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
      leaf::write_question(net::Wire::messages, {tools_.model, system, "", leaf::kMaxTokens})
          .size();
  const std::uint64_t all = budget::most_bytes(ledger_.caps().tokens_per_call, leaf::kMaxTokens);
  return all - std::min<std::uint64_t>(all, rest);
}

prompt::Prompt Asking::build(const Question& question, const std::vector<Text>& more,
                             prompt::Repair repair) {
  prompt::PromptBuilder builder(tools_.skill, tools_.nonces);
  builder.task(question.task).repair(repair).fit(room_for_body(builder.system().text()));
  for (const Text& text : question.texts)
    builder.add(text.kind, text.payload, text.label, text.line);
  for (const Text& text : more) builder.add(text.kind, text.payload, text.label, text.line);
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

void Asking::settle(budget::Receipt&& receipt, std::uint64_t call, const budget::Usage* usage) {
  if (usage != nullptr) {
    ledger_.reconcile(std::move(receipt), *usage);
    // As the ledger counts it, so that the log comes to the same sum.
    const budget::Call& settled = ledger_.calls()[call - 1];
    events_.emplace_back(record::BudgetReconciled{
        settled.usage.cache_read, settled.usage.cache_write, call, settled.usage.input, "yes",
        settled.usage.output, settled.usd.str()});
  } else {
    ledger_.forfeit(std::move(receipt));
    events_.emplace_back(record::BudgetReconciled{0, 0, call, 0, "no", 0, ""});
  }
  if (!ledger_.take_warning()) return;
  const budget::Spent spent = ledger_.spent();
  events_.emplace_back(record::BudgetWarned{ledger_.caps().tokens, ledger_.caps().usd.str(),
                                            spent.tokens, spent.usd.str()});
}

void Asking::tell_failure(unsigned attempt, std::uint64_t call, const leaf::Failure& failure,
                          unsigned retries) {
  if (failure.kind == leaf::FailureKind::pin_mismatch) {
    events_.emplace_back(
        record::EgressCertPinFailed{short_text(failure.detail, 250), std::string(leaf::kHost)});
  }
  events_.emplace_back(record::LeafFailed{attempt, call, short_text(failure.detail, 500),
                                          std::string(leaf::name(failure.kind)), retries,
                                          failure.status});
}

Result<std::variant<leaf::Answer, GivenUp>, Problem> Asking::call(const Attempt& attempt,
                                                                  const prompt::Prompt& prompt) {
  using Called = std::variant<leaf::Answer, GivenUp>;
  auto token = ledger_.precharge(request_of(prompt).size(), leaf::kMaxTokens);
  if (!token) {
    const budget::Spent spent = ledger_.spent();
    events_.emplace_back(record::BudgetExceeded{std::string(budget::name(token.error().cap)),
                                                short_text(token.error().what, 250), spent.tokens,
                                                spent.usd.str()});
    CG_TRY(tools_.journal.keep(ledger_));
    return Called(GivenUp{GivenUp::Why::budget, token.error().what, std::nullopt});
  }
  const std::uint64_t number = token->call();
  const budget::Call& reserved = ledger_.calls()[number - 1];
  events_.emplace_back(record::BudgetPrecharged{
      number, short_text(tools_.model, 60), reserved.reserved_tokens, reserved.reserved_usd.str()});
  events_.emplace_back(record::LeafInvoked{attempt.number, number, digest_of(prompt),
                                           attempt.question.group, token->max_output(),
                                           short_text(tools_.model, 60)});
  CG_TRY(tools_.journal.keep(prompt::Kept{prompt.system.text(), prompt.body.text()}));
  // Whoever is killed from here on has spent all that was set aside.
  CG_TRY(tools_.journal.keep(ledger_));
  leaf::Reply reply =
      tools_.leaf.invoke({prompt.system, prompt.body, tools_.model}, *std::move(token));
  if (const auto* failed = std::get_if<leaf::Failure>(&reply.answer)) {
    tell_failure(attempt.number, number, *failed, reply.retries);
    const budget::Usage nothing;
    settle(std::move(reply.receipt), number, failed->sent ? nullptr : &nothing);
    CG_TRY(tools_.journal.keep(ledger_));
    return Called(GivenUp{GivenUp::Why::leaf, failed->detail, failed->kind});
  }
  const leaf::Trace& trace = leaf::trace_of(reply.answer);
  const auto* violated = std::get_if<leaf::Violated>(&reply.answer);
  const bool plan = violated == nullptr || !violated->violation.breaks_protocol();
  events_.emplace_back(record::LeafKeyLoaded{trace.key_memory, trace.key_source});
  events_.emplace_back(record::LeafReturned{
      attempt.number, number, trace.response, trace.usage.input, short_text(trace.isolation, 250),
      short_text(printable(trace.model), 60), plan ? "plan" : "violation", trace.usage.output,
      trace.request, reply.retries});
  settle(std::move(reply.receipt), number, &trace.usage);
  CG_TRY(tools_.journal.keep(ledger_));
  return Called(std::move(reply.answer));
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
  if (tools_.answers == Tools::Answers::live) return {ledger_.spent(), {}};
  return {ledger_.spent(0, before_), ledger_.spent(before_, ledger_.calls().size())};
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
  budget::Ledger ledger = ledger_;  // this one is charged, and forgotten
  const auto token = ledger.precharge(out.bytes, leaf::kMaxTokens);
  if (!token) out.over = token.error().what;
  out.output = leaf::kMaxTokens;
  if (!ledger_.price()) return out;
  const budget::Call most = budget::most_for(out.bytes, leaf::kMaxTokens, *ledger_.price());
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
