// TLS over a socket that somebody else connected.
#pragma once

#include <memory>

#include "base/result.h"
#include "net/channel.h"
#include "net/url.h"
#include "os/fd.h"
#include "stream/stream.h"
#include "stream/trust.h"

namespace cg::stream {

/// A stream on which the server has proved to be `origin`'s host: a chain to a trusted
/// root and the name (or address) in the certificate itself, not in its subject.
/// Before that no byte of a request is written. `speaks` as the context was made with: a
/// server that does not agree to HTTP/2 in the handshake hears nothing either.
[[nodiscard]] Result<std::unique_ptr<Stream>, net::Failed> tls_stream(
    const Context& context, const net::Origin& origin, os::Fd socket, net::Deadline deadline,
    Speaks speaks = Speaks::http1);

}  // namespace cg::stream
