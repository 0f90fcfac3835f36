// Channel: one end of a socket pair, speaking frames in the order of a table.
//
// The descriptors are non-blocking; every wait has an end. System calls used:
// poll, read, sendto (never a signal on a closed peer), and for descriptors recvmsg
// and sendmsg.
#pragma once

#include <chrono>
#include <string>

#include "base/base/result.h"
#include "base/os/fd.h"
#include "fetch/net/frame.h"
#include "fetch/net/order.h"

namespace cg::net {

using Deadline = std::chrono::steady_clock::time_point;
[[nodiscard]] Deadline deadline_in(std::chrono::milliseconds limit);
/// Milliseconds left, 0 if none; at most an hour.
[[nodiscard]] int left_ms(Deadline deadline);
inline constexpr Deadline kNever = Deadline::max();

enum class ChannelError {
  closed,  // the other end is gone
  timeout,
  broken,       // a frame that is malformed, too long or out of order
  interrupted,  // the descriptor that was watched had something to say
};

/// The other end of `fd` is closed. What still lies unread does not matter.
[[nodiscard]] bool is_hung_up(int fd);

class Channel {
 public:
  Channel(os::Fd fd, Order order, Speaker self) : fd_(std::move(fd)), order_(order), self_(self) {}

  /// Sends all of `message`. One that is out of order is our own mistake.
  [[nodiscard]] Result<Done, ChannelError> send(const Message& message, Deadline deadline);
  /// With a descriptor, which stays ours.
  [[nodiscard]] Result<Done, ChannelError> send_with(const Message& message, const os::Fd& carried,
                                                     Deadline deadline);

  /// The next message. `watched` (-1: none) is another descriptor: if it becomes
  /// readable or closes first, the wait ends with `interrupted`.
  [[nodiscard]] Result<Message, ChannelError> receive(Deadline deadline, int watched = -1);

  struct Carried {
    Message message;
    os::Fd fd;  // not open if none came
  };
  /// As receive(), on a channel whose other end may send descriptors. More than one,
  /// or one with any message but Dialled, is `broken`.
  [[nodiscard]] Result<Carried, ChannelError> receive_with(Deadline deadline, int watched);

  [[nodiscard]] int fd() const { return fd_.get(); }
  [[nodiscard]] Stage stage() const { return order_.stage(); }

 private:
  [[nodiscard]] Result<Done, ChannelError> wait(short events, Deadline deadline, int watched) const;
  [[nodiscard]] Result<Done, ChannelError> read_exactly(char* to, std::size_t size,
                                                        Deadline deadline, int watched);
  [[nodiscard]] Result<Message, ChannelError> read_rest(
      const std::array<char, kFrameHeader>& header, Deadline deadline, int watched);
  [[nodiscard]] Result<Done, ChannelError> send_bytes(std::string_view bytes, Deadline deadline);
  void take_own_step(const Message& message);

  os::Fd fd_;
  Order order_;
  Speaker self_;
};

// What the helpers do where their parent asks: each step is done, or the process ends.

/// Ends this process. `watched` as in receive(): if it spoke, and out of turn, that is as wrong
/// as a broken frame.
[[noreturn]] void end_for(ChannelError error, int watched = -1);
/// Tells the parent why nothing can be done, and ends this process.
[[noreturn]] void refuse(Channel& parent, Failed why, Deadline deadline = kNever);
void tell(Channel& parent, const Message& message);
/// The next message, which must be a T.
template <class T>
[[nodiscard]] T expect(Channel& parent) {
  auto message = parent.receive(kNever);
  if (!message) end_for(message.error());
  if (!std::holds_alternative<T>(*message)) end_for(ChannelError::broken);
  return std::get<T>(*std::move(message));
}

}  // namespace cg::net
