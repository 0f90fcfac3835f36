// A network of its own in which the real host name leads to a server of ours on port 443,
// trusted by a root that only this network knows. The programs under test are those that ship.
#pragma once

#include <sys/types.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/leaf/conversation.h"
#include "support/support.h"
#include "trust/hash/digest.h"

namespace cg::leaf::test {

inline constexpr const char* kAddress = "45.83.0.10";  // public, and here on loopback alone
inline constexpr const char* kKey = "sk-test-0123456789abcdefghijklmnopqrstuvwxyz";

/// What a server's log says.
struct Seen {
  int tcp = 0;
  int secure = 0;  // completed handshakes
  int streams = 0;
  std::string text;  // all of it
};

/// tests/leaf/server.mjs, running until it is asked what it saw or destroyed.
class Server {
 public:
  Server(const std::string& mode, const std::string& folder, const std::string& address);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  [[nodiscard]] bool listens() const { return listens_; }
  /// Until `text` is in its log; ten seconds at most.
  [[nodiscard]] bool waits_for(const std::string& text);
  /// Ends it.
  [[nodiscard]] Seen seen();

 private:
  void stop();
  void read_log(int limit_ms);
  pid_t pid_ = -1;
  int in_ = -1;  // it ends when this is closed
  int out_ = -1;
  std::string log_;
  bool listens_ = false;
};

class World {
 public:
  /// Nothing where neither root nor user namespaces are to be had; said on standard output.
  [[nodiscard]] static std::unique_ptr<World> make();

  /// A folder with key.pem, chain.pem and plan.json for a server. Names: "good", "other_host",
  /// "expired", "untrusted".
  [[nodiscard]] std::string identity(const std::string& name) const;
  /// Pins of certificates made for this world: "server", "intermediate", "root", "stranger".
  [[nodiscard]] net::Pin pin(const std::string& name) const;
  /// Whatever the resolver answers from here on, by lines of /etc/hosts.
  void set_hosts(const std::string& lines) const;

  /// codegenie-leaf as it ships, with the key in a systemd credential.
  [[nodiscard]] Settings settings(const std::vector<net::Pin>& pins) const;
  [[nodiscard]] static Programs programs();
  /// Copies that every user may run, and the key for every user to read.
  [[nodiscard]] Programs programs_for_all() const;

 private:
  World() = default;
  [[nodiscard]] bool separate() const;
  void make_certificates() const;
  void mount_trust() const;
  cg::test::ScratchDir scratch_;
};

[[nodiscard]] Question question();
[[nodiscard]] std::string plan_json();

}  // namespace cg::leaf::test
