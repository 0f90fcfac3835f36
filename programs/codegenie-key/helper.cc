#include "helper.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace cg::key {

namespace {

[[noreturn]] void become(char* const* argv, int in, int out) {
  const int none = open("/dev/null", O_WRONLY | O_CLOEXEC);
  dup2(in, STDIN_FILENO);
  dup2(out, STDOUT_FILENO);
  dup2(none, STDERR_FILENO);
  close_range(STDERR_FILENO + 1, ~0U, 0);
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const std::array<const char*, 2> env = {"LC_ALL=C", nullptr};
  execve(argv[0], argv, const_cast<char* const*>(env.data()));
  _exit(127);
}

}  // namespace

Helper::Helper(const std::vector<std::string>& words, os::Fd input) {
  std::array<int, 2> in{-1, -1};
  std::array<int, 2> out{-1, -1};
  if (!input.is_open()) {
    if (pipe2(in.data(), O_CLOEXEC) != 0) return;
    input = os::Fd(in[0]);
    in_ = os::Fd(in[1]);
  }
  if (pipe2(out.data(), O_CLOEXEC) != 0) return;
  out_ = os::Fd(out[0]);
  const os::Fd theirs(out[1]);
  std::vector<char*> argv;
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  pid_ = fork();
  if (pid_ == 0) become(argv.data(), input.get(), theirs.get());
}

Helper::~Helper() { end(); }

void Helper::end() {
  in_ = os::Fd();
  out_ = os::Fd();  // SIGPIPE, if it still has something to say
}

bool Helper::feed(std::string_view bytes) {
  const ssize_t n = write(in_.get(), bytes.data(), bytes.size());
  in_ = os::Fd();
  return n == static_cast<ssize_t>(bytes.size());
}

ssize_t Helper::result(std::span<char> room) {
  std::size_t got = 0;
  ssize_t n = 1;
  while (n > 0 && got < room.size()) {
    n = read(out_.get(), room.data() + got, room.size() - got);
    if (n < 0 && errno == EINTR)
      n = 1;
    else if (n > 0)
      got += static_cast<std::size_t>(n);
  }
  end();
  int status = 0;
  pid_t ended = -1;
  do {
    ended = pid_ > 0 ? waitpid(pid_, &status, 0) : -1;
  } while (ended < 0 && errno == EINTR && pid_ > 0);
  const bool good = ended == pid_ && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  return n == 0 && good ? static_cast<ssize_t>(got) : -1;
}

}  // namespace cg::key
