#include "fetch/net/channel.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "base/base/assert.h"
#include "base/base/text.h"
#include "jail/seal/program.h"

namespace cg::net {

namespace {

constexpr int kAnHour = 3'600'000;

bool would_block(int code) { return code == EAGAIN || code == EINTR; }

/// Room for two, so that a second descriptor is seen and closed rather than lost.
struct alignas(cmsghdr) ControlRoom {
  std::array<char, CMSG_SPACE(2 * sizeof(int))> bytes{};
};

struct Taken {
  os::Fd first;
  int count = 0;
};

Taken descriptors_in(msghdr& message) {
  Taken taken;
  for (cmsghdr* c = CMSG_FIRSTHDR(&message); c != nullptr; c = CMSG_NXTHDR(&message, c)) {
    if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS) continue;
    const std::size_t count = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (std::size_t i = 0; i < count; ++i) {
      int number = -1;
      std::memcpy(&number, CMSG_DATA(c) + i * sizeof number, sizeof number);
      os::Fd fd(number);
      if (taken.count++ == 0) taken.first = std::move(fd);
    }
  }
  return taken;
}

}  // namespace

Deadline deadline_in(std::chrono::milliseconds limit) {
  return std::chrono::steady_clock::now() + limit;
}

int left_ms(Deadline deadline) {
  const auto now = std::chrono::steady_clock::now();
  if (deadline <= now) return 0;
  if (deadline - now > std::chrono::milliseconds(kAnHour)) return kAnHour;
  // Rounded up: a wait of 0 ms would spin through the last millisecond.
  return static_cast<int>(std::chrono::ceil<std::chrono::milliseconds>(deadline - now).count());
}

bool is_hung_up(int fd) {
  pollfd polled{fd, POLLIN, 0};
  return poll(&polled, 1, 0) > 0 && (polled.revents & (POLLHUP | POLLERR | POLLNVAL)) != 0;
}

Result<Done, ChannelError> Channel::wait(short events, Deadline deadline, int watched) const {
  for (;;) {
    std::array<pollfd, 2> polled{{{fd_.get(), events, 0}, {watched, POLLIN, 0}}};
    const int left = deadline == kNever ? -1 : left_ms(deadline);
    if (left == 0) return fail(ChannelError::timeout);
    const int ready = poll(polled.data(), polled.size(), left);
    if (ready < 0 && errno != EINTR) return fail(ChannelError::closed);
    if (ready <= 0) continue;
    if (polled[0].revents != 0) return Done{};
    return fail(ChannelError::interrupted);
  }
}

Result<Done, ChannelError> Channel::read_exactly(char* to, std::size_t size, Deadline deadline,
                                                 int watched) {
  while (size > 0) {
    CG_TRY(wait(POLLIN, deadline, watched));
    const ssize_t n = read(fd_.get(), to, size);
    if (n == 0 || (n < 0 && !would_block(errno))) return fail(ChannelError::closed);
    if (n < 0) continue;
    to += n;
    size -= static_cast<std::size_t>(n);
  }
  return Done{};
}

Result<Message, ChannelError> Channel::read_rest(const std::array<char, kFrameHeader>& bytes,
                                                 Deadline deadline, int watched) {
  const auto header = parse_header(bytes);
  if (!header) return fail(ChannelError::broken);
  const Speaker other = self_ == Speaker::asker ? Speaker::helper : Speaker::asker;
  if (!order_.take(other, header->kind)) return fail(ChannelError::broken);
  std::string fields(header->size, '\0');
  CG_TRY(read_exactly(fields.data(), fields.size(), deadline, watched));
  auto message = parse_fields(header->kind, fields);
  if (!message) return fail(ChannelError::broken);
  return *std::move(message);
}

Result<Message, ChannelError> Channel::receive(Deadline deadline, int watched) {
  std::array<char, kFrameHeader> header{};
  CG_TRY(read_exactly(header.data(), header.size(), deadline, watched));
  return read_rest(header, deadline, watched);
}

Result<Channel::Carried, ChannelError> Channel::receive_with(Deadline deadline, int watched) {
  std::array<char, kFrameHeader> header{};
  ControlRoom room;
  iovec part{header.data(), header.size()};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = room.bytes.data();
  message.msg_controllen = room.bytes.size();
  CG_TRY(wait(POLLIN, deadline, watched));
  const ssize_t n = recvmsg(fd_.get(), &message, MSG_CMSG_CLOEXEC);
  if (n <= 0) return fail(ChannelError::closed);
  Taken taken = descriptors_in(message);
  const bool cut = (message.msg_flags & MSG_CTRUNC) != 0;
  if (taken.count > 1 || cut) return fail(ChannelError::broken);
  const auto got = static_cast<std::size_t>(n);
  CG_TRY(read_exactly(header.data() + got, header.size() - got, deadline, watched));
  CG_TRY_ASSIGN(Message read, read_rest(header, deadline, watched));
  if (taken.first.is_open() != (kind_of(read) == Kind::dialled)) {
    return fail(ChannelError::broken);
  }
  return Carried{std::move(read), std::move(taken.first)};
}

void Channel::take_own_step(const Message& message) {
  const bool in_order = order_.take(self_, kind_of(message));
  CG_ASSERT(in_order);
}

Result<Done, ChannelError> Channel::send_bytes(std::string_view bytes, Deadline deadline) {
  while (!bytes.empty()) {
    const ssize_t n = sendto(fd_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL, nullptr, 0);
    if (n < 0 && !would_block(errno)) return fail(ChannelError::closed);
    if (n < 0) {
      CG_TRY(wait(POLLOUT, deadline, -1));
      continue;
    }
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return Done{};
}

Result<Done, ChannelError> Channel::send(const Message& message, Deadline deadline) {
  take_own_step(message);
  return send_bytes(write_frame(message), deadline);
}

Result<Done, ChannelError> Channel::send_with(const Message& message, const os::Fd& carried,
                                              Deadline deadline) {
  take_own_step(message);
  std::string bytes = write_frame(message);
  ControlRoom room;
  iovec part{bytes.data(), bytes.size()};
  msghdr out{};
  out.msg_iov = &part;
  out.msg_iovlen = 1;
  out.msg_control = room.bytes.data();
  out.msg_controllen = CMSG_SPACE(sizeof(int));
  cmsghdr* const c = CMSG_FIRSTHDR(&out);
  c->cmsg_level = SOL_SOCKET;
  c->cmsg_type = SCM_RIGHTS;
  c->cmsg_len = CMSG_LEN(sizeof(int));
  const int number = carried.get();
  std::memcpy(CMSG_DATA(c), &number, sizeof number);
  CG_TRY(wait(POLLOUT, deadline, -1));
  const ssize_t n = sendmsg(fd_.get(), &out, MSG_NOSIGNAL);
  // Five bytes into a channel that carries one message at a time: all or nothing.
  if (n != static_cast<ssize_t>(bytes.size())) return fail(ChannelError::closed);
  return Done{};
}

void end_for(ChannelError error, int watched) {
  const bool spoke = error == ChannelError::interrupted && watched >= 0 && !is_hung_up(watched);
  _exit(error == ChannelError::broken || spoke ? seal::kEndUnexpected : seal::kEndDone);
}

void refuse(Channel& parent, Failed why, Deadline deadline) {
  why.detail = std::string(cut_utf8(why.detail, kMaxDetail));
  static_cast<void>(parent.send(why, deadline).has_value());
  _exit(why.kind == FailureKind::setup ? seal::kEndUnsealed : seal::kEndDone);
}

void tell(Channel& parent, const Message& message) {
  const auto sent = parent.send(message, kNever);
  if (!sent) end_for(sent.error());
}

}  // namespace cg::net
