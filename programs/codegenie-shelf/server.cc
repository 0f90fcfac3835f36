#include "server.h"

#include <poll.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "jail/shelf/policy.h"

namespace cg::shelf {

namespace {

constexpr std::chrono::seconds kPatience{60};
constexpr int kPollMs = 5'000;  // how often patience is looked at
constexpr std::size_t kMaxAtOnce = 1U << 20U;

bool would_wait(int code) { return code == EAGAIN || code == EWOULDBLOCK || code == EINTR; }

}  // namespace

bool Connection::advance(const os::Dir& folder, Clock::time_point now) {
  moved_ = false;
  // Bounded, so that one that is always ready does not keep the others out.
  for (int rounds = 0; rounds < 8; ++rounds) {
    const Progress progress = sending_ ? send_some() : receive();
    if (progress == Progress::over) return false;
    if (progress == Progress::wait) break;
    if (!sending_ && !take_request(folder)) continue;
  }
  if (moved_) active_ = now;
  return true;
}

Connection::Progress Connection::receive() {
  if (head_size(input_)) return Progress::more;  // the next one came with the last
  std::array<char, 8192> buffer;                 // NOLINT(cppcoreguidelines-pro-type-member-init)
  const ssize_t n = read(socket_.get(), buffer.data(), buffer.size());
  if (n < 0) return would_wait(errno) ? Progress::wait : Progress::over;
  if (n == 0) return Progress::over;
  input_.append(buffer.data(), static_cast<std::size_t>(n));
  moved_ = true;
  return Progress::more;
}

bool Connection::take_request(const os::Dir& folder) {
  const auto size = head_size(input_);
  if (!size && input_.size() < kMaxHead) return false;
  if (!size) {
    answer_ = answer_to(Refusal::head_too_large);
  } else {
    const auto request = parse_request(std::string_view(input_).substr(0, *size));
    input_.erase(0, *size);
    answer_ = request ? answer_to(*request, folder) : answer_to(request.error());
  }
  sent_ = 0;
  sending_ = true;
  return true;
}

Connection::Progress Connection::send_some() {
  const std::uint64_t head = answer_.head.size();
  ssize_t n = 0;
  if (sent_ < head) {
    const std::string_view rest = std::string_view(answer_.head).substr(sent_);
    n = send(socket_.get(), rest.data(), rest.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  } else if (sent_ < head + answer_.size) {
    auto offset = static_cast<off_t>(sent_ - head);
    const std::uint64_t left = head + answer_.size - sent_;
    n = sendfile(socket_.get(), answer_.file.get(), &offset,
                 static_cast<std::size_t>(std::min<std::uint64_t>(left, kMaxAtOnce)));
    if (n == 0) return Progress::over;  // the file became shorter than was promised
  }
  if (n < 0) return would_wait(errno) ? Progress::wait : Progress::over;
  sent_ += static_cast<std::uint64_t>(n);
  moved_ = moved_ || n > 0;
  if (sent_ < head + answer_.size) return Progress::more;
  if (!answer_.keep_alive) return Progress::over;
  answer_ = Answer{};
  sending_ = false;
  return Progress::more;
}

void Server::run(int until) {
  while (true) {
    std::vector<pollfd> polled = {{until, POLLIN, 0}};
    for (const os::Fd& listener : listeners_) polled.push_back({listener.get(), POLLIN, 0});
    const std::size_t first = polled.size();
    for (const Connection& connection : connections_) {
      const short events = connection.is_sending() ? POLLOUT : POLLIN;
      polled.push_back({connection.fd(), events, 0});
    }
    const int ready = poll(polled.data(), polled.size(), kPollMs);
    if (ready < 0 && errno != EINTR) return;
    const auto now = Connection::Clock::now();
    if (polled[0].revents != 0) return;
    std::vector<Connection> kept;
    for (std::size_t i = 0; i < connections_.size(); ++i) {
      const bool is_ready = polled[first + i].revents != 0;
      if (is_ready && !connections_[i].advance(folder_, now)) continue;
      kept.push_back(std::move(connections_[i]));
    }
    connections_ = std::move(kept);
    drop_idle(now);
    for (std::size_t i = 0; i < listeners_.size(); ++i) {
      if (polled[1 + i].revents != 0) accept_from(listeners_[i], now);
    }
  }
}

void Server::accept_from(const os::Fd& listener, Connection::Clock::time_point now) {
  for (unsigned i = 0; i < kMaxConnections / 2; ++i) {
    make_room();
    os::Fd socket(accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (!socket.is_open()) return;
    connections_.emplace_back(std::move(socket), now);
  }
}

void Server::make_room() {
  if (connections_.size() < kMaxConnections) return;
  const auto oldest =
      std::min_element(connections_.begin(), connections_.end(),
                       [](const auto& a, const auto& b) { return a.active() < b.active(); });
  connections_.erase(oldest);
}

void Server::drop_idle(Connection::Clock::time_point now) {
  const auto is_idle = [&](const Connection& c) { return now - c.active() > kPatience; };
  connections_.erase(std::remove_if(connections_.begin(), connections_.end(), is_idle),
                     connections_.end());
}

}  // namespace cg::shelf
