// One question to a server, from dialling to the bytes of its answer.
#pragma once

#include <string>
#include <vector>

#include "base/base/result.h"
#include "fetch/net/channel.h"
#include "fetch/net/message.h"
#include "fetch/tls/trust.h"
#include "memory.h"
#include "model/leaf/wire.h"

namespace cg::leaf {

/// What a call is made with.
struct Means {
  net::Channel& link;  // to the broker
  tls::Context context;
  std::vector<net::Pin> pins;  // that count today
  Secret& secret;              // empty until the server has proved who it is
  std::string key_source;
};

/// The one host, with the key: HTTP/2 over TLS 1.3 to a pinned key, or nothing. Without a pin
/// or a key nobody is dialled.
[[nodiscard]] Result<Raw, net::Unanswered> ask_anthropic(Means& means, const std::string& request,
                                                         net::Deadline deadline);

/// A server on this machine, in the clear, without a key.
[[nodiscard]] Result<Raw, net::Unanswered> ask_loopback(Means& means, std::uint16_t port,
                                                        const std::string& request,
                                                        net::Deadline deadline);

}  // namespace cg::leaf
