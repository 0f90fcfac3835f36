#include "resolve.h"

#include <netdb.h>

#include <memory>

#include "fetch/net/policies.h"
#include "jail/seal/seal.h"

namespace cg::broker {

namespace {

using net::Address;
using net::Failed;
using net::FailureKind;

constexpr std::size_t kMaxAddresses = 8;

struct FreeList {
  void operator()(addrinfo* list) const { freeaddrinfo(list); }
};

Result<std::vector<Address>, Failed> ask(const net::Origin& origin) {
  const auto policy = net::resolving_policy(origin.port());
  if (!policy) return fail(Failed{FailureKind::setup, seal::describe(policy.error())});
  const auto sealed = seal::seal(*policy);
  if (!sealed) return fail(Failed{FailureKind::setup, seal::describe(sealed.error())});

  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_ADDRCONFIG;
  addrinfo* found = nullptr;
  const int code = getaddrinfo(origin.host().c_str(), nullptr, &hints, &found);
  const std::unique_ptr<addrinfo, FreeList> list(found);
  if (code != 0) return fail(Failed{FailureKind::unresolved, gai_strerror(code)});
  std::vector<Address> out;
  for (const addrinfo* one = list.get(); one != nullptr; one = one->ai_next) {
    if (const auto address = Address::from(*one->ai_addr)) out.push_back(*address);
  }
  return out;
}

Result<std::vector<Address>, Failed> candidates(const net::Origin& origin) {
  if (const auto literal = Address::parse(origin.host())) return std::vector{*literal};
  if (origin.is_loopback()) {
    return std::vector{*Address::parse("127.0.0.1"), *Address::parse("::1")};
  }
  return ask(origin);
}

}  // namespace

Result<std::vector<Address>, Failed> resolve(const net::Origin& origin, net::Addresses allowed) {
  CG_TRY_ASSIGN(const std::vector<Address> all, candidates(origin));
  std::vector<Address> out;
  for (const Address& address : all) {
    if (out.size() == kMaxAddresses) break;
    if (net::may_dial(address.classify(), origin.is_loopback(), allowed)) out.push_back(address);
  }
  if (out.empty()) {
    return fail(Failed{FailureKind::unresolved,
                       all.empty() ? "no address" : "no address that may be dialled"});
  }
  return out;
}

}  // namespace cg::broker
