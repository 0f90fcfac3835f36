#include "jail/spawn/protocol.h"

#include <sys/socket.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace cg::spawn {

namespace {

constexpr std::size_t kControl = CMSG_SPACE(sizeof(int) * kMaxFds);

/// The descriptors of a message become ours, also those nobody wants.
void take_fds(msghdr& header, std::vector<os::Fd>& fds) {
  for (cmsghdr* c = CMSG_FIRSTHDR(&header); c != nullptr; c = CMSG_NXTHDR(&header, c)) {
    if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS) continue;
    const std::size_t count = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (std::size_t i = 0; i < count; ++i) {
      int fd = -1;
      std::memcpy(&fd, CMSG_DATA(c) + i * sizeof fd, sizeof fd);
      fds.emplace_back(fd);
    }
  }
}

}  // namespace

std::string_view name(Program program) {
  switch (program) {
    case Program::broker:
      return "codegenie-broker";
    case Program::fetch:
      return "codegenie-fetch";
    case Program::git:
      return "codegenie-git";
    case Program::jail:
      return "codegenie-jail";
    case Program::gpg_sign:
    case Program::gpg_verify:
      return "gpg";
    case Program::leaf:
      return "codegenie-leaf";
    case Program::key:
      return "codegenie-key";
  }
  std::abort();
}

bool send_message(int socket, std::span<const char> bytes, std::span<const int> fds) {
  iovec part{const_cast<char*>(bytes.data()), bytes.size()};
  msghdr header{};
  header.msg_iov = &part;
  header.msg_iovlen = 1;
  alignas(cmsghdr) std::array<char, kControl> control{};
  if (!fds.empty()) {
    header.msg_control = control.data();
    header.msg_controllen = CMSG_SPACE(fds.size_bytes());
    cmsghdr* c = CMSG_FIRSTHDR(&header);
    c->cmsg_level = SOL_SOCKET;
    c->cmsg_type = SCM_RIGHTS;
    c->cmsg_len = CMSG_LEN(fds.size_bytes());
    std::memcpy(CMSG_DATA(c), fds.data(), fds.size_bytes());
  }
  ssize_t sent = -1;
  do {
    sent = sendmsg(socket, &header, MSG_NOSIGNAL);
  } while (sent < 0 && errno == EINTR);
  return sent == static_cast<ssize_t>(bytes.size());
}

bool receive_message(int socket, std::span<char> bytes, std::vector<os::Fd>& fds) {
  iovec part{bytes.data(), bytes.size()};
  msghdr header{};
  header.msg_iov = &part;
  header.msg_iovlen = 1;
  alignas(cmsghdr) std::array<char, kControl> control{};
  header.msg_control = control.data();
  header.msg_controllen = control.size();
  ssize_t got = -1;
  do {
    got = recvmsg(socket, &header, MSG_CMSG_CLOEXEC);
  } while (got < 0 && errno == EINTR);
  if (got < 0) return false;
  take_fds(header, fds);
  return got == static_cast<ssize_t>(bytes.size()) &&
         (header.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) == 0;
}

}  // namespace cg::spawn
