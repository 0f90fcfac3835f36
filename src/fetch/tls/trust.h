// Whom we believe: read once, before the process is sealed.
#pragma once

#include <openssl/ssl.h>

#include <memory>
#include <string>

#include "base/base/result.h"
#include "fetch/net/message.h"

namespace cg::tls {

struct FreeContext {
  void operator()(SSL_CTX* context) const { SSL_CTX_free(context); }
};
using Context = std::unique_ptr<SSL_CTX, FreeContext>;

/// What must be spoken over TLS.
enum class Speaks {
  http1,  // HTTP/1.1, over TLS 1.2 or newer
  http2,  // HTTP/2 over TLS 1.3, or nothing at all
};

/// Certificates of the system's trust store and of `authorities`
/// (PEM, may be empty), no configuration file, no environment. The files are read
/// here; nothing is looked up later.
[[nodiscard]] Result<Context, net::Failed> make_context(const std::string& authorities,
                                                        Speaks speaks = Speaks::http1);

/// HTTP/2 was agreed on. In TLS 1.3 that is known before the server's certificate is.
[[nodiscard]] bool speaks_http2(const SSL* ssl);

}  // namespace cg::tls
