#include "jail/inside/cell.h"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "jail/inside/cell_inside.h"
#include "jail/sandbox/wire.h"

namespace cg::inside {

namespace {

using os::Fd;
using sandbox::Error;

Error setup_error(const char* layer, int code) {
  std::string what = layer;
  if (code != 0) {
    what += std::string(": ") + strerrorname_np(code) + ": " + strerrordesc_np(code);
  }
  return {Error::Kind::setup, std::move(what)};
}

struct Ends {
  Fd ours;
  Fd theirs;
};

Result<Ends, Error> pipe_from_cell() {
  std::array<int, 2> fds{};
  if (pipe2(fds.data(), O_CLOEXEC) != 0) return fail(setup_error("pipe", errno));
  return Ends{Fd(fds[0]), Fd(fds[1])};
}

Result<Ends, Error> pipe_to_cell() {
  CG_TRY_ASSIGN(Ends ends, pipe_from_cell());
  return Ends{std::move(ends.theirs), std::move(ends.ours)};
}

Result<Ends, Error> packet_pair() {
  std::array<int, 2> fds{};
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds.data()) != 0) {
    return fail(setup_error("socketpair", errno));
  }
  return Ends{Fd(fds[0]), Fd(fds[1])};
}

/// Memory of System V would outlive its step in a shared one.
unsigned long namespaces_of(const Site& site) {
  return site.namespaces ? CLONE_NEWPID | CLONE_NEWNS | CLONE_NEWIPC : 0UL;
}

/// One packet of init, with the descriptor that may come with it.
std::optional<Packet> receive(const Fd& control, Fd& carried) {
  Packet packet;
  iovec part{&packet, sizeof packet};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> space{};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = space.data();
  message.msg_controllen = space.size();
  ssize_t n = -1;
  do {
    n = recvmsg(control.get(), &message, MSG_CMSG_CLOEXEC);
  } while (n < 0 && errno == EINTR);
  if (n != sizeof packet) return std::nullopt;
  const cmsghdr* header = CMSG_FIRSTHDR(&message);
  if (header != nullptr && header->cmsg_type == SCM_RIGHTS) {
    int fd = -1;
    std::memcpy(&fd, CMSG_DATA(header), sizeof fd);
    carried = Fd(fd);
  }
  return packet;
}

}  // namespace

Result<Cell, Error> make_cell(const Site& site, const OwnTree* own) {
  CG_TRY_ASSIGN(Ends control, packet_pair());
  CG_TRY_ASSIGN(Ends orders, pipe_to_cell());
  CG_TRY_ASSIGN(Ends out, pipe_from_cell());
  CG_TRY_ASSIGN(Ends err, pipe_from_cell());
  Cell cell;
  if (site.groups != nullptr) cell.group = site.groups->make_group();
  int pidfd = -1;
  cell.pid = clone_process(namespaces_of(site), &pidfd);
  if (cell.pid < 0) return fail(setup_error("pid namespace", errno));
  if (cell.pid == 0) {
    run_init(site, own, cell.group ? &*cell.group : nullptr,
             {control.theirs.get(), orders.theirs.get(), out.theirs.get(), err.theirs.get()});
  }
  cell.process = Fd(pidfd);
  cell.control = std::move(control.ours);
  cell.orders = std::move(orders.ours);
  cell.out = std::move(out.ours);
  cell.err = std::move(err.ours);
  control.theirs = Fd();
  const auto packet = receive(cell.control, cell.listener);
  if (packet && packet->kind == Packet::Kind::ready) {
    cell.report = packet->report;
    return cell;
  }
  kill_all(cell);
  reap(cell.pid);
  if (!packet) return fail(setup_error("init of the step", 0));
  return fail(setup_error(packet->layer.data(), packet->code));
}

bool order(const Cell& cell, const sandbox::Step& step) {
  const auto bytes = sandbox::write_frame(step);
  if (!bytes) return false;
  for (std::size_t sent = 0; sent < bytes->size();) {
    const ssize_t n = write(cell.orders.get(), bytes->data() + sent, bytes->size() - sent);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    sent += static_cast<std::size_t>(n);
  }
  return true;
}

std::optional<Ended> read_ended(const Cell& cell) {
  Fd none;
  const auto packet = receive(cell.control, none);
  if (!packet || packet->kind != Packet::Kind::ended) return std::nullopt;
  return Ended{packet->code};
}

void ask_to_end(const Cell& cell) {
  const char word = 't';
  static_cast<void>(!send(cell.control.get(), &word, 1, MSG_NOSIGNAL | MSG_DONTWAIT));
}

void kill_all(const Cell& cell) {
  syscall(SYS_pidfd_send_signal, cell.process.get(), SIGKILL, nullptr, 0);
}

Result<Fd, Error> start_sealed(const Site& site, const std::vector<std::string>& argv,
                               const Fd& input, const Fd& output, pid_t& pid) {
  int pidfd = -1;
  pid = clone_process(site.namespaces ? CLONE_NEWPID | CLONE_NEWNS : 0UL, &pidfd);
  if (pid < 0) return fail(setup_error("pid namespace", errno));
  if (pid == 0) become_sealed(site, argv, input.get(), output.get());
  return Fd(pidfd);
}

}  // namespace cg::inside
