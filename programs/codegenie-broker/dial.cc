#include "dial.h"

#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "fetch/net/policies.h"
#include "fetch/net/process.h"

namespace cg::broker {

namespace {

using net::Deadline;
using net::Failed;
using net::FailureKind;

/// 0 once `fd` is connected, else the errno of why not.
int wait_connected(const os::Fd& fd, Deadline deadline) {
  for (;;) {
    std::array<pollfd, 3> polled{
        {{fd.get(), POLLOUT, 0}, {net::kParentFd, POLLIN, 0}, {net::kLinkFd, POLLIN, 0}}};
    const int left = net::left_ms(deadline);
    if (left == 0) return ETIMEDOUT;
    const int ready = poll(polled.data(), polled.size(), left);
    if (ready < 0 && errno != EINTR) return errno;
    if (ready <= 0) continue;
    // Neither has anything to say now: whatever this is, it is the end.
    for (const pollfd& other : {polled[1], polled[2]}) {
      if (other.revents == 0) continue;
      _exit((other.revents & POLLHUP) != 0 ? net::kEndDone : net::kEndUnexpected);
    }
    int code = 0;
    socklen_t size = sizeof code;
    return getsockopt(fd.get(), SOL_SOCKET, SO_ERROR, &code, &size) == 0 ? code : errno;
  }
}

Result<os::Fd, int> try_one(const net::Address& address, std::uint16_t port, Deadline deadline) {
  const net::Address::Dialable to = address.at_port(port);
  os::Fd fd(socket(to.family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, IPPROTO_TCP));
  if (!fd.is_open()) return fail(errno);
  if (connect(fd.get(), reinterpret_cast<const sockaddr*>(&to.bytes), to.size) == 0) return fd;
  if (errno != EINPROGRESS) return fail(errno);
  const int code = wait_connected(fd, deadline);
  if (code != 0) return fail(code);
  return fd;
}

}  // namespace

Result<os::Fd, Failed> dial(const std::vector<net::Address>& addresses, std::uint16_t port,
                            Deadline deadline) {
  int last = ETIMEDOUT;
  std::size_t left = addresses.size();
  for (const net::Address& address : addresses) {
    // An address that swallows packets must not use up the time of the next one.
    const auto share = std::chrono::milliseconds(net::left_ms(deadline)) / static_cast<int>(left--);
    auto fd = try_one(address, port, std::min(deadline, net::deadline_in(share)));
    if (fd) return *std::move(fd);
    last = fd.error();
  }
  const FailureKind kind = last == ETIMEDOUT ? FailureKind::timeout : FailureKind::unreachable;
  return fail(Failed{kind, strerrordesc_np(last)});
}

}  // namespace cg::broker
