#include "model/leaf/process_leaf.h"

#include <algorithm>
#include <utility>

#include "base/base/match.h"
#include "base/base/text.h"
#include "model/leaf/key_frame.h"
#include "trust/hash/blake3.h"

namespace cg::leaf {

namespace {

Failure unexpected(std::string detail) {
  Failure out;
  out.kind = FailureKind::unexpected;
  out.detail = std::move(detail);
  out.sent = true;
  return out;
}

std::string_view text_of(net::KeyMemory memory) {
  switch (memory) {
    case net::KeyMemory::secret:
      return "memfd_secret";
    case net::KeyMemory::locked:
      return "locked";
    case net::KeyMemory::none:
      break;
  }
  return "none";
}

Trace trace_of(const net::Exchange& exchange, const std::string& isolation) {
  Trace out;
  out.request = exchange.request;
  out.response = exchange.response;
  out.model = printable(exchange.model);
  out.usage = {exchange.tokens.input, exchange.tokens.output, exchange.tokens.cache_write,
               exchange.tokens.cache_read};
  out.usage_known = exchange.tokens.known;
  out.key_source = exchange.key_source.empty() ? "none" : exchange.key_source;
  out.key_memory = text_of(exchange.key_memory);
  out.isolation = isolation;
  return out;
}

/// The leaf has read what a server sent: what it says is checked as if it came from there.
bool is_plausible(const net::Exchange& exchange, const hash::Digest& request) {
  return exchange.request == request && is_utf8(exchange.model) &&
         (exchange.key_source.empty() || is_key_source(exchange.key_source));
}

}  // namespace

Answer ProcessLeaf::judge(Outcome outcome, const hash::Digest& request) const {
  const std::string isolation = outcome.isolation;
  return match(
      std::move(outcome.said),
      [&](net::Told&& told) -> Answer {
        if (!is_plausible(told.exchange, request)) return unexpected("another exchange");
        auto plan = proposal::parse(told.plan);
        if (!plan) return unexpected("a plan that is none");
        return Proposed{*std::move(plan), trace_of(told.exchange, isolation)};
      },
      [&](net::Violated&& violated) -> Answer {
        const bool known = violated.fault <= static_cast<std::uint8_t>(proposal::Fault::bad_text);
        if (!known || !is_plausible(violated.exchange, request)) {
          return unexpected("another exchange");
        }
        return Violated{{static_cast<proposal::Fault>(violated.fault), printable(violated.where)},
                        trace_of(violated.exchange, isolation)};
      },
      [&](Failure&& failure) -> Answer { return std::move(failure); });
}

Answer ProcessLeaf::attempt(const Question& question) {
  const std::string body = write_question(wire_of(settings_), question);
  const hash::Digest request = hash::blake3(as_bytes(body));
  net::Play play;
  if (settings_.adapter == net::Adapter::replay) {
    auto found = tape_ != nullptr ? tape_->find(body) : std::nullopt;
    if (!found) {
      Failure none;
      none.kind = FailureKind::not_recorded;
      none.detail = to_hex(request);
      return none;
    }
    play = *std::move(found);
  }
  Outcome outcome = converse(programs_, settings_, question, play);
  if (outcome.recorded && tape_ != nullptr) static_cast<void>(tape_->keep(*outcome.recorded));
  return judge(std::move(outcome), request);
}

Reply ProcessLeaf::invoke(const Call& call, budget::Token token) {
  const auto most = std::min<std::uint64_t>(token.max_output(), kMaxTokens);
  const Question question{call.model, call.system.text(), call.body.text(),
                          static_cast<std::uint32_t>(most)};
  retries_ = 0;
  for (;;) {
    Answer answer = attempt(question);
    const auto* failure = std::get_if<Failure>(&answer);
    const auto random = random_.bytes<4>();
    const std::uint32_t number = static_cast<std::uint32_t>(random[0]) << 24U |
                                 static_cast<std::uint32_t>(random[1]) << 16U |
                                 static_cast<std::uint32_t>(random[2]) << 8U | random[3];
    const auto delay =
        failure != nullptr ? delay_before(retries_ + 1, *failure, number) : std::nullopt;
    if (!delay) return Reply{std::move(answer), budget::Receipt(std::move(token)), retries_};
    ++retries_;
    pause_.wait(*delay);
  }
}

}  // namespace cg::leaf
