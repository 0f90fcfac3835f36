// A name becomes addresses, once, at start.
#pragma once

#include <vector>

#include "base/base/result.h"
#include "fetch/net/address.h"
#include "fetch/net/message.h"
#include "fetch/net/url.h"

namespace cg::broker {

/// The addresses of `origin` that may be dialled, in the resolver's order, eight at
/// most. Only a name that is neither an address nor localhost is asked about; the
/// process is then sealed with net::resolving_policy() first.
[[nodiscard]] Result<std::vector<net::Address>, net::Failed> resolve(const net::Origin& origin,
                                                                     net::Addresses allowed);

}  // namespace cg::broker
