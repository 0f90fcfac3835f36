#include "jail/inside/trace.h"

#include <arpa/inet.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "base/base/text.h"
#include "jail/sandbox/wire.h"

namespace cg::inside {

struct Watch::Seen {
  bool executes = false;
  std::string text;
};

namespace {

constexpr std::size_t kMaxTracedPath = 4'096;
constexpr std::size_t kPage = 4'096;

std::string read_memory(pid_t pid, std::uint64_t at, std::size_t size) {
  std::string out(size, '\0');
  const iovec here{out.data(), out.size()};
  const iovec there{reinterpret_cast<void*>(at), size};
  const ssize_t n = process_vm_readv(pid, &here, 1, &there, 1, 0);
  out.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
  return out;
}

/// Page by page, since the one after the text may not be there.
std::string read_text(pid_t pid, std::uint64_t at) {
  std::string out;
  while (out.size() < kMaxTracedPath) {
    const std::size_t size = kPage - at % kPage;
    const std::string part = read_memory(pid, at, size);
    const std::size_t end = part.find('\0');
    out += part.substr(0, end);
    if (end != std::string::npos || part.size() < size) break;
    at += size;
  }
  return out.substr(0, kMaxTracedPath);
}

/// SOCK_STREAM, SOCK_DGRAM; 0 if it cannot be told.
int socket_type(pid_t pid, std::uint64_t fd) {
  const os::Fd process(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));
  if (!process.is_open()) return 0;
  const os::Fd copy(
      static_cast<int>(syscall(SYS_pidfd_getfd, process.get(), static_cast<int>(fd), 0)));
  int type = 0;
  socklen_t size = sizeof type;
  if (!copy.is_open() || getsockopt(copy.get(), SOL_SOCKET, SO_TYPE, &type, &size) != 0) return 0;
  return type;
}

std::string unix_text(std::string_view path) {
  const bool abstract = path.starts_with('\0');
  if (abstract) return "unix @" + std::string(path.substr(1));
  return "unix " + std::string(path.substr(0, path.find('\0')));
}

template <class Address>
Address address_in(const std::string& bytes) {
  Address out{};
  std::memcpy(&out, bytes.data(), std::min(bytes.size(), sizeof out));
  return out;
}

}  // namespace

std::string connection_text(const std::string& address, int type) {
  if (address.size() < sizeof(sa_family_t)) return "";
  const auto family = address_in<sockaddr>(address).sa_family;
  const std::string protocol = type == SOCK_STREAM ? "tcp " : "udp ";
  std::array<char, INET6_ADDRSTRLEN> text{};
  if (family == AF_UNIX) return unix_text(std::string_view(address).substr(sizeof(sa_family_t)));
  if (family == AF_INET && address.size() >= sizeof(sockaddr_in)) {
    const auto to = address_in<sockaddr_in>(address);
    inet_ntop(AF_INET, &to.sin_addr, text.data(), text.size());
    return protocol + text.data() + ":" + std::to_string(ntohs(to.sin_port));
  }
  if (family == AF_INET6 && address.size() >= offsetof(sockaddr_in6, sin6_scope_id)) {
    const auto to = address_in<sockaddr_in6>(address);
    inet_ntop(AF_INET6, &to.sin6_addr, text.data(), text.size());
    return protocol + "[" + text.data() + "]:" + std::to_string(ntohs(to.sin6_port));
  }
  return "";
}

namespace {

std::string spoken_to(pid_t pid, std::uint64_t fd, std::uint64_t at, std::uint64_t size) {
  if (at == 0) return "";
  const std::size_t most = std::min<std::size_t>(size, sizeof(sockaddr_storage));
  const std::string address = read_memory(pid, at, most);
  if (address.size() < sizeof(sa_family_t)) return "";
  const bool is_unix = address_in<sockaddr>(address).sa_family == AF_UNIX;
  return connection_text(address, is_unix ? 0 : socket_type(pid, fd));
}

/// The address in a msghdr; that of a connected socket is none.
std::string spoken_to_by_message(pid_t pid, std::uint64_t fd, std::uint64_t at) {
  const std::string bytes = read_memory(pid, at, sizeof(msghdr));
  if (bytes.size() < sizeof(msghdr)) return "";
  const auto message = address_in<msghdr>(bytes);
  return spoken_to(pid, fd, reinterpret_cast<std::uint64_t>(message.msg_name), message.msg_namelen);
}

std::string executed_text(pid_t pid, const seccomp_data& call) {
  if (call.nr == SYS_execve) return read_text(pid, call.args[0]);
  const std::string path = read_text(pid, call.args[1]);
  return path.empty() ? "(an open file)" : path;
}

}  // namespace

Watch::Watch(os::Fd listener) : listener_(std::move(listener)), kept_(listener_.is_open()) {
  if (!kept_) return;
  seccomp_notif_sizes sizes{};
  syscall(SYS_seccomp, SECCOMP_GET_NOTIF_SIZES, 0, &sizes);
  request_.resize(std::max<std::size_t>(sizes.seccomp_notif, sizeof(seccomp_notif)));
  response_.resize(std::max<std::size_t>(sizes.seccomp_notif_resp, sizeof(seccomp_notif_resp)));
}

void Watch::note(std::set<std::string>& list, std::string entry) {
  entry = printable(entry);
  if (entry.size() > sandbox::kMaxTracedText) entry = cut_utf8(entry, sandbox::kMaxTracedText);
  if (list.size() >= sandbox::kMaxTraced && !list.contains(entry)) {
    cut_ = true;
    return;
  }
  list.insert(std::move(entry));
}

void Watch::record(const Seen& seen) {
  if (seen.text.empty()) return;
  note(seen.executes ? executed_ : connections_, seen.text);
}

void Watch::look() {
  std::fill(request_.begin(), request_.end(), '\0');
  if (ioctl(listener_.get(), SECCOMP_IOCTL_NOTIF_RECV, request_.data()) != 0) {
    if (errno != EINTR && errno != ENOENT) stop();
    return;
  }
  seccomp_notif request{};
  std::memcpy(&request, request_.data(), sizeof request);
  const seccomp_data& call = request.data;
  const auto pid = static_cast<pid_t>(request.pid);
  Seen seen;
  if (call.nr == SYS_execve || call.nr == SYS_execveat) {
    seen = {true, executed_text(pid, call)};
  } else if (call.nr == SYS_connect) {
    seen.text = spoken_to(pid, call.args[0], call.args[1], call.args[2]);
  } else if (call.nr == SYS_sendto) {
    seen.text = spoken_to(pid, call.args[0], call.args[4], call.args[5]);
  } else {
    seen.text = spoken_to_by_message(pid, call.args[0], call.args[1]);
  }
  // Another process may have got the number meanwhile; then what was read is not of this one.
  std::uint64_t id = request.id;
  if (ioctl(listener_.get(), SECCOMP_IOCTL_NOTIF_ID_VALID, &id) != 0) return;
  record(seen);
  seccomp_notif_resp response{};
  response.id = request.id;
  response.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
  std::fill(response_.begin(), response_.end(), '\0');
  std::memcpy(response_.data(), &response, sizeof response);
  static_cast<void>(ioctl(listener_.get(), SECCOMP_IOCTL_NOTIF_SEND, response_.data()));
}

sandbox::Trace Watch::take() && {
  sandbox::Trace trace;
  trace.executed.assign(executed_.begin(), executed_.end());
  trace.connections.assign(connections_.begin(), connections_.end());
  trace.kept = kept_;
  trace.cut = cut_;
  return trace;
}

}  // namespace cg::inside
