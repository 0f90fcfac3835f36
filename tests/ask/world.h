// A network of its own in which the model's host is a server of ours; see world.sh.
#pragma once

#include <sys/types.h>

#include <memory>
#include <string>
#include <vector>

#include "base/json/json.h"
#include "support/loopback_server.h"
#include "support/support.h"

namespace cg::test {

/// The certificate that the server shows.
enum class Shown {
  pinned,  // the one that server_pem() has
  other,   // of the same authority, with another key
};

class World {
 public:
  /// Returns when all serve. `mirror`: of packages, see tests/prove/prepare.mjs.
  explicit World(const std::string& mirror, Shown shown = Shown::pinned);
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  /// What is answered from now on; the first that was not used yet is next.
  void answer(const std::vector<json::Value>& answers) const;

  /// `argv` as it is run inside.
  [[nodiscard]] std::vector<std::string> inside(std::vector<std::string> argv) const;
  [[nodiscard]] std::string registry() const { return "http://127.0.0.1:" + registry_port_; }
  /// Of the model server on loopback.
  [[nodiscard]] const std::string& own_port() const { return own_port_; }
  /// The certificate of the server that counts, for `codegenie key pin`.
  [[nodiscard]] const std::string& server_pem() const { return pinned_.certificate; }

  /// Everything that any of the model's servers saw: objects of one member.
  [[nodiscard]] std::vector<json::Value> seen() const;
  [[nodiscard]] std::size_t connections() const;
  /// Whole requests: method, url, headers, body.
  [[nodiscard]] std::vector<json::Value> requests() const;

 private:
  void start(const std::string& mirror);

  ScratchDir folder_;
  Authority authority_;
  Identity pinned_;
  pid_t child_ = -1;
  int input_ = -1;  // its end is the sign to stop
  std::string registry_port_;
  std::string own_port_;
};

/// {"say": TEXT}
[[nodiscard]] json::Value say(const std::string& text);
/// {"status": N, …}; `retry_after` may be empty.
[[nodiscard]] json::Value status(int number, const std::string& retry_after = "");

}  // namespace cg::test
