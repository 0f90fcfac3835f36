// codegenie-broker: dials one host and port, and hands over the connection.
//
// It never reads or writes a byte of a connection, holds no token, and knows no more
// than a host name. Its parent starts it with two sockets and nothing else; see
// src/fetch/net/policies.h for what it can do at which point.
#include <signal.h>
#include <unistd.h>

#include <algorithm>

#include "base/base/assert.h"
#include "dial.h"
#include "fetch/net/channel.h"
#include "fetch/net/policies.h"
#include "fetch/net/process.h"
#include "jail/seal/seal.h"
#include "resolve.h"

namespace cg::broker {

namespace {

using net::Channel;
using net::ChannelError;
using net::Failed;
using net::FailureKind;

/// A server that closes after each answer costs one dial per request; past this the
/// parent starts a new pair.
constexpr int kMaxDials = 4096;
constexpr std::chrono::milliseconds kPatience{10'000};

/// The parent that speaks out of turn is as wrong as a broken frame.
[[noreturn]] void end_for(ChannelError error) {
  const bool spoke = error == ChannelError::interrupted && !net::is_hung_up(net::kParentFd);
  _exit(error == ChannelError::broken || spoke ? net::kEndUnexpected : net::kEndDone);
}

[[noreturn]] void refuse(Channel& parent, const Failed& failed) {
  static_cast<void>(parent.send(failed, net::deadline_in(kPatience)).has_value());
  _exit(failed.kind == FailureKind::setup ? net::kEndUnsealed : net::kEndDone);
}

net::Start first_message(Channel& parent) {
  auto message = parent.receive(net::kNever);
  if (!message) end_for(message.error());
  return std::get<net::Start>(*std::move(message));  // the order leaves no other
}

/// Resolving may hang in a library; should the parent be gone by then, this ends it.
void limit_time(std::uint32_t limit_ms) {
  alarm(std::clamp<std::uint32_t>(limit_ms / 1000, 0, 3600) + 1);
}

/// Made before a name is resolved: making a filter takes calls that are not allowed by then.
seal::Policy policy_for(Channel& parent, std::uint16_t port) {
  auto policy = net::dialling_policy(port);
  if (!policy) refuse(parent, {FailureKind::setup, seal::describe(policy.error())});
  return *std::move(policy);
}

seal::Applied seal(Channel& parent, const seal::Policy& policy) {
  const auto applied = seal::seal(policy);
  if (!applied) refuse(parent, {FailureKind::setup, seal::describe(applied.error())});
  return *applied;
}

[[noreturn]] void serve(const std::vector<net::Address>& addresses, std::uint16_t port) {
  Channel link(os::Fd(net::kLinkFd), net::Order(net::kLinkOrder), net::Speaker::helper);
  for (int dialled = 0;; ++dialled) {
    const auto message = link.receive(net::kNever, net::kParentFd);
    if (!message) end_for(message.error());
    const auto deadline =
        net::deadline_in(std::chrono::milliseconds(std::get<net::Dial>(*message).limit_ms));
    const auto connection =
        dialled < kMaxDials
            ? dial(addresses, port, deadline)
            : Result<os::Fd, Failed>(fail(Failed{FailureKind::exhausted, "dialled too often"}));
    const auto sent = connection ? link.send_with(net::Dialled{}, *connection, net::kNever)
                                 : link.send(connection.error(), net::kNever);
    if (!sent) end_for(sent.error());
  }
}

[[noreturn]] void run() {
  set_assertion_handler([](const char*, const char*, int) noexcept { _exit(net::kEndBug); });
  if (!seal::shed(net::kFirstSocket)) _exit(net::kEndUnsealed);
  Channel parent(os::Fd(net::kParentFd), net::Order(net::kBrokerOrder), net::Speaker::helper);
  const net::Start start = first_message(parent);
  // https here only means "any host"; what is spoken is not for this program.
  const auto origin = net::Origin::parse(net::Scheme::https, start.host, start.port);
  if (!origin) refuse(parent, {FailureKind::setup, std::string(describe(origin.error()))});
  const seal::Policy dialling = policy_for(parent, origin->port());
  limit_time(start.limit_ms);
  const auto addresses = resolve(*origin, start.addresses);
  if (!addresses) refuse(parent, addresses.error());
  alarm(0);
  const net::Ready ready{seal(parent, dialling)};
  const auto sent = parent.send(ready, net::kNever);
  if (!sent) end_for(sent.error());
  serve(*addresses, origin->port());
}

}  // namespace

}  // namespace cg::broker

int main() { cg::broker::run(); }
