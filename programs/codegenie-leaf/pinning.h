// Pinning: a chain to a trusted root is not enough.
//
// Checked inside the handshake, right after the chain itself, over the certificates that were
// verified, the root left out: whoever fails it hears neither our Finished nor a request.
#pragma once

#include <openssl/ssl.h>

#include <vector>

#include "fetch/net/leaf_message.h"

namespace cg::leaf {

/// Those that count today, by the clock of this machine.
[[nodiscard]] std::vector<net::Pin> current_pins(const std::vector<net::Pin>& pins);

/// `pins` must live as long as `context`.
void require_pin(SSL_CTX* context, std::vector<net::Pin>& pins);

}  // namespace cg::leaf
