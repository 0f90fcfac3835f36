#include "jail/sandbox/link.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>

namespace cg::sandbox {

namespace {

/// True if it is worth trying again.
bool may_retry(int fd, short events) {
  if (errno == EINTR) return true;
  if (errno != EAGAIN) return false;
  pollfd waited{fd, events, 0};
  return poll(&waited, 1, -1) >= 0 || errno == EINTR;
}

bool read_exactly(int fd, std::string& to, std::size_t size) {
  to.resize(size);
  for (std::size_t got = 0; got < size;) {
    const ssize_t n = read(fd, to.data() + got, size - got);
    if (n == 0) return false;
    if (n < 0 && !may_retry(fd, POLLIN)) return false;
    if (n > 0) got += static_cast<std::size_t>(n);
  }
  return true;
}

/// As write(), but a socket whose other end is gone is no signal.
ssize_t put(int fd, const char* bytes, std::size_t size) {
  const ssize_t n = send(fd, bytes, size, MSG_NOSIGNAL);
  return n < 0 && errno == ENOTSOCK ? write(fd, bytes, size) : n;
}

}  // namespace

Result<Message, LinkError> Link::receive() {
  std::string bytes;
  if (!read_exactly(in_.get(), bytes, kFrameHeader)) return fail(LinkError::closed);
  const auto header = read_header(bytes);
  if (!header) return fail(LinkError::broken);
  if (!read_exactly(in_.get(), bytes, header->size)) return fail(LinkError::closed);
  auto message = read_fields(header->kind, bytes);
  if (!message) return fail(LinkError::broken);
  return *std::move(message);
}

Result<Done, LinkError> Link::send(const Message& message) {
  const auto bytes = write_frame(message);
  if (!bytes) return fail(LinkError::broken);
  const int fd = out_.is_open() ? out_.get() : in_.get();
  for (std::size_t sent = 0; sent < bytes->size();) {
    const ssize_t n = put(fd, bytes->data() + sent, bytes->size() - sent);
    if (n < 0 && !may_retry(fd, POLLOUT)) return fail(LinkError::closed);
    if (n > 0) sent += static_cast<std::size_t>(n);
  }
  return Done{};
}

}  // namespace cg::sandbox
