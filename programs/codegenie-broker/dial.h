// Connecting, and nothing else that can be done with a socket.
#pragma once

#include <vector>

#include "base/base/result.h"
#include "base/os/fd.h"
#include "fetch/net/address.h"
#include "fetch/net/channel.h"

namespace cg::broker {

/// A connected, non-blocking TCP socket to the first address that answers. Ends the
/// program if the parent or fetch goes away meanwhile.
[[nodiscard]] Result<os::Fd, net::Failed> dial(const std::vector<net::Address>& addresses,
                                               std::uint16_t port, net::Deadline deadline);

}  // namespace cg::broker
