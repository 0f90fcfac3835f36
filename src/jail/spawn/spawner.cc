#include "jail/spawn/spawner.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <map>

#include "jail/spawn/exec.h"
#include "jail/spawn/protocol.h"
#include "jail/spawn/watch.h"

namespace cg::spawn {

namespace {

constexpr std::size_t kMaxChildren = 256;
constexpr std::chrono::seconds kGrace{10};

class Server {
 public:
  Server(os::Fd socket, const Places& places, Refused* refused)
      : socket_(std::move(socket)), places_(places), refused_(*refused) {
    sigset_t child{};
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    sigprocmask(SIG_BLOCK, &child, nullptr);
    ended_ = os::Fd(signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK));
  }

  void run() {
    while (ended_.is_open()) {
      std::array<pollfd, 3> polled{
          {{socket_.get(), POLLIN, 0}, {ended_.get(), POLLIN, 0}, {watched_.get(), POLLIN, 0}}};
      if (poll(polled.data(), polled.size(), -1) < 0 && errno != EINTR) break;
      if (polled[1].revents != 0) reap();
      if ((polled[2].revents & POLLIN) != 0) note();
      if ((polled[2].revents & (POLLHUP | POLLERR)) != 0) watched_ = os::Fd();
      if (polled[0].revents != 0 && !answer()) break;
    }
    end_all();
  }

 private:
  struct Running {
    Program program;
    os::Fd status;  // where its end is told
  };

  /// A jail takes down what it set up, and codegenie-key lets the terminal show again what is
  /// typed, when their socket says that nobody is there any more; the others are killed.
  void end_all() {
    for (const auto& [pid, running] : children_) {
      if (running.program != Program::jail && running.program != Program::key) stop(pid);
    }
    const auto until = std::chrono::steady_clock::now() + kGrace;
    while (!children_.empty()) {
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
          until - std::chrono::steady_clock::now());
      pollfd polled{ended_.get(), POLLIN, 0};
      if (left.count() <= 0 || poll(&polled, 1, static_cast<int>(left.count())) == 0) break;
      reap();
    }
    for (const auto& [pid, running] : children_) stop(pid);
    while (waitpid(-1, nullptr, 0) > 0 || errno == EINTR) {
    }
  }

  /// Gone before the group existed, or after: both names are tried.
  static void stop(pid_t pid) {
    kill(-pid, SIGKILL);
    kill(pid, SIGKILL);
  }

  void reap() {
    signalfd_siginfo info{};
    while (read(ended_.get(), &info, sizeof info) > 0) {
    }
    // Looked at first and taken after: until then the number cannot be another's.
    for (;;) {
      siginfo_t who{};
      if (waitid(P_ALL, 0, &who, WEXITED | WNOHANG | WNOWAIT) != 0 || who.si_pid == 0) return;
      const pid_t pid = who.si_pid;
      kill(-pid, SIGKILL);  // what it left behind in its group
      int status = 0;
      waitpid(pid, &status, 0);
      const auto child = children_.find(pid);
      if (child == children_.end()) continue;
      static_cast<void>(!write(child->second.status.get(), &status, sizeof status));
      children_.erase(child);
    }
  }

  void note() {
    // Counted before it is answered, so that who made the call can read the count.
    const auto refusal = next_call(watched_);
    if (!refusal) return;
    if (refused_ < kMaxRefusals) refusals_[refused_] = refusal->call;
    ++refused_;
    refuse(watched_, *refusal);
  }

  bool answer() {
    Request request;
    std::vector<os::Fd> fds;
    if (!receive_message(socket_.get(), bytes_of(request), fds)) return false;
    Reply reply;
    std::vector<os::Fd> given;
    switch (request.kind) {
      case Request::Kind::pair:
        reply.error = make_pair(given);
        break;
      case Request::Kind::start:
        reply.error = start(request, fds, reply, given);
        break;
      case Request::Kind::stop:
        if (children_.contains(request.child)) stop(request.child);
        break;
      case Request::Kind::watch:
        if (fds.size() != 1) return false;
        watched_ = std::move(fds[0]);
        return true;  // nobody waits for an answer to this
      case Request::Kind::refusals:
        tell_refusals(reply);
        break;
      case Request::Kind::grants:
        reply.grants = probe();
        break;
      default:
        return false;
    }
    std::array<int, kMaxFds> numbers{};
    for (std::size_t i = 0; i < given.size(); ++i) numbers[i] = given[i].get();
    return send_message(socket_.get(), bytes_of(std::as_const(reply)),
                        {numbers.data(), given.size()});
  }

  static int make_pair(std::vector<os::Fd>& given) {
    std::array<int, 2> ends{};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends.data()) != 0) {
      return errno;
    }
    for (const int end : ends) given.emplace_back(end);
    return 0;
  }

  int start(const Request& request, const std::vector<os::Fd>& fds, Reply& reply,
            std::vector<os::Fd>& given) {
    if (children_.size() == kMaxChildren) return EAGAIN;
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) return errno;
    given.emplace_back(ends[0]);
    os::Fd status(ends[1]);
    const Started started = execute(request, fds, places_);
    if (started.error != 0) {
      given.clear();
      return started.error;
    }
    children_.emplace(started.pid, Running{request.program, std::move(status)});
    reply.child = started.pid;
    return 0;
  }

  void tell_refusals(Reply& reply) {
    reply.count = refused_.exchange(0);
    reply.refusals = refusals_;
  }

  os::Fd socket_;
  const Places& places_;
  os::Fd ended_;
  os::Fd watched_;
  std::map<pid_t, Running> children_;
  std::array<Refusal, kMaxRefusals> refusals_{};
  Refused& refused_;
};

/// Nothing of the parent's stays open here: not its terminal, not its locks.
void keep_only(os::Fd& socket, os::Fd& ci_key) {
  constexpr int kSocket = 3;
  constexpr int kCiKey = 4;
  {
    const os::Fd null(open("/dev/null", O_RDWR | O_CLOEXEC));
    for (int i = 0; i < kSocket; ++i) dup2(null.get(), i);
  }
  // By copies above both, since either may have the other's number.
  const os::Fd socket_copy(fcntl(socket.get(), F_DUPFD_CLOEXEC, kCiKey + 1));
  const os::Fd key_copy(ci_key.is_open() ? fcntl(ci_key.get(), F_DUPFD_CLOEXEC, kCiKey + 1) : -1);
  socket = os::Fd();
  ci_key = os::Fd();
  socket = os::Fd(dup3(socket_copy.get(), kSocket, O_CLOEXEC));
  if (key_copy.is_open()) ci_key = os::Fd(dup3(key_copy.get(), kCiKey, O_CLOEXEC));
  close_range(ci_key.is_open() ? kCiKey + 1 : kCiKey, ~0U, 0);
}

}  // namespace

void serve(os::Fd socket, os::Fd ci_key, Places places, Refused* refused) {
  setpgid(0, 0);  // ^C is for the parent; this ends when the parent does
  signal(SIGPIPE, SIG_IGN);
  prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  prctl(PR_SET_NAME, "codegenie-spawn", 0, 0, 0);
  keep_only(socket, ci_key);
  places.ci_key = ci_key.get();
  Server(std::move(socket), places, refused).run();
  _exit(0);
}

}  // namespace cg::spawn
