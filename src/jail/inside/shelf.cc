#include "jail/inside/shelf.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string_view>

#include "jail/inside/cell.h"
#include "jail/inside/cell_inside.h"
#include "jail/sandbox/places.h"

namespace cg::inside {

namespace {

using sandbox::Error;

constexpr int kStartLimitMs = 10'000;
constexpr std::string_view kReady = "ready\n";

bool says_ready(int fd) {
  std::string said;
  while (said.size() < kReady.size()) {
    pollfd waited{fd, POLLIN, 0};
    const int ready = poll(&waited, 1, kStartLimitMs);
    if (ready < 0 && errno == EINTR) continue;
    std::array<char, 16> part{};
    const ssize_t n = ready > 0 ? read(fd, part.data(), kReady.size() - said.size()) : 0;
    if (n <= 0) return false;
    said.append(part.data(), static_cast<std::size_t>(n));
  }
  return said == kReady;
}

}  // namespace

Result<ShelfProgram, Error> ShelfProgram::start(const Site& site) {
  if (site.shelf_program.empty()) {
    return fail(Error{Error::Kind::scene, "a step asks for the packages, and there are none"});
  }
  std::array<int, 2> in{};
  std::array<int, 2> out{};
  if (pipe2(in.data(), O_CLOEXEC) != 0) return fail(Error{Error::Kind::setup, "pipe"});
  const os::Fd input(in[0]);
  os::Fd keep(in[1]);
  if (pipe2(out.data(), O_CLOEXEC) != 0) return fail(Error{Error::Kind::setup, "pipe"});
  const os::Fd said(out[0]);
  os::Fd output(out[1]);
  Site own = site;
  own.hidden.clear();  // it sees what is covered for steps
  pid_t pid = -1;
  CG_TRY_ASSIGN(os::Fd process, start_sealed(own,
                                             {site.shelf_program, site.shelf_folder,
                                              std::to_string(sandbox::kShelfPort)},
                                             input, output, pid));
  ShelfProgram program(pid, std::move(process), std::move(keep));
  output = os::Fd();
  if (!says_ready(said.get())) {
    return fail(Error{Error::Kind::missing, "codegenie-shelf did not start"});
  }
  return program;
}

ShelfProgram::~ShelfProgram() {
  if (pid_ < 0) return;  // moved from
  syscall(SYS_pidfd_send_signal, process_.get(), SIGKILL, nullptr, 0);
  reap(pid_);
}

}  // namespace cg::inside
