#include "jail/sandbox/jail.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "base/base/text.h"
#include "base/os/interrupt.h"
#include "base/os/own_programs.h"
#include "jail/sandbox/link.h"
#include "jail/sandbox/policy.h"

namespace cg::sandbox {

namespace {

using std::chrono::milliseconds;

/// For a jail to end once it is left alone: the tree of a large step has to be taken down.
constexpr milliseconds kEndLimit{10'000};
/// For a jail beyond what its own clock allows: copying, collecting, the kill ladder.
constexpr milliseconds kSlack{60'000};
constexpr milliseconds kFurnishLimit{600'000};
/// Whether somebody wants an end of it all.
constexpr milliseconds kLookEvery{500};

class ForkedJail final : public JailProcess {
 public:
  explicit ForkedJail(pid_t pid) : pid_(pid) {}
  ~ForkedJail() override {
    const os::Fd process(static_cast<int>(syscall(SYS_pidfd_open, pid_, 0)));
    pollfd waited{process.get(), POLLIN, 0};
    if (!process.is_open() || poll(&waited, 1, static_cast<int>(kEndLimit.count())) <= 0) {
      kill(pid_, SIGKILL);
    }
    int status = 0;
    while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
  }
  ForkedJail(const ForkedJail&) = delete;
  ForkedJail& operator=(const ForkedJail&) = delete;

 private:
  pid_t pid_;
};

Error missing(const std::string& program, int code) {
  return {Error::Kind::missing, printable(program) + ": " + strerrordesc_np(code)};
}

/// Everything in the new process up to exec: async-signal-safe calls only.
[[noreturn]] void become(char* program, int link, int null, int report) {
  setpgid(0, 0);
  sigset_t none{};
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  dup2(link, 0);
  dup2(null, 1);
  dup2(null, 2);
  close_range(3, ~0U, CLOSE_RANGE_CLOEXEC);
  const std::array<char*, 2> argv{program, nullptr};
  const std::array<char*, 1> env{nullptr};
  execve(program, argv.data(), env.data());
  const int code = errno;
  static_cast<void>(!write(report, &code, sizeof code));
  _exit(127);
}

os::Fd raised(int fd) { return os::Fd(fcntl(fd, F_DUPFD_CLOEXEC, 10)); }

Result<StartedJail, Error> fork_jail(const std::string& program) {
  std::array<int, 2> pair{};
  std::array<int, 2> pipe_fds{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair.data()) != 0) {
    return fail(missing(program, errno));
  }
  os::Fd ours(pair[0]);
  os::Fd theirs(pair[1]);
  if (pipe2(pipe_fds.data(), O_CLOEXEC) != 0) return fail(missing(program, errno));
  const os::Fd heard(pipe_fds[0]);
  os::Fd told(pipe_fds[1]);
  const os::Fd null(open("/dev/null", O_RDWR | O_CLOEXEC));
  os::Fd given = raised(theirs.get());
  os::Fd report = raised(told.get());
  const os::Fd nothing = raised(null.get());
  std::string path = program;
  const pid_t child = fork();
  if (child < 0) return fail(missing(program, errno));
  if (child == 0) become(path.data(), given.get(), nothing.get(), report.get());
  auto process = std::make_unique<ForkedJail>(child);
  for (os::Fd* fd : {&theirs, &given, &told, &report}) *fd = os::Fd();
  int code = 0;
  ssize_t n = -1;
  do {
    n = read(heard.get(), &code, sizeof code);
  } while (n < 0 && errno == EINTR);
  if (n == sizeof code) return fail(missing(program, code));
  return StartedJail{std::move(ours), std::move(process)};
}

Error broken(std::string what) { return {Error::Kind::broken, std::move(what)}; }

class Jail final : public Chamber {
 public:
  Jail(StartedJail started) : process_(std::move(started.process)) {
    link_.emplace(std::move(started.link));
  }
  ~Jail() override { link_.reset(); }  // first: the process ends when its link does
  Jail(const Jail&) = delete;
  Jail& operator=(const Jail&) = delete;

  [[nodiscard]] const InForce& in_force() const override { return in_force_; }

  Result<Done, Error> furnish(const Furnish& order) {
    CG_TRY_ASSIGN(const Message answer, ask(order, kFurnishLimit, {}));
    if (const auto* in_force = std::get_if<InForce>(&answer)) {
      in_force_ = *in_force;
      return Done{};
    }
    return fail(unexpected(answer));
  }

  Result<Ran, Error> run(const Step& step, const OnOutput& on_output) override {
    CG_TRY_ASSIGN(Message answer, ask(step, step.limits.wall + kSlack, on_output));
    if (auto* ran = std::get_if<Ran>(&answer)) return std::move(*ran);
    return fail(unexpected(answer));
  }

 private:
  Result<Message, Error> ask(const Message& message, milliseconds limit,
                             const OnOutput& on_output) {
    if (!link_) return fail(broken("the jail has ended"));
    const auto until = std::chrono::steady_clock::now() + limit;
    const auto sent = link_->send(message);
    if (!sent && sent.error() == LinkError::broken) {
      return fail(Error{Error::Kind::scene, "what the step says is too long"});
    }
    for (;;) {
      CG_TRY_ASSIGN(Message answer, next(until));
      const auto* told = std::get_if<Told>(&answer);
      if (told == nullptr) return answer;
      if (on_output) on_output(told->bytes);
    }
  }

  Result<Message, Error> next(std::chrono::steady_clock::time_point until) {
    const auto left =
        std::chrono::duration_cast<milliseconds>(until - std::chrono::steady_clock::now()).count();
    if (os::interrupted() != 0) return fail(ended(broken("interrupted")));
    pollfd waited{link_->fd(), POLLIN, 0};
    const auto slice = std::min<std::int64_t>(std::max<std::int64_t>(left, 0), kLookEvery.count());
    const int ready = poll(&waited, 1, static_cast<int>(slice));
    if ((ready < 0 && errno == EINTR) || (ready == 0 && left > slice)) return next(until);
    if (ready == 0) return fail(ended(broken("the jail does not answer")));
    auto answer = link_->receive();
    if (answer) return *std::move(answer);
    return fail(ended(answer.error() == LinkError::closed
                          ? broken("the jail ended without an answer")
                          : broken("the jail said what is no message")));
  }

  Error unexpected(const Message& answer) {
    if (const auto* error = std::get_if<Error>(&answer)) return ended(*error);
    return ended(broken("the jail answered another question"));
  }

  Error ended(Error error) {
    link_.reset();
    process_.reset();
    return error;
  }

  std::unique_ptr<JailProcess> process_;
  std::optional<Link> link_;
  InForce in_force_;
};

}  // namespace

StartJail starting_by_fork() { return fork_jail; }

Result<std::string, Error> find_jail() {
  const auto folder = os::folder_with({"codegenie-jail"});
  if (!folder) return fail(missing(folder.error().path, folder.error().code));
  return *folder + "/codegenie-jail";
}

Jails::Jails(std::string program, StartJail start, std::string filter, bool bare)
    : program_(std::move(program)),
      start_(std::move(start)),
      filter_(std::move(filter)),
      bare_(bare) {}

Jails::Jails(UnsafeNoSandbox, std::string program, StartJail start)
    : Jails(std::move(program), std::move(start), "", true) {}

Result<Jails, Error> Jails::make(std::string program, StartJail start) {
  const auto filter = payload_filter();
  if (!filter) return fail(Error{Error::Kind::setup, "seccomp: " + describe(filter.error())});
  const auto code = filter->program();
  std::string bytes(reinterpret_cast<const char*>(code.data()), code.size_bytes());
  return Jails(std::move(program), std::move(start), std::move(bytes), false);
}

Result<std::unique_ptr<Chamber>, Error> Jails::open(const Scene& scene) {
  CG_TRY_ASSIGN(StartedJail started, start_(program_));
  auto jail = std::make_unique<Jail>(std::move(started));
  CG_TRY(jail->furnish({scene, program_.substr(0, program_.rfind('/')), filter_, bare_}));
  return std::unique_ptr<Chamber>(std::move(jail));
}

}  // namespace cg::sandbox
