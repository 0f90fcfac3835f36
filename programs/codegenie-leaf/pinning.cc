#include "pinning.h"

#include <openssl/x509.h>
#include <openssl/x509_vfy.h>

#include <algorithm>
#include <ctime>
#include <iterator>
#include <optional>

#include "fetch/tls/trust.h"
#include "trust/hash/sha256.h"

namespace cg::leaf {

namespace {

constexpr std::int64_t kDay = 86'400;

std::optional<hash::Digest> spki_of(X509* certificate) {
  unsigned char* der = nullptr;
  const int size = i2d_X509_PUBKEY(X509_get_X509_PUBKEY(certificate), &der);
  if (size <= 0) return std::nullopt;
  const hash::Digest digest = hash::sha256({der, static_cast<std::size_t>(size)});
  OPENSSL_free(der);
  return digest;
}

bool is_pinned(X509* certificate, const std::vector<net::Pin>& pins) {
  const auto spki = spki_of(certificate);
  return spki && std::any_of(pins.begin(), pins.end(),
                             [&](const net::Pin& pin) { return pin.spki == *spki; });
}

/// Called inside the handshake, so that a server which is refused here never sees it completed.
/// In TLS 1.3 the protocol was agreed on before the certificate came.
int verify(X509_STORE_CTX* store, void* argument) {
  const int verified = X509_verify_cert(store);
  if (verified != 1) return verified;
  const auto* ssl = static_cast<const SSL*>(
      X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx()));
  if (ssl == nullptr || !tls::speaks_http2(ssl)) {
    X509_STORE_CTX_set_error(store, X509_V_ERR_APPLICATION_VERIFICATION);
    return 0;
  }
  const auto& pins = *static_cast<const std::vector<net::Pin>*>(argument);
  STACK_OF(X509)* const chain = X509_STORE_CTX_get0_chain(store);
  const int root = sk_X509_num(chain) - 1;
  for (int i = 0; i < root; ++i) {
    if (is_pinned(sk_X509_value(chain, i), pins)) return 1;
  }
  X509_STORE_CTX_set_error(store, X509_V_ERR_APPLICATION_VERIFICATION);
  return 0;
}

}  // namespace

std::vector<net::Pin> current_pins(const std::vector<net::Pin>& pins) {
  const std::int64_t today = std::time(nullptr) / kDay;
  std::vector<net::Pin> out;
  std::copy_if(pins.begin(), pins.end(), std::back_inserter(out),
               [&](const net::Pin& pin) { return pin.last_day >= today; });
  return out;
}

void require_pin(SSL_CTX* context, std::vector<net::Pin>& pins) {
  SSL_CTX_set_cert_verify_callback(context, verify, &pins);
}

}  // namespace cg::leaf
