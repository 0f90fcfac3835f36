#include "shelf/bench.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <net/if.h>
#include <sched.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "fetch/net/process_fetcher.h"
#include "npm/registry/config.h"

namespace cg::test {

namespace fs = std::filesystem;

namespace {

struct Child {
  pid_t pid = -1;
  int input = -1;
  int output = -1;
};

Child start_shelf(const std::string& folder, const std::string& port) {
  std::array<int, 2> in{};
  std::array<int, 2> out{};
  if (pipe2(in.data(), O_CLOEXEC) != 0 || pipe2(out.data(), O_CLOEXEC) != 0) {
    throw std::runtime_error("pipe failed");
  }
  const pid_t pid = fork();
  if (pid == 0) {
    dup2(in[0], 0);
    dup2(out[1], 1);
    execl(CG_SHELF, CG_SHELF, folder.c_str(), port.c_str(), nullptr);
    _exit(127);
  }
  close(in[0]);
  close(out[1]);
  return {pid, in[1], out[0]};
}

int ending(pid_t pid) {
  int status = 0;
  waitpid(pid, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

bool write_file(const char* path, const std::string& text) {
  const int fd = open(path, O_WRONLY | O_CLOEXEC);
  const bool done = fd >= 0 && ::write(fd, text.data(), text.size()) > 0;
  close(fd);
  return done;
}

/// A network with nothing in it but loopback.
bool leave_the_network() {
  const std::string user = std::to_string(getuid());
  const std::string group = std::to_string(getgid());
  if (unshare(CLONE_NEWUSER | CLONE_NEWNET) != 0) return false;
  write_file("/proc/self/setgroups", "deny");
  if (!write_file("/proc/self/uid_map", user + " " + user + " 1")) return false;
  if (!write_file("/proc/self/gid_map", group + " " + group + " 1")) return false;
  const int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  ifreq request{};
  std::strcpy(request.ifr_name, "lo");
  request.ifr_flags = IFF_UP | IFF_RUNNING;
  const bool up = ioctl(fd, SIOCSIFFLAGS, &request) == 0;
  close(fd);
  return up;
}

std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> out;
  for (const std::string& text : texts) out.push_back(const_cast<char*>(text.c_str()));
  out.push_back(nullptr);
  return out;
}

[[noreturn]] void carry_out(const catalog::Command& command, const std::string& folder,
                            const std::string& registry, const std::string& out) {
  if (!leave_the_network()) _exit(125);
  const Child shelf = start_shelf(registry, std::to_string(catalog::kShelfPort));
  if (read_line(shelf.output) != "ready") _exit(126);
  const pid_t child = fork();
  if (child == 0) {
    const int fd = open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    const int none = open("/dev/null", O_RDONLY | O_CLOEXEC);
    dup2(none, 0);
    dup2(fd, 1);
    dup2(fd, 2);
    if (chdir(folder.c_str()) != 0) _exit(127);
    execve(command.argv[0].c_str(), pointers(command.argv).data(), pointers(command.env).data());
    _exit(127);
  }
  const int code = ending(child);
  close(shelf.input);
  if (ending(shelf.pid) != 0) _exit(124);
  _exit(code);
}

/// Lines of managers.txt: folder and what npm installs there.
std::vector<std::string> listed() {
  std::istringstream lines(read(std::string(CG_SOURCE_DIR) + "/tests/shelf/managers.txt"));
  std::vector<std::string> specs;
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line.starts_with('#')) continue;
    const std::size_t space = line.find(' ');
    specs.push_back(line.substr(0, space) + "@npm:" + line.substr(space + 1));
  }
  return specs;
}

void install_managers(const fs::path& folder) {
  const std::string wanted = read(std::string(CG_SOURCE_DIR) + "/tests/shelf/managers.txt");
  fs::create_directories(folder);
  const int lock = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  flock(lock, LOCK_EX);  // tests run at the same time
  const fs::path stamp = folder / "installed.txt";
  if (!fs::exists(stamp) || read(stamp) != wanted) {
    fs::remove_all(folder / "node_modules");
    fs::remove(folder / "package.json");
    fs::remove(folder / "package-lock.json");
    std::vector<std::string> argv = {"npm",        "install",   "--prefix",        folder,
                                     "--no-audit", "--no-fund", "--ignore-scripts"};
    for (const std::string& spec : listed()) argv.push_back(spec);
    const Ran ran = run(argv);
    if (ran.exit != 0) {
      throw std::runtime_error(
          "the package managers of tests/shelf/managers.txt could not be installed: " + ran.err);
    }
    write(stamp, wanted);
  }
  close(lock);
}

}  // namespace

ShelfProcess::ShelfProcess(const std::string& folder) {
  const Child child = start_shelf(folder, "0");
  child_ = child.pid;
  input_ = child.input;
  const std::string line = read_line(child.output);
  close(child.output);
  if (!line.starts_with("ready ")) throw std::runtime_error("the shelf did not start");
  port_ = static_cast<std::uint16_t>(std::stoi(line.substr(6)));
}

ShelfProcess::~ShelfProcess() { end(); }

int ShelfProcess::end() {
  if (child_ < 0) return -1;
  close(input_);
  return ending(std::exchange(child_, -1));
}

Client::Client(std::uint16_t port) : fd_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (connect(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    throw std::runtime_error("cannot connect to the shelf");
  }
}

Client::~Client() { close(fd_); }

bool Client::send(std::string_view bytes) const {
  while (!bytes.empty()) {
    const ssize_t n = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (n <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

bool Client::more() {
  std::array<char, 65536> buffer{};
  const ssize_t n = ::read(fd_, buffer.data(), buffer.size());
  if (n <= 0) return false;
  pending_.append(buffer.data(), static_cast<std::size_t>(n));
  return true;
}

std::string Client::answer(bool has_body) {
  std::size_t end = std::string::npos;
  while ((end = pending_.find("\r\n\r\n")) == std::string::npos) {
    if (!more()) return std::exchange(pending_, {});
  }
  const std::size_t at = pending_.find("Content-Length: ");
  std::size_t size = end + 4;
  if (has_body && at != std::string::npos) size += std::stoul(pending_.substr(at + 16));
  while (pending_.size() < size) {
    if (!more()) return std::exchange(pending_, {});
  }
  std::string out = pending_.substr(0, size);
  pending_.erase(0, size);
  return out;
}

std::string Client::rest() {
  while (more()) {
  }
  return std::exchange(pending_, {});
}

const fs::path& managers() {
  static const fs::path folder = [] {
    const fs::path path = CG_MANAGERS;
    install_managers(path);
    return path / "node_modules";
  }();
  return folder;
}

catalog::Tools tools_with(const std::string& name) {
  auto found = catalog::find_tools(std::getenv("PATH"), std::getenv("HOME"));
  if (!found) throw std::runtime_error(found.error());
  if (name == "npm11") return *std::move(found);
  const fs::path folder = managers() / name;
  const auto tool = [&](const std::string& script) {
    const std::string manifest = read(folder / "package.json");
    const std::size_t at = manifest.find("\"version\": \"") + 12;
    return catalog::Tool{{found->node, folder / script},
                         manifest.substr(at, manifest.find('"', at) - at)};
  };
  if (name.starts_with("npm")) found->npm = tool("bin/npm-cli.js");
  if (name.starts_with("yarn")) found->yarn = tool("bin/yarn.js");
  if (name.starts_with("pnpm")) found->pnpm = tool("bin/pnpm.cjs");
  return *std::move(found);
}

Ran run_apart(const catalog::Command& command, const std::string& folder,
              const std::string& registry) {
  const ScratchDir scratch;
  const std::string out = scratch / "out";
  const pid_t child = fork();
  if (child == 0) carry_out(command, folder, registry, out);
  Ran ran;
  ran.exit = ending(child);
  if (fs::exists(out)) ran.out = read(out);
  return ran;
}

std::unique_ptr<catalog::Catalog> open_catalog(const os::Dir& home, const std::string& url,
                                               catalog::Mode mode) {
  registry::Layers layers;
  layers.flag = url;
  catalog::MakeFetcher make =
      [](const registry::Choice& choice) -> Result<std::unique_ptr<net::Fetcher>, Problem> {
    return std::unique_ptr<net::Fetcher>(std::make_unique<net::ProcessFetcher>(
        net::Programs{CG_BROKER, CG_FETCH},
        std::map<net::Origin, net::Access>{{net::Url::parse(choice.url.str())->origin(), {}}}));
  };
  catalog::Options options;
  options.mode = mode;
  os::SystemClock clock;
  return std::make_unique<catalog::Catalog>(catalog::Cache(home), *registry::Config::merge(layers),
                                            std::move(make), options, clock);
}

}  // namespace cg::test
