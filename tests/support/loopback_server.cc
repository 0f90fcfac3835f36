#include "support/loopback_server.h"

#include <arpa/inet.h>
#include <openssl/ssl.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <stdexcept>

namespace cg::test {

namespace {

class PlainPeer final : public Peer {
 public:
  explicit PlainPeer(int fd) : fd_(fd) {}
  void send(const std::string& bytes) override {
    std::size_t sent = 0;
    while (sent < bytes.size()) {
      const ssize_t n = ::send(fd_, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
      if (n <= 0) return;
      sent += static_cast<std::size_t>(n);
    }
  }

 protected:
  std::string read_some() override {
    std::array<char, 4096> buffer{};
    const ssize_t n = ::read(fd_, buffer.data(), buffer.size());
    return n > 0 ? std::string(buffer.data(), static_cast<std::size_t>(n)) : std::string();
  }

 private:
  int fd_;
};

class TlsPeer final : public Peer {
 public:
  explicit TlsPeer(SSL* ssl) : ssl_(ssl) {}
  void send(const std::string& bytes) override {
    std::size_t written = 0;
    SSL_write_ex(ssl_, bytes.data(), bytes.size(), &written);
  }

 protected:
  std::string read_some() override {
    std::array<char, 4096> buffer{};
    std::size_t n = 0;
    return SSL_read_ex(ssl_, buffer.data(), buffer.size(), &n) == 1 ? std::string(buffer.data(), n)
                                                                    : std::string();
  }

 private:
  SSL* ssl_;
};

}  // namespace

std::optional<std::string> Peer::request() {
  for (;;) {
    const std::size_t end = pending_.find("\r\n\r\n");
    if (end != std::string::npos) {
      const std::string taken = pending_.substr(0, end + 4);
      pending_.erase(0, end + 4);
      return taken;
    }
    const std::string more = read_some();
    if (more.empty()) return std::nullopt;
    pending_ += more;
  }
}

void Peer::wait_until_closed() {
  while (!read_some().empty()) {
  }
}

LoopbackServer::LoopbackServer(Script script, std::optional<Identity> identity)
    : script_(std::move(script)), identity_(std::move(identity)) {
  signal(SIGPIPE, SIG_IGN);  // OpenSSL writes to clients that have left
  listener_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof at;
  auto* const address = reinterpret_cast<sockaddr*>(&at);
  if (bind(listener_, address, size) != 0 || listen(listener_, 64) != 0 ||
      getsockname(listener_, address, &size) != 0) {
    throw std::runtime_error("no server on loopback");
  }
  port_ = ntohs(at.sin_port);
  acceptor_ = std::thread([this] { accept_all(); });
}

LoopbackServer::~LoopbackServer() {
  shutdown(listener_, SHUT_RDWR);
  acceptor_.join();
  close(listener_);
  {
    const std::lock_guard lock(mutex_);
    for (const int fd : open_) shutdown(fd, SHUT_RDWR);
  }
  for (std::thread& thread : threads_) thread.join();  // nobody adds to them any more
}

void LoopbackServer::accept_all() {
  for (;;) {
    const int fd = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (fd < 0) return;
    const std::lock_guard lock(mutex_);
    ++connections_;
    open_.push_back(fd);
    threads_.emplace_back([this, fd] { serve(fd); });
  }
}

namespace {

using Context = std::unique_ptr<SSL_CTX, decltype(&SSL_CTX_free)>;

Context server_context(const Identity& identity);

void serve_tls(int fd, const Identity& identity, const LoopbackServer::Script& script) {
  const Context context = server_context(identity);
  const std::unique_ptr<SSL, decltype(&SSL_free)> ssl(SSL_new(context.get()), &SSL_free);
  SSL_set_fd(ssl.get(), fd);
  if (SSL_accept(ssl.get()) != 1) return;
  TlsPeer peer(ssl.get());
  script(peer);
  SSL_shutdown(ssl.get());
}

}  // namespace

void LoopbackServer::serve(int fd) {
  if (identity_) {
    serve_tls(fd, *identity_, script_);
  } else {
    PlainPeer peer(fd);
    script_(peer);
  }
  const std::lock_guard lock(mutex_);
  open_.erase(std::remove(open_.begin(), open_.end(), fd), open_.end());
  close(fd);
}

std::string LoopbackServer::url(const std::string& target, const std::string& host) const {
  return (identity_ ? "https://" : "http://") + host + ":" + std::to_string(port_) + target;
}

std::string response(const std::string& status, const std::string& body,
                     const std::string& headers) {
  return "HTTP/1.1 " + status + "\r\n" + headers +
         "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

namespace {

struct FreeBio {
  void operator()(BIO* bio) const { BIO_free(bio); }
};

Context server_context(const Identity& identity) {
  Context context(SSL_CTX_new(TLS_server_method()), &SSL_CTX_free);
  const std::unique_ptr<BIO, FreeBio> certificate(
      BIO_new_mem_buf(identity.certificate.data(), static_cast<int>(identity.certificate.size())));
  const std::unique_ptr<BIO, FreeBio> key(
      BIO_new_mem_buf(identity.key.data(), static_cast<int>(identity.key.size())));
  const std::unique_ptr<X509, decltype(&X509_free)> x509(
      PEM_read_bio_X509(certificate.get(), nullptr, nullptr, nullptr), &X509_free);
  const std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> secret(
      PEM_read_bio_PrivateKey(key.get(), nullptr, nullptr, nullptr), &EVP_PKEY_free);
  if (SSL_CTX_use_certificate(context.get(), x509.get()) != 1 ||
      SSL_CTX_use_PrivateKey(context.get(), secret.get()) != 1) {
    throw std::runtime_error("no server identity");
  }
  if (identity.newest_tls == NewestTls::v12) {
    SSL_CTX_set_options(context.get(), SSL_OP_NO_TLSv1_3);
  }
  return context;
}

}  // namespace

}  // namespace cg::test
