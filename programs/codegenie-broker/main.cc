// codegenie-broker: dials one host and port, and hands over the connection.
//
// It never reads or writes a byte of a connection, holds no token, and knows no more
// than a host name. Its parent starts it with two sockets and nothing else; see
// src/fetch/net/policies.h for what it can do at which point.
#include <unistd.h>

#include <algorithm>

#include "dial.h"
#include "fetch/net/channel.h"
#include "fetch/net/policies.h"
#include "jail/seal/program.h"
#include "jail/seal/seal.h"
#include "resolve.h"

namespace cg::broker {

namespace {

using net::Channel;
using net::Failed;
using net::FailureKind;

/// A server that closes after each answer costs one dial per request; past this the
/// parent starts a new pair.
constexpr int kMaxDials = 4096;
constexpr std::chrono::milliseconds kPatience{10'000};

[[noreturn]] void give_up(Channel& parent, const Failed& failed) {
  net::refuse(parent, failed, net::deadline_in(kPatience));
}

/// Resolving may hang in a library; should the parent be gone by then, this ends it.
void limit_time(std::uint32_t limit_ms) {
  alarm(std::clamp<std::uint32_t>(limit_ms / 1000, 0, 3600) + 1);
}

/// Made before a name is resolved: making a filter takes calls that are not allowed by then.
seal::Policy policy_for(Channel& parent, std::uint16_t port) {
  auto policy = net::dialling_policy(port);
  if (!policy) give_up(parent, {FailureKind::setup, seal::describe(policy.error())});
  return *std::move(policy);
}

seal::Applied seal(Channel& parent, const seal::Policy& policy) {
  const auto applied = seal::seal(policy);
  if (!applied) give_up(parent, {FailureKind::setup, seal::describe(applied.error())});
  return *applied;
}

[[noreturn]] void serve(const std::vector<net::Address>& addresses, std::uint16_t port) {
  Channel link(os::Fd(net::kLinkFd), net::Order(net::kLinkOrder), net::Speaker::helper);
  for (int dialled = 0;; ++dialled) {
    const auto message = link.receive(net::kNever, net::kParentFd);
    if (!message) net::end_for(message.error(), net::kParentFd);
    const auto deadline =
        net::deadline_in(std::chrono::milliseconds(std::get<net::Dial>(*message).limit_ms));
    const auto connection =
        dialled < kMaxDials
            ? dial(addresses, port, deadline)
            : Result<os::Fd, Failed>(fail(Failed{FailureKind::exhausted, "dialled too often"}));
    const auto sent = connection ? link.send_with(net::Dialled{}, *connection, net::kNever)
                                 : link.send(connection.error(), net::kNever);
    if (!sent) net::end_for(sent.error());
  }
}

[[noreturn]] void run() {
  seal::begin(net::kFirstSocket);
  Channel parent(os::Fd(net::kParentFd), net::Order(net::kBrokerOrder), net::Speaker::helper);
  const auto start = net::expect<net::Start>(parent);
  // https here only means "any host"; what is spoken is not for this program.
  const auto origin = net::Origin::parse(net::Scheme::https, start.host, start.port);
  if (!origin) give_up(parent, {FailureKind::setup, std::string(describe(origin.error()))});
  const seal::Policy dialling = policy_for(parent, origin->port());
  limit_time(start.limit_ms);
  const auto addresses = resolve(*origin, start.addresses);
  if (!addresses) give_up(parent, addresses.error());
  alarm(0);
  const net::Ready ready{seal(parent, dialling)};
  net::tell(parent, ready);
  serve(*addresses, origin->port());
}

}  // namespace

}  // namespace cg::broker

int main() { cg::broker::run(); }
