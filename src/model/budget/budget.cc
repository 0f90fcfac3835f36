#include "model/budget/budget.h"

#include <algorithm>

#include "base/base/text.h"

namespace cg::budget {

namespace {

constexpr std::uint64_t kStart = 64;  // tokens that every request has besides its text

std::uint64_t sum(std::uint64_t a, std::uint64_t b) {
  return a > ~std::uint64_t{0} - b ? ~std::uint64_t{0} : a + b;
}

Usage countable(const Usage& usage) {
  const auto cut = [](std::uint64_t n) { return std::min(n, kMostTokens); };
  return {cut(usage.input), cut(usage.output), cut(usage.cache_write), cut(usage.cache_read)};
}

Failure<Refusal> refuse(Refusal::Cap cap, std::string what) {
  return fail(Refusal{cap, std::move(what)});
}

std::string tokens_text(std::uint64_t count) { return counted(count, "token", "tokens"); }

}  // namespace

Call most_for(std::uint64_t prompt_bytes, std::uint64_t max_output, const Price& price) {
  const std::uint64_t input = sum(prompt_bytes / 2 + prompt_bytes % 2, kStart);
  const Money dearest = std::max({price.input, price.cache_write, price.cache_read});
  Call call;
  call.reserved_tokens = sum(input, max_output);
  call.reserved_usd =
      dearest.for_some_of_a_million(input) + price.output.for_some_of_a_million(max_output);
  return call;
}

std::uint64_t most_bytes(std::uint64_t tokens, std::uint64_t max_output) {
  const std::uint64_t taken = sum(max_output, kStart);
  const std::uint64_t input = tokens - std::min(tokens, taken);
  return sum(input, input);
}

std::string_view name(Refusal::Cap cap) {
  switch (cap) {
    case Refusal::Cap::tokens:
      return "tokens";
    case Refusal::Cap::usd:
      return "usd";
    case Refusal::Cap::per_call:
      return "per_call";
    case Refusal::Cap::no_price:
      return "no_price";
    case Refusal::Cap::overshoot:
      return "overshoot";
    case Refusal::Cap::calls:
      break;
  }
  return "calls";
}

bool Call::is_over() const {
  return state == State::settled && (usage.tokens() > reserved_tokens || usd > reserved_usd);
}

std::uint64_t Usage::tokens() const {
  return sum(sum(input, output), sum(cache_write, cache_read));
}

Money cost(const Usage& usage, const Price& price) {
  return price.input.for_some_of_a_million(usage.input) +
         price.output.for_some_of_a_million(usage.output) +
         price.cache_write.for_some_of_a_million(usage.cache_write) +
         price.cache_read.for_some_of_a_million(usage.cache_read);
}

Result<Token, Refusal> Ledger::precharge(std::uint64_t prompt_bytes, std::uint64_t max_output) {
  using Cap = Refusal::Cap;
  if (!price_) return refuse(Cap::no_price, "policy has no price for the model");
  if (overshot()) {
    return refuse(Cap::overshoot, "an earlier call used more than was set aside for it");
  }
  if (calls_.size() >= kMaxCalls) {
    return refuse(Cap::calls, "the workflow made " + grouped(kMaxCalls) + " calls");
  }
  Call call = most_for(prompt_bytes, max_output, *price_);
  const std::string may = "the call may take " + tokens_text(call.reserved_tokens);
  if (call.reserved_tokens > std::min(caps_.tokens_per_call, kMostTokens)) {
    return refuse(Cap::per_call, may + ", and " + grouped(caps_.tokens_per_call) + " are allowed");
  }
  const Spent gone = spent();
  if (sum(gone.tokens, call.reserved_tokens) > caps_.tokens) {
    return refuse(Cap::tokens, may + ", and " + grouped(gone.tokens) + " of the workflow's " +
                                   grouped(caps_.tokens) + " are gone");
  }
  if (gone.usd + call.reserved_usd > caps_.usd) {
    return refuse(Cap::usd, "the call may cost " + call.reserved_usd.str() + " USD, and " +
                                gone.usd.str() + " of the workflow's " + caps_.usd.str() +
                                " USD are gone");
  }
  call.id = calls_.size() + 1;
  calls_.push_back(call);
  return Token(call.id, max_output);
}

Call& Ledger::open_call(std::uint64_t id) {
  CG_ASSERT(id >= 1 && id <= calls_.size());
  Call& call = calls_[id - 1];
  CG_ASSERT(call.state == Call::State::open);
  return call;
}

void Ledger::reconcile(Receipt&& receipt, const Usage& usage) {
  Call& call = open_call(std::exchange(receipt.call_, 0));
  call.state = Call::State::settled;
  call.usage = countable(usage);
  call.usd = cost(call.usage, *price_);
}

void Ledger::forfeit(Receipt&& receipt) {
  open_call(std::exchange(receipt.call_, 0)).state = Call::State::forfeited;
}

Spent Ledger::spent() const { return spent(0, calls_.size()); }

Spent Ledger::spent(std::size_t first, std::size_t end) const {
  Spent out;
  for (std::size_t i = first; i < std::min(end, calls_.size()); ++i) {
    const Call& call = calls_[i];
    const bool settled = call.state == Call::State::settled;
    out.tokens = sum(out.tokens, settled ? call.usage.tokens() : call.reserved_tokens);
    out.usd = out.usd + (settled ? call.usd : call.reserved_usd);
  }
  out.calls = std::min(end, calls_.size()) - std::min(first, calls_.size());
  return out;
}

bool Ledger::overshot() const {
  return std::any_of(calls_.begin(), calls_.end(), [](const Call& call) { return call.is_over(); });
}

bool Ledger::take_warning() {
  if (warned_ || calls_.empty()) return false;
  const Spent gone = spent();
  // Divided rather than multiplied, so that no cap is too large for it.
  const bool tokens = gone.tokens >= caps_.tokens - caps_.tokens / 5;
  const bool usd = gone.usd.times(5) >= caps_.usd.times(4) && gone.usd > Money();
  warned_ = tokens || usd;
  return warned_;
}

Result<Ledger, std::string> check(Ledger ledger, const std::vector<Call>& logged) {
  std::vector<Call>& own = ledger.calls_;
  const std::size_t last = logged.size();
  if (own.size() > last) return fail(std::string("the log knows fewer calls than the ledger"));
  if (own.size() + 1 < last) return fail(std::string("the ledger lacks calls of the log"));
  const bool lacks_last = own.size() < last;
  for (std::size_t i = 0; i < own.size(); ++i) {
    if (own[i] == logged[i]) continue;
    Call before = logged[i];  // the step before it was settled
    before.state = Call::State::open;
    before.usage = Usage();
    before.usd = Money();
    const bool is_behind = i + 1 == last && own[i] == before;
    if (!is_behind) {
      return fail("call " + std::to_string(i + 1) + " is another in the ledger than in the log");
    }
    own[i] = logged[i];
  }
  if (!lacks_last) return ledger;
  const Call& missing = logged.back();
  if (missing.id != last || missing.state != Call::State::open) {
    return fail(std::string("the ledger lacks the last call of the log"));
  }
  own.push_back(missing);
  return ledger;
}

}  // namespace cg::budget
