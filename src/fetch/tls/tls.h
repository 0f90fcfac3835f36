// TLS over a socket that somebody else connected.
#pragma once

#include <memory>

#include "base/base/result.h"
#include "base/os/fd.h"
#include "fetch/net/channel.h"
#include "fetch/net/url.h"
#include "fetch/tls/stream.h"
#include "fetch/tls/trust.h"

namespace cg::tls {

/// A stream on which the server has proved to be `origin`'s host: a chain to a trusted
/// root and the name (or address) in the certificate itself, not in its subject.
/// Before that no byte of a request is written. `speaks` as the context was made with: a
/// server that does not agree to HTTP/2 in the handshake hears nothing either.
[[nodiscard]] Result<std::unique_ptr<Stream>, net::Failed> tls_stream(
    const Context& context, const net::Origin& origin, os::Fd socket, net::Deadline deadline,
    Speaks speaks = Speaks::http1);

}  // namespace cg::tls
