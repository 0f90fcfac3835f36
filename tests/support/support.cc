#include "support/support.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace cg::test {

namespace fs = std::filesystem;

ScratchDir::ScratchDir() {
  std::string name = fs::temp_directory_path() / "cg-test-XXXXXX";
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("mkdtemp failed");
  path_ = name;
}

ScratchDir::~ScratchDir() {
  std::error_code ignored;
  fs::permissions(path_, fs::perms::owner_all, ignored);
  fs::remove_all(path_, ignored);
}

std::string read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + path.string());
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string read_line(int fd) {
  std::string line;
  char c = 0;
  while (::read(fd, &c, 1) == 1 && c != '\n') line += c;
  return line;
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  if (at == std::string::npos) throw std::runtime_error("no " + std::string(from));
  return text.replace(at, from.size(), to);
}

void write(const fs::path& path, const std::string& bytes) {
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out << bytes;
  if (!out.flush()) throw std::runtime_error("cannot write " + path.string());
}

namespace {

[[noreturn]] void become(const std::vector<std::string>& argv, const std::vector<std::string>& env,
                         const std::array<int, 3>& fds) {
  for (int i = 0; i < 3; ++i) dup2(fds[static_cast<std::size_t>(i)], i);
  for (const std::string& e : env) {
    const std::size_t eq = e.find('=');
    if (eq == std::string::npos) {
      unsetenv(e.c_str());
    } else {
      setenv(e.substr(0, eq).c_str(), e.substr(eq + 1).c_str(), 1);
    }
  }
  std::vector<char*> args;
  for (const std::string& a : argv) args.push_back(const_cast<char*>(a.c_str()));
  args.push_back(nullptr);
  execvp(args[0], args.data());
  _exit(127);
}

}  // namespace

Ran run(const std::vector<std::string>& argv, const std::vector<std::string>& env,
        const std::string& input) {
  std::array<int, 2> in{};
  std::array<int, 2> out{};
  std::array<int, 2> err{};
  if (pipe2(in.data(), O_CLOEXEC) != 0 || pipe2(out.data(), O_CLOEXEC) != 0 ||
      pipe2(err.data(), O_CLOEXEC) != 0) {
    throw std::runtime_error("pipe failed");
  }
  const pid_t child = fork();
  if (child == 0) become(argv, env, {in[0], out[1], err[1]});
  close(in[0]);
  close(out[1]);
  close(err[1]);
  Ran ran;
  std::size_t written = 0;
  std::array<pollfd, 3> polled{{{out[0], POLLIN, 0}, {err[0], POLLIN, 0}, {in[1], POLLOUT, 0}}};
  std::array<char, 65536> buffer{};
  while (polled[0].fd >= 0 || polled[1].fd >= 0) {
    if (polled[2].fd >= 0 && written == input.size()) {
      close(in[1]);
      polled[2].fd = -1;
    }
    poll(polled.data(), polled.size(), -1);
    for (std::size_t i = 0; i < 2; ++i) {
      if (polled[i].fd < 0 || polled[i].revents == 0) continue;
      const ssize_t n = ::read(polled[i].fd, buffer.data(), buffer.size());
      if (n > 0) {
        (i == 0 ? ran.out : ran.err).append(buffer.data(), static_cast<std::size_t>(n));
      } else {
        close(polled[i].fd);
        polled[i].fd = -1;
      }
    }
    if (polled[2].fd >= 0 && polled[2].revents != 0) {
      const ssize_t n = ::write(in[1], input.data() + written, input.size() - written);
      written = n > 0 ? written + static_cast<std::size_t>(n) : input.size();
    }
  }
  if (polled[2].fd >= 0) close(in[1]);
  int status = 0;
  waitpid(child, &status, 0);
  ran.exit = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return ran;
}

std::optional<fs::path> data_dir() {
  const char* dir = std::getenv("CG_DATA");
  if (dir == nullptr || *dir == '\0') return std::nullopt;
  return fs::path(dir);
}

}  // namespace cg::test
