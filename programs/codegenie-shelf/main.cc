// codegenie-shelf FOLDER PORT: the packages of one lock, on loopback, for a package manager
// that has no other network.
//
// It listens, gives up everything but reading FOLDER and answering (jail/shelf/policy.h), says
// "ready" and serves until its standard input ends. A port of 0 is any that is free; the
// line is then "ready PORT".
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <optional>

#include "base/base/text.h"
#include "jail/seal/program.h"
#include "jail/seal/seal.h"
#include "jail/shelf/policy.h"
#include "server.h"

namespace cg::shelf {

namespace {

using seal::kEndDone;
using seal::kEndUnsealed;

constexpr int kEndUsage = 2;
constexpr int kEndFolder = 4;
constexpr int kEndPort = 5;
constexpr int kBacklog = 128;

[[noreturn]] void end(int code, std::string_view why) {
  const std::string line = "codegenie-shelf: " + std::string(why) + "\n";
  static_cast<void>(write(STDERR_FILENO, line.data(), line.size()) > 0);
  _exit(code);
}

os::Fd listen_on(int family, const sockaddr* address, socklen_t size) {
  os::Fd socket(::socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, IPPROTO_TCP));
  const int on = 1;
  if (!socket.is_open()) return {};
  if (setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0) return {};
  // Whoever connects inherits it: a head does not wait for the other side to confirm the last.
  if (setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) != 0) return {};
  if (bind(socket.get(), address, size) != 0 || listen(socket.get(), kBacklog) != 0) return {};
  return socket;
}

os::Fd listen_v4(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return listen_on(AF_INET, reinterpret_cast<const sockaddr*>(&address), sizeof address);
}

os::Fd listen_v6(std::uint16_t port) {
  sockaddr_in6 address{};
  address.sin6_family = AF_INET6;
  address.sin6_port = htons(port);
  address.sin6_addr = in6addr_loopback;
  return listen_on(AF_INET6, reinterpret_cast<const sockaddr*>(&address), sizeof address);
}

std::uint16_t port_of(const os::Fd& socket) {
  sockaddr_in address{};
  socklen_t size = sizeof address;
  if (getsockname(socket.get(), reinterpret_cast<sockaddr*>(&address), &size) != 0) return 0;
  return ntohs(address.sin_port);
}

[[noreturn]] void run(const std::string& path, std::uint16_t port) {
  auto folder = os::Dir::open(path);
  if (!folder) end(kEndFolder, path + ": " + os::describe(folder.error()));
  std::vector<os::Fd> listeners;
  listeners.push_back(listen_v4(port));
  if (!listeners[0].is_open()) end(kEndPort, std::string("cannot listen: ") + strerror(errno));
  const std::uint16_t bound = port_of(listeners[0]);
  // Not everywhere is there an IPv6, and where there is, the port may be another's.
  if (os::Fd v6 = listen_v6(bound); v6.is_open()) listeners.push_back(std::move(v6));
  const auto policy = shelf_policy(path);
  if (!policy) end(kEndUnsealed, seal::describe(policy.error()));
  const auto applied = seal::seal(*policy);
  if (!applied) end(kEndUnsealed, seal::describe(applied.error()));
  const std::string ready = port == 0 ? "ready " + std::to_string(bound) + "\n" : "ready\n";
  if (write(STDOUT_FILENO, ready.data(), ready.size()) < 0) _exit(kEndDone);
  Server(*std::move(folder), std::move(listeners)).run(STDIN_FILENO);
  _exit(kEndDone);
}

}  // namespace

}  // namespace cg::shelf

int main(int argc, char** argv) {
  using namespace cg;
  seal::end_at_bugs();
  signal(SIGPIPE, SIG_IGN);  // NOLINT(cert-err33-c): cannot fail for this signal
  const auto port = argc == 3 ? parse_u64(argv[2]) : std::nullopt;
  if (!port || *port > UINT16_MAX || argv[1][0] != '/') {
    shelf::end(shelf::kEndUsage, "use: codegenie-shelf FOLDER PORT, FOLDER from the root");
  }
  if (!seal::shed(STDERR_FILENO + 1)) shelf::end(seal::kEndUnsealed, "cannot be sealed");
  shelf::run(argv[1], static_cast<std::uint16_t>(*port));
}
