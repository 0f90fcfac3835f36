// codegenie-fetch: TLS and HTTP/1.1 to one origin, over sockets it is handed.
//
// It cannot open a socket, connect one, open a file or start a program: it reads the
// trust store, seals itself (src/fetch/net/policies.h) and only then talks to anybody. What
// a server sends is parsed here and nowhere else; the parent gets a status, a few
// checked header texts and bytes.
#include <signal.h>

#include "client.h"
#include "fetch/net/channel.h"
#include "fetch/net/policies.h"
#include "fetch/tls/trust.h"
#include "jail/seal/program.h"

namespace cg::fetch {

namespace {

using net::Channel;

[[noreturn]] void refuse(Channel& parent, std::string_view why) {
  net::refuse(parent, {net::FailureKind::setup, std::string(why)});
}

tls::Context context_for(Channel& parent, const net::Setup& setup) {
  if (setup.scheme == net::Scheme::http) return nullptr;
  auto context = tls::make_context(setup.authorities);
  if (!context) refuse(parent, context.error().detail);
  return *std::move(context);
}

[[noreturn]] void run() {
  signal(SIGPIPE, SIG_IGN);  // OpenSSL writes with write(2)
  seal::begin(net::kFirstSocket);
  Channel parent(os::Fd(net::kParentFd), net::Order(net::kFetchOrder), net::Speaker::helper);
  Channel link(os::Fd(net::kLinkFd), net::Order(net::kLinkOrder), net::Speaker::asker);

  auto setup = net::expect<net::Setup>(parent);
  auto origin = net::Origin::parse(setup.scheme, setup.host, setup.port);
  if (!origin) refuse(parent, net::describe(origin.error()));
  if (!setup.authorization.empty() && !net::is_header_value(setup.authorization)) {
    refuse(parent, "the authorization cannot be sent as a header");
  }
  tls::Context context = context_for(parent, setup);
  net::tell(parent, net::Ready{net::sealed(parent, net::fetch_policy())});

  Client client(parent, link, *std::move(origin), std::move(context),
                std::move(setup.authorization));
  for (;;) {
    const auto message = parent.receive(net::kNever, link.fd());
    if (!message) net::end_for(message.error());
    client.answer(std::get<net::Get>(*message));
  }
}

}  // namespace

}  // namespace cg::fetch

int main() { cg::fetch::run(); }
