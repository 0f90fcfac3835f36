#include "base/os/child.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "base/os/fd.h"

namespace cg::os {

namespace {

struct Pipe {
  Fd read;
  Fd write;
};

Result<Pipe, Error> make_pipe(const std::string& path) {
  std::array<int, 2> fds{};
  if (pipe2(fds.data(), O_CLOEXEC) != 0) return fail(from_errno(errno, path));
  return Pipe{Fd(fds[0]), Fd(fds[1])};
}

std::vector<char*> pointers(const std::vector<std::string>& words) {
  std::vector<char*> out;
  for (const std::string& w : words) out.push_back(const_cast<char*>(w.c_str()));
  out.push_back(nullptr);
  return out;
}

/// Everything in the new process up to exec: async-signal-safe calls only.
[[noreturn]] void become(char* const* argv, char* const* env, const std::array<int, 3>& fds,
                         int report) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // nobody would hear the answer, or hold our locks
  signal(SIGPIPE, SIG_DFL);          // we ignore it, and that would be inherited
  for (int i = 0; i < 3; ++i) dup2(fds[static_cast<std::size_t>(i)], i);
  // Marks, not closes: `report` must live until exec either fails or closes it.
  close_range(3, ~0U, CLOSE_RANGE_CLOEXEC);
  execve(argv[0], argv, env);
  const int code = errno;
  static_cast<void>(!::write(report, &code, sizeof code));
  _exit(127);
}

struct Pumped {
  std::string out;
  std::string err;
  enum class Stop { ended, too_long, too_much } stop = Stop::ended;
};

/// Feeds the input and collects both outputs until they close or a limit is met.
Pumped pump(const Command& command, Fd input, Fd out, Fd err) {
  Pumped result;
  const auto deadline = std::chrono::steady_clock::now() + command.limit;
  std::size_t fed = 0;
  std::array<char, 65536> buffer{};
  fcntl(input.get(), F_SETFL, O_NONBLOCK);
  while (out.is_open() || err.is_open()) {
    if (input.is_open() && fed == command.input.size()) input = Fd();
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        deadline - std::chrono::steady_clock::now());
    std::array<pollfd, 3> polled{
        {{out.get(), POLLIN, 0}, {err.get(), POLLIN, 0}, {input.get(), POLLOUT, 0}}};
    if (left.count() <= 0 || poll(polled.data(), 3, static_cast<int>(left.count())) == 0) {
      result.stop = Pumped::Stop::too_long;
      return result;
    }
    for (std::size_t i = 0; i < 2; ++i) {
      if (polled[i].revents == 0) continue;
      const ssize_t n = ::read(polled[i].fd, buffer.data(), buffer.size());
      if (n <= 0) {
        (i == 0 ? out : err) = Fd();
        continue;
      }
      std::string& sink = i == 0 ? result.out : result.err;
      sink.append(buffer.data(), static_cast<std::size_t>(n));
      if (sink.size() > command.max_output) {
        sink.resize(command.max_output);
        result.stop = Pumped::Stop::too_much;
        return result;
      }
    }
    if (polled[2].revents != 0) {
      const ssize_t n =
          ::write(polled[2].fd, command.input.data() + fed, command.input.size() - fed);
      fed = n > 0 ? fed + static_cast<std::size_t>(n) : command.input.size();
    }
  }
  return result;
}

Ending ending_of(const Pumped& pumped, int status) {
  if (pumped.stop == Pumped::Stop::too_long) return TimedOut{};
  if (pumped.stop == Pumped::Stop::too_much) return TooMuchOutput{};
  if (WIFEXITED(status)) return Exited{WEXITSTATUS(status)};
  return Signalled{WTERMSIG(status)};
}

class Forked final : public Launched {
 public:
  explicit Forked(pid_t pid) : pid_(pid) {}
  Forked(const Forked&) = delete;
  Forked& operator=(const Forked&) = delete;
  ~Forked() override {
    if (pid_ <= 0) return;
    kill();
    static_cast<void>(wait());
  }
  void kill() override { ::kill(-pid_, SIGKILL); }
  int wait() override {
    int status = 0;
    while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    pid_ = -1;
    return status;
  }

 private:
  pid_t pid_;  // -1 once waited for
};

}  // namespace

Result<std::unique_ptr<Launched>, Error> launch(const Command& command,
                                                const std::array<int, 3>& fds) {
  const std::string& program = command.argv.at(0);
  CG_TRY_ASSIGN(Pipe report, make_pipe(program));
  const std::vector<char*> argv = pointers(command.argv);
  const std::vector<char*> env = pointers(command.env);
  const pid_t child = fork();
  if (child < 0) return fail(from_errno(errno, program));
  if (child == 0) become(argv.data(), env.data(), fds, report.write.get());
  auto launched = std::make_unique<Forked>(child);
  report.write = Fd();
  int exec_error = 0;
  if (::read(report.read.get(), &exec_error, sizeof exec_error) == sizeof exec_error) {
    static_cast<void>(launched->wait());
    return fail(from_errno(exec_error, program));
  }
  return std::unique_ptr<Launched>(std::move(launched));
}

Result<Ran, Error> run(const Command& command, const Launch& start) {
  const std::string& program = command.argv.at(0);
  CG_TRY_ASSIGN(Pipe in, make_pipe(program));
  CG_TRY_ASSIGN(Pipe out, make_pipe(program));
  CG_TRY_ASSIGN(Pipe err, make_pipe(program));
  CG_TRY_ASSIGN(const std::unique_ptr<Launched> child,
                start(command, {in.read.get(), out.write.get(), err.write.get()}));
  in.read = Fd();
  out.write = Fd();
  err.write = Fd();
  const Pumped pumped =
      pump(command, std::move(in.write), std::move(out.read), std::move(err.read));
  if (pumped.stop != Pumped::Stop::ended) child->kill();
  const int status = child->wait();
  return Ran{ending_of(pumped, status), pumped.out, pumped.err};
}

}  // namespace cg::os
