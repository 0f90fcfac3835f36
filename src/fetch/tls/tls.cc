#include "fetch/tls/tls.h"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/tls1.h>
#include <openssl/x509v3.h>
#include <poll.h>

#include <string>

namespace cg::tls {

namespace {

using net::Deadline;
using net::Failed;
using net::FailureKind;

struct FreeSsl {
  void operator()(SSL* ssl) const { SSL_free(ssl); }
};
using Ssl = std::unique_ptr<SSL, FreeSsl>;

constexpr const char* kNoHttp2 = "the server does not speak HTTP/2";

Failed tls_failed(SSL* ssl) {
  const long verdict = SSL_get_verify_result(ssl);
  if (verdict == X509_V_ERR_APPLICATION_VERIFICATION) {  // as codegenie-leaf says it
    if (!speaks_http2(ssl)) return {FailureKind::tls, kNoHttp2};
    return {FailureKind::pin_mismatch, "a trusted certificate, and none of the pinned keys"};
  }
  if (verdict != X509_V_OK) {
    return {FailureKind::tls,
            std::string("certificate: ") + X509_verify_cert_error_string(verdict)};
  }
  const char* reason = ERR_reason_error_string(ERR_peek_last_error());
  return {FailureKind::tls, reason != nullptr ? reason : "the handshake was cut off"};
}

bool expect_host(SSL* ssl, const net::Origin& origin) {
  X509_VERIFY_PARAM* const expected = SSL_get0_param(ssl);
  X509_VERIFY_PARAM_set_hostflags(
      expected, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS | X509_CHECK_FLAG_NEVER_CHECK_SUBJECT);
  if (origin.is_address()) {
    return X509_VERIFY_PARAM_set1_ip_asc(expected, origin.host().c_str()) == 1;
  }
  std::string name = origin.host();
  return SSL_set1_host(ssl, name.c_str()) == 1 &&
         SSL_ctrl(ssl, SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name, name.data()) == 1;
}

class Tls final : public Stream {
 public:
  Tls(os::Fd socket, Ssl ssl) : socket_(std::move(socket)), ssl_(std::move(ssl)) {}

  Result<Done, Failed> handshake(Deadline deadline) {
    for (;;) {
      ERR_clear_error();
      const int done = SSL_connect(ssl_.get());
      if (done == 1) return Done{};
      CG_TRY_ASSIGN(const bool open, wait_after(done, deadline));
      if (!open) return fail(tls_failed(ssl_.get()));
    }
  }

  Result<std::size_t, Failed> read(char* to, std::size_t size, Deadline deadline) override {
    for (;;) {
      ERR_clear_error();
      std::size_t got = 0;
      const int done = SSL_read_ex(ssl_.get(), to, size, &got);
      if (done == 1) return got;
      CG_TRY_ASSIGN(const bool open, wait_after(done, deadline));
      if (!open) return std::size_t{0};
    }
  }

  Result<bool, Failed> write(std::string_view bytes, Deadline deadline) override {
    for (;;) {
      ERR_clear_error();
      std::size_t written = 0;  // all or nothing: partial writes are not enabled
      const int done = SSL_write_ex(ssl_.get(), bytes.data(), bytes.size(), &written);
      if (done == 1) return true;
      CG_TRY_ASSIGN(const bool open, wait_after(done, deadline));
      if (!open) return false;
    }
  }

  [[nodiscard]] const SSL* ssl() const { return ssl_.get(); }

  /// Records that are no answer (TLS 1.3 tickets) may lie unread. They are taken in;
  /// anything of an answer, or an end, is not quiet.
  bool is_quiet() override {
    if (SSL_pending(ssl_.get()) > 0) return false;
    if (is_silent(socket_.get())) return true;
    ERR_clear_error();
    char byte = 0;
    const int done = SSL_peek(ssl_.get(), &byte, 1);
    return done <= 0 && SSL_get_error(ssl_.get(), done) == SSL_ERROR_WANT_READ;
  }

 private:
  /// After a call that did not go through: waits and says true if it should be made
  /// again, false if the connection is at its end.
  Result<bool, Failed> wait_after(int done, Deadline deadline) {
    switch (SSL_get_error(ssl_.get(), done)) {
      case SSL_ERROR_WANT_READ:
        CG_TRY(wait_for(socket_.get(), POLLIN, deadline));
        return true;
      case SSL_ERROR_WANT_WRITE:
        CG_TRY(wait_for(socket_.get(), POLLOUT, deadline));
        return true;
      default:
        return false;
    }
  }

  os::Fd socket_;
  Ssl ssl_;
};

}  // namespace

Result<std::unique_ptr<Stream>, Failed> tls_stream(const Context& context,
                                                   const net::Origin& origin, os::Fd socket,
                                                   Deadline deadline, Speaks speaks) {
  Ssl ssl(SSL_new(context.get()));
  if (ssl == nullptr || !expect_host(ssl.get(), origin) ||
      SSL_set_fd(ssl.get(), socket.get()) != 1) {
    return fail(Failed{FailureKind::tls, "OpenSSL cannot use this host"});
  }
  auto stream = std::make_unique<Tls>(std::move(socket), std::move(ssl));
  CG_TRY(stream->handshake(deadline));
  if (speaks == Speaks::http2 && !speaks_http2(stream->ssl())) {
    return fail(Failed{FailureKind::tls, kNoHttp2});
  }
  return std::unique_ptr<Stream>(std::move(stream));
}

}  // namespace cg::tls
