#include "fetch/tls/stream.h"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "fetch/net/policies.h"
#include "fetch/net/process.h"

namespace cg::tls {

namespace {

using net::Deadline;
using net::Failed;

bool would_block(int code) { return code == EAGAIN || code == EINTR; }

class Plain final : public Stream {
 public:
  explicit Plain(os::Fd socket) : socket_(std::move(socket)) {}

  Result<std::size_t, Failed> read(char* to, std::size_t size, Deadline deadline) override {
    for (;;) {
      CG_TRY(wait_for(socket_.get(), POLLIN, deadline));
      const ssize_t n = ::read(socket_.get(), to, size);
      if (n >= 0) return static_cast<std::size_t>(n);
      if (!would_block(errno)) return std::size_t{0};
    }
  }

  Result<bool, Failed> write(std::string_view bytes, Deadline deadline) override {
    while (!bytes.empty()) {
      const ssize_t n = ::write(socket_.get(), bytes.data(), bytes.size());
      if (n < 0 && !would_block(errno)) return false;
      if (n < 0) {
        CG_TRY(wait_for(socket_.get(), POLLOUT, deadline));
        continue;
      }
      bytes.remove_prefix(static_cast<std::size_t>(n));
    }
    return true;
  }

  bool is_quiet() override { return is_silent(socket_.get()); }

 private:
  os::Fd socket_;
};

}  // namespace

Result<Done, Failed> wait_for(int fd, short events, Deadline deadline) {
  for (;;) {
    std::array<pollfd, 2> polled{{{fd, events, 0}, {net::kParentFd, POLLIN, 0}}};
    const int left = net::left_ms(deadline);
    if (left == 0) return fail(Failed{net::FailureKind::timeout, ""});
    const int ready = poll(polled.data(), polled.size(), left);
    if (ready <= 0) continue;
    if ((polled[1].revents & POLLHUP) != 0) _exit(net::kEndDone);
    if (polled[1].revents != 0) _exit(net::kEndUnexpected);
    return Done{};
  }
}

bool is_silent(int fd) {
  pollfd polled{fd, POLLIN, 0};
  return poll(&polled, 1, 0) == 0;
}

std::unique_ptr<Stream> plain_stream(os::Fd socket) {
  return std::make_unique<Plain>(std::move(socket));
}

}  // namespace cg::tls
