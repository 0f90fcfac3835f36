#include "model/tiers/calls.h"

#include "base/base/text.h"
#include "model/leaf/wire.h"

namespace cg::tiers {

namespace {

std::string short_words(std::string_view text, std::size_t most) {
  return std::string(cut_utf8(text, most));
}

record::LeafReturned returned(unsigned attempt, const Called& called, const leaf::Trace& trace) {
  const auto* violated = std::get_if<leaf::Violated>(&called.answer);
  const bool plan = violated == nullptr || !violated->violation.breaks_protocol();
  return {attempt,
          called.call,
          trace.response,
          trace.usage.input,
          short_words(trace.isolation, 250),
          short_words(printable(trace.model), 60),
          plan ? "plan" : "violation",
          trace.usage.output,
          trace.request,
          called.retries};
}

}  // namespace

hash::Digest digest_of(const prompt::Prompt& prompt) {
  return prompt::digest_of(prompt.system.text(), prompt.body.text());
}

record::Events told(const budget::Call& call) {
  record::Events out;
  const bool known = call.state == budget::Call::State::settled;
  // As the ledger counts it, so that the log comes to the same sum.
  const budget::Usage& usage = call.usage;
  out.emplace_back(record::BudgetReconciled{usage.cache_read, usage.cache_write, call.id,
                                            usage.input, known ? "yes" : "no", usage.output,
                                            known ? call.usd.str() : ""});
  if (!call.is_over()) return out;
  out.emplace_back(record::BudgetReconciledOver{
      call.id, call.reserved_tokens, call.reserved_usd.str(), usage.tokens(), call.usd.str()});
  return out;
}

void Calls::settle(budget::Receipt&& receipt, std::uint64_t call, const budget::Usage* usage) {
  if (usage != nullptr) {
    ledger_.reconcile(std::move(receipt), *usage);
  } else {
    ledger_.forfeit(std::move(receipt));
  }
  for (record::Event& event : told(ledger_.calls()[call - 1])) events_.push_back(std::move(event));
  if (!ledger_.take_warning()) return;
  const budget::Spent spent = ledger_.spent();
  events_.emplace_back(record::BudgetWarned{ledger_.caps().tokens, ledger_.caps().usd.str(),
                                            spent.tokens, spent.usd.str()});
}

void Calls::tell_failure(unsigned attempt, std::uint64_t call, const leaf::Failure& failure,
                         unsigned retries) {
  if (failure.kind == leaf::FailureKind::pin_mismatch) {
    events_.emplace_back(
        record::EgressCertPinFailed{short_words(failure.detail, 250), std::string(leaf::kHost)});
  }
  events_.emplace_back(record::LeafFailed{attempt, call, short_words(failure.detail, 500),
                                          std::string(leaf::name(failure.kind)), retries,
                                          failure.status});
}

Result<std::variant<Called, Unaffordable>, Problem> Calls::make(const About& about,
                                                                const prompt::Prompt& prompt) {
  using Made = std::variant<Called, Unaffordable>;
  const std::string request = leaf::write_question(
      net::Wire::messages, {model_, prompt.system.text(), prompt.body.text(), about.max_tokens});
  auto token = ledger_.precharge(request.size(), about.max_tokens);
  if (!token) {
    const budget::Spent spent = ledger_.spent();
    events_.emplace_back(record::BudgetExceeded{std::string(budget::name(token.error().cap)),
                                                short_words(token.error().what, 250), spent.tokens,
                                                spent.usd.str()});
    CG_TRY(journal_.keep(ledger_));
    return Made(Unaffordable{token.error().what});
  }
  const std::uint64_t number = token->call();
  const budget::Call& reserved = ledger_.calls()[number - 1];
  events_.emplace_back(record::BudgetPrecharged{
      number, short_words(model_, 60), reserved.reserved_tokens, reserved.reserved_usd.str()});
  events_.emplace_back(record::LeafInvoked{about.attempt, number, digest_of(prompt), about.group,
                                           token->max_output(), short_words(model_, 60)});
  CG_TRY(journal_.keep(prompt::Kept{prompt.system.text(), prompt.body.text()}));
  // Whoever is killed from here on has spent all that was set aside.
  CG_TRY(journal_.keep(ledger_));
  leaf::Reply reply = leaf_.invoke({prompt.system, prompt.body, model_}, *std::move(token));
  Called called{std::move(reply.answer), number, reply.retries};
  if (const auto* failed = std::get_if<leaf::Failure>(&called.answer)) {
    tell_failure(about.attempt, number, *failed, called.retries);
    const budget::Usage nothing;
    settle(std::move(reply.receipt), number, failed->sent ? nullptr : &nothing);
  } else {
    const leaf::Trace& trace = leaf::trace_of(called.answer);
    events_.emplace_back(record::LeafKeyLoaded{trace.key_memory, trace.key_source});
    events_.emplace_back(returned(about.attempt, called, trace));
    settle(std::move(reply.receipt), number, trace.usage_known ? &trace.usage : nullptr);
  }
  CG_TRY(journal_.keep(ledger_));
  return Made(std::move(called));
}

}  // namespace cg::tiers
