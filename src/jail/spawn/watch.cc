#include "jail/spawn/watch.h"

#include <linux/seccomp.h>
#include <sys/ioctl.h>

#include <array>
#include <cerrno>

namespace cg::spawn {

namespace {

/// A newer kernel may have longer structures; it reads and writes no more than it has.
constexpr std::size_t kRoom = 512;

}  // namespace

std::optional<WaitingCall> next_call(const os::Fd& listener) {
  union {
    seccomp_notif notice;
    std::array<char, kRoom> room;
  } in{};
  if (ioctl(listener.get(), SECCOMP_IOCTL_NOTIF_RECV, &in.notice) != 0) return std::nullopt;
  WaitingCall out;
  out.id = in.notice.id;
  out.call.number = in.notice.data.nr;
  for (std::size_t i = 0; i < out.call.args.size(); ++i) out.call.args[i] = in.notice.data.args[i];
  return out;
}

void refuse(const os::Fd& listener, const WaitingCall& waiting) {
  union {
    seccomp_notif_resp answer;
    std::array<char, kRoom> room;
  } out{};
  out.answer.id = waiting.id;
  out.answer.error = -EPERM;
  static_cast<void>(ioctl(listener.get(), SECCOMP_IOCTL_NOTIF_SEND, &out.answer));
}

}  // namespace cg::spawn
