#include "fetch/tls/trust.h"

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <ctime>

namespace cg::tls {

namespace {

using net::Failed;
using net::FailureKind;

struct FreeBio {
  void operator()(BIO* bio) const { BIO_free(bio); }
};
struct FreeCertificate {
  void operator()(X509* certificate) const { X509_free(certificate); }
};

/// Debian, Fedora, Alpine and SUSE, in this order; the first that is there counts.
constexpr std::array<const char*, 4> kBundles = {
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/cert.pem",
    "/etc/ssl/ca-bundle.pem",
};

bool load_system(SSL_CTX* context) {
  for (const char* bundle : kBundles) {
    if (access(bundle, R_OK) == 0) return SSL_CTX_load_verify_file(context, bundle) == 1;
  }
  return false;
}

/// How many certificates were added; all of the text must be certificates.
int add_authorities(SSL_CTX* context, const std::string& pem) {
  const std::unique_ptr<BIO, FreeBio> bio(
      BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
  if (bio == nullptr) return 0;
  int count = 0;
  for (;;) {
    const std::unique_ptr<X509, FreeCertificate> certificate(
        PEM_read_bio_X509(bio.get(), nullptr, nullptr, nullptr));
    if (certificate == nullptr) break;
    if (X509_STORE_add_cert(SSL_CTX_get_cert_store(context), certificate.get()) != 1) return 0;
    ++count;
  }
  const bool at_end = ERR_GET_REASON(ERR_peek_last_error()) == PEM_R_NO_START_LINE;
  return at_end ? count : 0;
}

bool set_protocol(SSL_CTX* context, Speaks speaks) {
  static constexpr unsigned char kHttp1[] = "\x08http/1.1";
  static constexpr unsigned char kHttp2[] = "\x02h2";
  SSL_CTX_set_security_level(context, 2);
  SSL_CTX_set_options(context, SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION);
  SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nullptr);
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
  if (speaks == Speaks::http2) {
    return SSL_CTX_set_min_proto_version(context, TLS1_3_VERSION) == 1 &&
           SSL_CTX_set_alpn_protos(context, kHttp2, sizeof kHttp2 - 1) == 0;
  }
  return SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION) == 1 &&
         SSL_CTX_set_alpn_protos(context, kHttp1, sizeof kHttp1 - 1) == 0;
}

Failed unusable(const char* detail) { return {FailureKind::setup, detail}; }

}  // namespace

Result<Context, Failed> make_context(const std::string& authorities, Speaks speaks) {
  if (OPENSSL_init_ssl(OPENSSL_INIT_NO_LOAD_CONFIG, nullptr) != 1) {
    return fail(unusable("OpenSSL does not start"));
  }
  Context context(SSL_CTX_new(TLS_client_method()));
  if (context == nullptr || !set_protocol(context.get(), speaks)) {
    return fail(unusable("OpenSSL cannot do TLS as it is needed"));
  }
  const bool system = load_system(context.get());
  ERR_clear_error();
  if (!authorities.empty() && add_authorities(context.get(), authorities) == 0) {
    return fail(unusable("the certificates given for this origin are not PEM certificates"));
  }
  if (!system && authorities.empty()) {
    return fail(unusable("this machine has no trust store (ca-certificates)"));
  }
  ERR_clear_error();
  // Whatever would be opened at first use is opened now: comparing the dates of a
  // certificate makes glibc look for a time zone.
  setenv("TZ", "UTC0", 1);
  tzset();
  std::array<unsigned char, 1> one{};
  const std::unique_ptr<SSL, decltype(&SSL_free)> warm(SSL_new(context.get()), &SSL_free);
  if (warm == nullptr || RAND_bytes(one.data(), 1) != 1) {
    return fail(unusable("OpenSSL has no random numbers"));
  }
  return context;
}

bool speaks_http2(const SSL* ssl) {
  const unsigned char* name = nullptr;
  unsigned size = 0;
  SSL_get0_alpn_selected(ssl, &name, &size);
  return size == 2 && name[0] == 'h' && name[1] == '2';
}

}  // namespace cg::tls
