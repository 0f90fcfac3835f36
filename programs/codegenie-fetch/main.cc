// codegenie-fetch: TLS and HTTP/1.1 to one origin, over sockets it is handed.
//
// It cannot open a socket, connect one, open a file or start a program: it reads the
// trust store, seals itself (src/fetch/net/policies.h) and only then talks to anybody. What
// a server sends is parsed here and nowhere else; the parent gets a status, a few
// checked header texts and bytes.
#include <signal.h>
#include <unistd.h>

#include "base/base/assert.h"
#include "base/base/text.h"
#include "client.h"
#include "fetch/net/channel.h"
#include "fetch/net/policies.h"
#include "fetch/net/process.h"
#include "fetch/tls/trust.h"
#include "jail/seal/seal.h"

namespace cg::fetch {

namespace {

using net::Channel;
using net::ChannelError;
using net::Failed;
using net::FailureKind;

[[noreturn]] void end_for(ChannelError error) {
  _exit(error == ChannelError::broken ? net::kEndUnexpected : net::kEndDone);
}

[[noreturn]] void refuse(Channel& parent, std::string_view why) {
  const Failed failed{FailureKind::setup, std::string(cut_utf8(why, net::kMaxDetail))};
  static_cast<void>(parent.send(failed, net::kNever).has_value());
  _exit(net::kEndUnsealed);
}

net::Setup first_message(Channel& parent) {
  auto message = parent.receive(net::kNever);
  if (!message) end_for(message.error());
  return std::get<net::Setup>(*std::move(message));  // the order leaves no other
}

tls::Context context_for(Channel& parent, const net::Setup& setup) {
  if (setup.scheme == net::Scheme::http) return nullptr;
  auto context = tls::make_context(setup.authorities);
  if (!context) refuse(parent, context.error().detail);
  return *std::move(context);
}

seal::Applied seal(Channel& parent) {
  const auto policy = net::fetch_policy();
  if (!policy) refuse(parent, seal::describe(policy.error()));
  const auto applied = seal::seal(*policy);
  if (!applied) refuse(parent, seal::describe(applied.error()));
  return *applied;
}

[[noreturn]] void run() {
  set_assertion_handler([](const char*, const char*, int) noexcept { _exit(net::kEndBug); });
  signal(SIGPIPE, SIG_IGN);  // OpenSSL writes with write(2)
  if (!seal::shed(net::kFirstSocket)) _exit(net::kEndUnsealed);
  Channel parent(os::Fd(net::kParentFd), net::Order(net::kFetchOrder), net::Speaker::helper);
  Channel link(os::Fd(net::kLinkFd), net::Order(net::kLinkOrder), net::Speaker::asker);

  net::Setup setup = first_message(parent);
  auto origin = net::Origin::parse(setup.scheme, setup.host, setup.port);
  if (!origin) refuse(parent, net::describe(origin.error()));
  if (!setup.authorization.empty() && !net::is_header_value(setup.authorization)) {
    refuse(parent, "the authorization cannot be sent as a header");
  }
  tls::Context context = context_for(parent, setup);
  const net::Ready ready{seal(parent)};
  const auto sent = parent.send(ready, net::kNever);
  if (!sent) end_for(sent.error());

  Client client(parent, link, *std::move(origin), std::move(context),
                std::move(setup.authorization));
  for (;;) {
    const auto message = parent.receive(net::kNever, link.fd());
    if (!message) end_for(message.error());
    client.answer(std::get<net::Get>(*message));
  }
}

}  // namespace

}  // namespace cg::fetch

int main() { cg::fetch::run(); }
