// codegenie-leaf: the only program that speaks to a model, once, and ends.
//
// It gets a prompt from its parent, a connection from the broker and the key from
// codegenie-key, each on a descriptor of its own, and can get nothing else: it reads the trust
// store, seals itself (src/fetch/net/policies.h) and only then hears of prompt and key. The key is
// taken when the server has proved who it is, and wiped before the answer is told. What comes
// back to the parent is a plan in our own spelling, or why there is none; the server's words
// stay here.
#include <signal.h>
#include <unistd.h>

#include <cstring>
#include <memory>

#include "base/base/match.h"
#include "base/base/text.h"
#include "call.h"
#include "fetch/net/channel.h"
#include "fetch/net/policies.h"
#include "fetch/net/process.h"
#include "jail/seal/program.h"
#include "pinning.h"
#include "trust/hash/blake3.h"

namespace cg::leaf {

namespace {

using net::Adapter;
using net::Channel;
using net::expect;
using net::FailureKind;
using net::tell;
using net::Unanswered;
using net::Wire;

[[noreturn]] void refuse(Channel& parent, std::string_view why) {
  net::refuse(parent, {FailureKind::setup, std::string(why)});
}

tls::Context context_for(Channel& parent, const net::LeafSetup& setup,
                         std::vector<net::Pin>& pins) {
  if (setup.adapter != Adapter::anthropic) return nullptr;
  auto context = tls::make_context("", tls::Speaks::http2);
  if (!context) refuse(parent, context.error().detail);
  require_pin(context->get(), pins);
  return *std::move(context);
}

/// The parent's texts are checked again: they become bytes on the wire here.
std::string request_of(Wire wire, const net::Ask& ask) {
  const bool possible = is_model_name(ask.model) && is_utf8(ask.system) && is_utf8(ask.body) &&
                        ask.max_tokens > 0 && ask.max_tokens <= kMaxTokens;
  if (!possible) _exit(net::kEndUnexpected);
  return write_question(wire, {ask.model, ask.system, ask.body, ask.max_tokens});
}

Result<Raw, Unanswered> played(Channel& parent) {
  net::Play play = expect<net::Play>(parent);
  return Raw{play.status, std::move(play.content_type), std::move(play.retry_after),
             std::move(play.body)};
}

bool holds(std::string_view text, std::string_view key) {
  return !key.empty() && text.find(key) != std::string_view::npos;
}

bool holds(const Raw& raw, std::string_view key) {
  return holds(raw.body, key) || holds(raw.content_type, key) || holds(raw.retry_after, key);
}

Unanswered key_came_back() {
  return {FailureKind::protocol, "the server sent the key back", 0, false, 0, true};
}

Unanswered unreadable(const Unreadable& why, const Raw& raw) {
  return {why.kind,
          why.detail,
          raw.status,
          why.retry_after_s.has_value(),
          why.retry_after_s.value_or(0),
          true};
}

net::Message told(const Heard& heard, net::Exchange exchange) {
  return match(
      heard.said,
      [&](const proposal::Proposal& plan) -> net::Message {
        std::string text = proposal::write(plan);
        if (text.size() > net::kMaxPlan) {
          return net::Violated{static_cast<std::uint8_t>(proposal::Fault::too_large), "plan",
                               std::move(exchange)};
        }
        return net::Told{std::move(text), std::move(exchange)};
      },
      [&](const proposal::Violation& violation) -> net::Message {
        return net::Violated{static_cast<std::uint8_t>(violation.fault),
                             std::string(cut_utf8(printable(violation.where), net::kMaxDetail)),
                             std::move(exchange)};
      });
}

net::Message message_of(Wire wire, const Raw& raw, const std::string& request, const Means& means) {
  const auto heard = read_answer(wire, raw);
  if (!heard) return unreadable(heard.error(), raw);
  net::Exchange exchange;
  exchange.request = hash::blake3(as_bytes(request));
  exchange.response = hash::blake3(as_bytes(raw.body));
  exchange.model = heard->model;
  exchange.tokens = heard->tokens;
  exchange.key_source = means.key_source;
  exchange.key_memory = means.secret.view().empty() ? net::KeyMemory::none : means.secret.memory();
  net::Message message = told(*heard, std::move(exchange));
  const bool leaks = match(
                         heard->said,
                         [&](const proposal::Proposal& plan) {
                           return holds(proposal::write(plan), means.secret.view());
                         },
                         [&](const proposal::Violation&) { return false; }) ||
                     holds(heard->model, means.secret.view());
  return leaks ? net::Message(key_came_back()) : message;
}

Result<Raw, Unanswered> ask_server(Channel& parent, Means& means, const net::LeafSetup& setup,
                                   const std::string& request, net::Deadline deadline) {
  switch (setup.adapter) {
    case Adapter::anthropic:
      return ask_anthropic(means, request, deadline);
    case Adapter::loopback:
      return ask_loopback(means, setup.port, request, deadline);
    case Adapter::replay:
      break;
  }
  return played(parent);
}

/// All of the answer, and of what was recorded, is made while the key can still be compared
/// with; then the key goes, and only then anything is told.
void answer(Channel& parent, Means& means, const net::LeafSetup& setup, const net::Ask& ask) {
  const auto deadline = net::deadline_in(std::chrono::milliseconds(ask.limit_ms));
  const std::string request = request_of(setup.wire, ask);
  if (request.size() > net::kMaxExchanged) {
    tell(parent, Unanswered{FailureKind::too_large, "the prompt is too long", 0, false, 0, false});
    return;
  }
  auto raw = ask_server(parent, means, setup, request, deadline);
  if (!raw) {
    means.secret.wipe();
    raw.error().detail = std::string(cut_utf8(raw.error().detail, net::kMaxDetail));
    tell(parent, raw.error());
    return;
  }
  const std::string_view key = means.secret.view();
  const bool leaks = holds(*raw, key);
  net::Message message =
      leaks ? net::Message(key_came_back()) : message_of(setup.wire, *raw, request, means);
  const bool records = setup.record && setup.adapter != Adapter::replay && !leaks;
  net::Recorded recorded;
  if (records) {
    recorded = {without_secrets(request, key), raw->status, without_secrets(raw->content_type, key),
                without_secrets(raw->retry_after, key), without_secrets(raw->body, key)};
  }
  means.secret.wipe();
  if (records) tell(parent, recorded);
  tell(parent, message);
}

[[noreturn]] void run() {
  signal(SIGPIPE, SIG_IGN);  // OpenSSL writes with write(2)
  seal::begin(net::kFirstSocket);
  if (!make_openssl_forget()) _exit(net::kEndUnsealed);
  Channel parent(os::Fd(net::kParentFd), net::Order(net::kLeafOrder), net::Speaker::helper);
  Channel link(os::Fd(net::kLinkFd), net::Order(net::kLinkOrder), net::Speaker::asker);

  const auto setup = expect<net::LeafSetup>(parent);
  auto secret = Secret::make();
  if (!secret) refuse(parent, std::string("no locked memory: ") + strerrordesc_np(secret.error()));
  Means means{link, nullptr, current_pins(setup.pins), *secret, ""};
  means.context = context_for(parent, setup, means.pins);
  tell(parent, net::Ready{net::sealed(parent, net::leaf_policy())});
  answer(parent, means, setup, expect<net::Ask>(parent));
  means.context.reset();
  _exit(net::kEndDone);
}

}  // namespace

}  // namespace cg::leaf

int main() { cg::leaf::run(); }
