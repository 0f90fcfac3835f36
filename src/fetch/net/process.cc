#include "fetch/net/process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "base/base/assert.h"
#include "base/os/own_programs.h"

namespace cg::net {

namespace {

using os::Fd;

constexpr std::size_t kBornWith = 4;  // fetch/net/policies.h

/// A copy at 10 or above, clear of the numbers that the child gives away.
Result<Fd, os::Error> raised(int fd, const std::string& program) {
  Fd copy(fcntl(fd, F_DUPFD_CLOEXEC, 10));
  if (!copy.is_open()) return fail(os::from_errno(errno, program));
  return copy;
}

struct Given {
  std::array<Fd, kBornWith> fds;
  Fd report;  // of a failed exec, to us
};

Result<Given, os::Error> prepare(const std::vector<int>& fds, const Fd& report,
                                 const std::string& program) {
  CG_ASSERT(fds.size() <= kBornWith);
  const Fd null(open("/dev/null", O_RDWR | O_CLOEXEC));
  if (!null.is_open()) return fail(os::from_errno(errno, "/dev/null"));
  Given given;
  for (std::size_t i = 0; i < kBornWith; ++i) {
    CG_TRY_ASSIGN(given.fds[i], raised(i < fds.size() ? fds[i] : null.get(), program));
  }
  CG_TRY_ASSIGN(given.report, raised(report.get(), program));
  return given;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> out;
  for (std::string& text : texts) out.push_back(text.data());
  out.push_back(nullptr);
  return out;
}

/// Everything in the new process up to exec: async-signal-safe calls only.
[[noreturn]] void become(char* const* argv, char* const* env, const Given& given) {
  setpgid(0, 0);  // ^C is for the parent; the child ends when the parent does
  sigset_t none{};
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  signal(SIGPIPE, SIG_DFL);
  for (std::size_t i = 0; i < kBornWith; ++i) dup2(given.fds[i].get(), static_cast<int>(i));
  close_range(kBornWith, ~0U, CLOSE_RANGE_CLOEXEC);
  execve(argv[0], argv, env);
  const int code = errno;
  static_cast<void>(!write(given.report.get(), &code, sizeof code));
  _exit(127);
}

}  // namespace

Result<Programs, os::Error> find_programs() {
  CG_TRY_ASSIGN(const std::string folder, os::folder_with({"codegenie-broker", "codegenie-fetch"}));
  return Programs{folder + "/codegenie-broker", folder + "/codegenie-fetch"};
}

Result<Pair, os::Error> socket_pair() {
  if (spawn::current() != nullptr) return spawn::current()->pair();
  std::array<int, 2> fds{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, fds.data()) != 0) {
    return fail(os::from_errno(errno, "socketpair"));
  }
  return Pair{Fd(fds[0]), Fd(fds[1])};
}

Result<Process, os::Error> Process::fork_and_exec(const std::string& program, const Birth& birth) {
  std::array<int, 2> fds{};
  if (pipe2(fds.data(), O_CLOEXEC) != 0) return fail(os::from_errno(errno, program));
  const Fd heard(fds[0]);
  Fd report(fds[1]);
  CG_TRY_ASSIGN(Given given, prepare(birth.fds, report, program));
  std::vector<std::string> words = {program};
  words.insert(words.end(), birth.words.begin(), birth.words.end());
  std::vector<std::string> variables = birth.env;
  const std::vector<char*> argv = pointers(words);
  const std::vector<char*> env = pointers(variables);
  const pid_t child = fork();
  if (child < 0) return fail(os::from_errno(errno, program));
  if (child == 0) become(argv.data(), env.data(), given);
  report = Fd();
  given = Given{};
  Process process(child);
  int code = 0;
  ssize_t told = -1;
  do {
    told = read(heard.get(), &code, sizeof code);
  } while (told < 0 && errno == EINTR);
  if (told == sizeof code) {
    static_cast<void>(process.wait());
    return fail(os::from_errno(code, program));
  }
  return process;
}

Result<Process, os::Error> Process::start(const std::string& program, const Fd& parent,
                                          const Fd& link) {
  return fork_and_exec(program, {{parent.get(), link.get()}, {}, {}});
}

Result<Process, os::Error> Process::start(spawn::Program which, const std::string& program,
                                          const Fd& parent, const Fd& link) {
  return start(which, program, {{parent.get(), link.get()}, {}, {}});
}

Result<Process, os::Error> Process::start(spawn::Program which, const std::string& program,
                                          const Birth& birth) {
  if (spawn::current() == nullptr) return fork_and_exec(program, birth);
  CG_TRY_ASSIGN(spawn::Child child, spawn::current()->start(which, birth.fds, birth.words));
  Process process(child.pid());
  process.hosted_.emplace(std::move(child));
  return process;
}

Process::~Process() {
  if (pid_ > 0) static_cast<void>(stop());
}

Process::End Process::wait() {
  CG_ASSERT(pid_ > 0);
  int status = 0;
  if (hosted_) {
    status = hosted_->wait();
  } else {
    while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
  }
  pid_ = -1;
  if (WIFEXITED(status)) return os::Exited{WEXITSTATUS(status)};
  return os::Signalled{WTERMSIG(status)};
}

Process::End Process::stop() {
  CG_ASSERT(pid_ > 0);  // -1 would mean every process there is
  if (hosted_) {
    hosted_->kill();
  } else {
    kill(pid_, SIGKILL);
  }
  return wait();
}

}  // namespace cg::net
