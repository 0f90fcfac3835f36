// An HTTP server on loopback that does exactly what a test tells it to, good or bad.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace cg::test {

enum class NewestTls { any, v12 };

/// A certificate and its key, PEM.
struct Identity {
  std::string certificate;
  std::string key;
  NewestTls newest_tls = NewestTls::any;
};

/// A certificate authority of its own, made when asked for.
class Authority {
 public:
  Authority();
  [[nodiscard]] const std::string& pem() const { return identity_.certificate; }
  /// `names` as OpenSSL writes them: "DNS:localhost,IP:127.0.0.1".
  [[nodiscard]] Identity issue(const std::string& names) const;
  /// Signed by nobody but itself.
  [[nodiscard]] static Identity self_signed(const std::string& names);

 private:
  Identity identity_;
};

/// One accepted connection, in its own thread.
class Peer {
 public:
  virtual ~Peer() = default;
  /// Up to the empty line; nothing if the client is gone.
  [[nodiscard]] std::optional<std::string> request();
  virtual void send(const std::string& bytes) = 0;
  /// Returns when the client closes: the way never to answer.
  void wait_until_closed();

 protected:
  virtual std::string read_some() = 0;  // empty at the end

 private:
  std::string pending_;
};

class LoopbackServer {
 public:
  using Script = std::function<void(Peer&)>;

  /// Runs `script` for each connection and closes it after. With an identity, the
  /// script sees what is inside TLS.
  explicit LoopbackServer(Script script, std::optional<Identity> identity = std::nullopt);
  ~LoopbackServer();
  LoopbackServer(const LoopbackServer&) = delete;
  LoopbackServer& operator=(const LoopbackServer&) = delete;

  [[nodiscard]] std::uint16_t port() const { return port_; }
  /// http(s)://HOST:port + `target`.
  [[nodiscard]] std::string url(const std::string& target,
                                const std::string& host = "127.0.0.1") const;
  [[nodiscard]] int connections() const { return connections_; }

 private:
  void accept_all();
  void serve(int fd);

  Script script_;
  std::optional<Identity> identity_;
  int listener_ = -1;
  std::uint16_t port_ = 0;
  std::atomic<int> connections_ = 0;
  std::mutex mutex_;  // for the two below
  std::vector<int> open_;
  std::vector<std::thread> threads_;
  std::thread acceptor_;
};

/// "HTTP/1.1 `status`" with `headers` (each ending in CR LF), the length, and `body`.
[[nodiscard]] std::string response(const std::string& status, const std::string& body,
                                   const std::string& headers = "");

}  // namespace cg::test
