// Server: many connections, one thread, none of which can make the others wait.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "base/os/dir.h"
#include "base/os/fd.h"
#include "jail/shelf/answer.h"

namespace cg::shelf {

/// Somebody connected: what they sent so far, and what they are being sent.
class Connection {
 public:
  using Clock = std::chrono::steady_clock;
  Connection(os::Fd socket, Clock::time_point now) : socket_(std::move(socket)), active_(now) {}

  [[nodiscard]] int fd() const { return socket_.get(); }
  /// Bytes are waiting for the other side to take them.
  [[nodiscard]] bool is_sending() const { return sending_; }
  /// When something last moved.
  [[nodiscard]] Clock::time_point active() const { return active_; }
  /// Reads or sends as far as it goes without waiting. False: it is over.
  [[nodiscard]] bool advance(const os::Dir& folder, Clock::time_point now);

 private:
  enum class Progress { more, wait, over };
  [[nodiscard]] Progress receive();
  [[nodiscard]] Progress send_some();
  [[nodiscard]] bool take_request(const os::Dir& folder);

  os::Fd socket_;
  Clock::time_point active_;
  std::string input_;
  Answer answer_;
  std::uint64_t sent_ = 0;  // of head and file together
  bool sending_ = false;
  bool moved_ = false;
};

class Server {
 public:
  Server(os::Dir folder, std::vector<os::Fd> listeners)
      : folder_(std::move(folder)), listeners_(std::move(listeners)) {}

  /// Serves until `until` (a descriptor) is readable or at its end.
  void run(int until);

 private:
  void accept_from(const os::Fd& listener, Connection::Clock::time_point now);
  /// Whoever was silent for longest goes: a new one is more likely to want something.
  void make_room();
  void drop_idle(Connection::Clock::time_point now);

  os::Dir folder_;
  std::vector<os::Fd> listeners_;
  std::vector<Connection> connections_;
};

}  // namespace cg::shelf
