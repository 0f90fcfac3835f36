#include "jail/spawn/exec.h"

#include <fcntl.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string>

namespace cg::spawn {

namespace {

/// What a program is born with: so many descriptors of the request, and /dev/null from
/// there up to a number.
struct Shape {
  std::size_t given;
  std::size_t total;
};

Shape shape_of(Program program) {
  switch (program) {
    case Program::broker:
    case Program::fetch:
      return {2, 4};  // fetch/net/policies.h
    case Program::jail:
      return {1, 3};
    case Program::leaf:
    case Program::key:
      return {3, 4};  // and where the leaf's key comes from, or the key that CI gave us
    case Program::git:
    case Program::gpg_sign:
    case Program::gpg_verify:
      break;
  }
  return {3, 3};
}

bool is_gpg(Program program) {
  return program == Program::gpg_sign || program == Program::gpg_verify;
}

std::string path_of(Program program, const Places& places) {
  if (is_gpg(program)) return places.gpg;
  for (const std::string& folder : places.folders) {
    std::string path = folder + "/" + std::string(name(program));
    if (access(path.c_str(), X_OK) == 0) return path;
  }
  return {};
}

std::vector<std::string> arguments(const Request& request, const std::string& path) {
  std::vector<std::string> out = {path};
  if (!is_gpg(request.program)) return out;
  out.insert(out.end(), {"--batch", "--no-tty", "--status-fd", "2"});
  if (request.program == Program::gpg_sign) {
    out.insert(out.end(), {"--armor", "--detach-sign", "--local-user", request.words[0].data()});
  } else {
    out.insert(out.end(), {"--verify", "--", request.words[0].data(), request.words[1].data()});
  }
  return out;
}

std::vector<std::string> environment_of(Program program, const Places& places) {
  if (is_gpg(program)) return places.gpg_env;
  if (program == Program::key) return places.key_env;
  return {};
}

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> out;
  for (std::string& word : words) out.push_back(word.data());
  out.push_back(nullptr);
  return out;
}

constexpr std::size_t kMaxTotal = 4;

/// Everything in the new process up to exec: async-signal-safe calls only.
[[noreturn]] void become(char* const* argv, char* const* env, const std::array<int, kMaxTotal>& fds,
                         std::size_t total, int report) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  sigset_t none{};
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  signal(SIGPIPE, SIG_DFL);
  for (std::size_t i = 0; i < total; ++i) dup2(fds[i], static_cast<int>(i));
  // Marks, not closes: `report` must live until exec either fails or closes it.
  close_range(static_cast<unsigned>(total), ~0U, CLOSE_RANGE_CLOEXEC);
  execve(argv[0], argv, env);
  const int code = errno;
  static_cast<void>(!write(report, &code, sizeof code));
  _exit(127);
}

/// Copies at 10 or above, clear of the numbers that the child gives away.
int raise(int fd, std::vector<os::Fd>& kept) {
  kept.emplace_back(fcntl(fd, F_DUPFD_CLOEXEC, 10));
  return kept.back().get();
}

}  // namespace

Started execute(const Request& request, const std::vector<os::Fd>& fds, const Places& places) {
  if (static_cast<std::size_t>(request.program) >= kPrograms) return {0, EINVAL};
  for (const auto& word : request.words) {
    if (word.back() != '\0') return {0, EINVAL};
  }
  const Shape shape = shape_of(request.program);
  if (fds.size() != shape.given) return {0, EINVAL};
  const std::string path = path_of(request.program, places);
  if (path.empty()) return {0, ENOENT};
  std::vector<std::string> words = arguments(request, path);
  std::vector<std::string> variables = environment_of(request.program, places);
  const std::vector<char*> argv = pointers(words);
  const std::vector<char*> env = pointers(variables);
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return {0, errno};
  const os::Fd heard(ends[0]);
  os::Fd report(ends[1]);
  std::vector<os::Fd> kept;
  std::array<int, kMaxTotal> numbers{};
  constexpr int kNull = 0;  // the spawner's own standard input
  const int own = request.program == Program::key && places.ci_key >= 0 ? places.ci_key : kNull;
  for (std::size_t i = 0; i < shape.total; ++i) {
    numbers[i] = raise(i < fds.size() ? fds[i].get() : own, kept);
    if (numbers[i] < 0) return {0, EMFILE};
  }
  const int raised_report = raise(report.get(), kept);
  const pid_t child = fork();
  if (child < 0) return {0, errno};
  if (child == 0) become(argv.data(), env.data(), numbers, shape.total, raised_report);
  report = os::Fd();
  kept.clear();
  int code = 0;
  ssize_t told = -1;
  do {
    told = read(heard.get(), &code, sizeof code);
  } while (told < 0 && errno == EINTR);
  if (told != sizeof code) return {child, 0};
  while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
  }
  return {0, code};
}

KernelGrants probe() {
  KernelGrants grants;
  const pid_t child = fork();
  if (child == 0) _exit(unshare(CLONE_NEWUSER | CLONE_NEWNET) == 0 ? 0 : 1);
  int status = 1;
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  grants.namespaces = child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 1 : 0;
  const long secret = syscall(SYS_memfd_secret, 0);
  if (secret >= 0) close(static_cast<int>(secret));
  grants.secret_memory = secret >= 0 ? 1 : 0;
  const unsigned action = SECCOMP_RET_KILL_PROCESS;
  grants.killing_filters = syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0 ? 1 : 0;
  grants.outward = probe_outward();
  return grants;
}

}  // namespace cg::spawn
