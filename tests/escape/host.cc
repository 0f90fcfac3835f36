#include "host.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/inotify.h>
#include <sys/prctl.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

#include "acts.h"

namespace cg::escape {

namespace fs = std::filesystem;

namespace {

/// For what this machine has to be able to do before anything can be tested.
int must(int result, const char* what) {
  if (result < 0) throw std::runtime_error(std::string(what) + ": " + std::strerror(errno));
  return result;
}

sockaddr_in loopback(int port) {
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_port = htons(static_cast<std::uint16_t>(port));
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return at;
}

template <typename Address>
os::Fd bound(int family, int type, const Address& at, std::size_t size) {
  os::Fd fd(must(socket(family, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), "socket"));
  must(bind(fd.get(), reinterpret_cast<const sockaddr*>(&at), static_cast<socklen_t>(size)),
       "bind");
  if (type == SOCK_STREAM) must(listen(fd.get(), 8), "listen");
  return fd;
}

int port_of(const os::Fd& fd) {
  sockaddr_in at{};
  socklen_t size = sizeof at;
  must(getsockname(fd.get(), reinterpret_cast<sockaddr*>(&at), &size), "getsockname");
  return ntohs(at.sin_port);
}

bool has_visitor(const os::Fd& fd) {
  pollfd polled{fd.get(), POLLIN, 0};
  if (poll(&polled, 1, 0) != 1) return false;
  std::array<char, 64> bytes{};
  const int visitor = accept4(fd.get(), nullptr, nullptr, SOCK_CLOEXEC);
  if (visitor >= 0) {
    close(visitor);
  } else if (recv(fd.get(), bytes.data(), bytes.size(), MSG_DONTWAIT) < 0) {
    return false;
  }
  return true;
}

constexpr std::uint32_t kTouched = IN_ACCESS | IN_OPEN | IN_MODIFY | IN_ATTRIB | IN_CREATE |
                                   IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO;

}  // namespace

Host::Host() {
  must(prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0), "prctl");
  setenv("CG_LEAK", "secret of the environment", 1);
  name_ = scratch_.path().filename();
  secret_ = "secret of the host " + name_;
  make_files();
  make_listeners();
  make_victim();
  setenv("TMPDIR", (scratch_ / "temporary").c_str(), 1);
  watch();
  before_ = Traces::now(scratch_ / "temporary");
}

Host::~Host() {
  unsetenv("TMPDIR");
  kill(victim_, SIGKILL);
  waitpid(victim_, nullptr, 0);
  shmctl(shm_id_, IPC_RMID, nullptr);
  unlink(shm_file_.c_str());
}

void Host::make_files() {
  fs::permissions(scratch_.path(), fs::perms(0755));
  for (const char* folder : {"host", "home", "home/.ssh", "temporary", "visible", "tree"}) {
    fs::create_directory(scratch_ / folder);
  }
  for (const char* file : {"host/secret", "home/.ssh/id_ed25519", "home/.npmrc"}) {
    test::write(scratch_ / file, secret_);
  }
  fs::copy_file("/bin/true", scratch_ / "host/tool");
  fs::copy_file(program_of("setuid_program"), scratch_ / "visible/suid");
  must(chmod((scratch_ / "visible/suid").c_str(), 04755), "chmod");
  shm_file_ = "/dev/shm/" + name_;
  test::write(shm_file_, secret_);
  shm_key_ = static_cast<int>(std::hash<std::string>{}(name_)&0x7ffffffeU) | 1;
  shm_id_ = must(shmget(shm_key_, 4096, IPC_CREAT | IPC_EXCL | 0600), "shmget");
  // Left open on purpose, and without close-on-exec.
  leaked_ = os::Fd(must(open((scratch_ / "host/secret").c_str(), O_RDONLY), "open"));
  std::array<int, 2> pipe_ends{};
  must(pipe2(pipe_ends.data(), O_CLOEXEC), "pipe2");
  input_ = os::Fd(pipe_ends[1]);
  must(static_cast<int>(::write(pipe_ends[1], "secret", 6)), "write");
  must(dup2(pipe_ends[0], 0), "dup2");
  close(pipe_ends[0]);
  terminal_ = os::Fd(open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC));  // where there are any
}

void Host::make_listeners() {
  tcp_ = bound(AF_INET, SOCK_STREAM, loopback(0), sizeof(sockaddr_in));
  udp_ = bound(AF_INET, SOCK_DGRAM, loopback(0), sizeof(sockaddr_in));
  tcp_port_ = port_of(tcp_);
  udp_port_ = port_of(udp_);
  const int qlen = 8;
  setsockopt(tcp_.get(), IPPROTO_TCP, 23, &qlen, sizeof qlen);  // TCP_FASTOPEN
  // Free at this moment; nobody else on loopback is likely to take it.
  free_port_ = port_of(bound(AF_INET, SOCK_STREAM, loopback(0), sizeof(sockaddr_in)));
  sockaddr_un at{};
  at.sun_family = AF_UNIX;
  std::memcpy(at.sun_path + 1, name_.data(), name_.size());
  abstract_ = bound(AF_UNIX, SOCK_STREAM, at, offsetof(sockaddr_un, sun_path) + 1 + name_.size());
  const std::string path = scratch_ / "host/socket";
  sockaddr_un file{};
  file.sun_family = AF_UNIX;
  path.copy(file.sun_path, sizeof file.sun_path - 1);
  path_ = bound(AF_UNIX, SOCK_STREAM, file, sizeof file);
}

void Host::make_victim() {
  victim_ = must(fork(), "fork");
  if (victim_ != 0) return;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  signal(SIGTERM, SIG_DFL);
  while (true) pause();
}

void Host::watch() {
  watch_ = os::Fd(must(inotify_init1(IN_NONBLOCK | IN_CLOEXEC), "inotify_init1"));
  // Folders for names that come and go, files for other names they may be reached by.
  for (const char* path : {"host", "home", "home/.ssh", "host/secret", "host/tool", "home/.npmrc",
                           "home/.ssh/id_ed25519"}) {
    add_watch(scratch_ / path);
  }
  add_watch(shm_file_);
}

void Host::add_watch(const std::string& path) {
  const int id = inotify_add_watch(watch_.get(), path.c_str(), kTouched);
  watched_[must(id, "inotify_add_watch")] = fs::path(path).filename();
}

std::vector<std::string> Host::file_events() {
  std::vector<std::string> found;
  alignas(inotify_event) std::array<char, 4096> room{};
  while (true) {
    const ssize_t got = ::read(watch_.get(), room.data(), room.size());
    if (got <= 0) return found;
    for (std::size_t at = 0; at < static_cast<std::size_t>(got);) {
      inotify_event event{};
      std::memcpy(&event, room.data() + at, sizeof event);
      std::string line = "file touched: ";
      line += event.len > 0 ? std::string(room.data() + at + sizeof event) : watched_[event.wd];
      line += ", event " + std::to_string(event.mask & kTouched);
      found.push_back(line);
      at += sizeof event + event.len;
    }
  }
}

std::vector<std::string> Host::env() const {
  std::array<char, 256> host{};
  gethostname(host.data(), host.size() - 1);
  return {"CG_FILE=" + (scratch_ / "host/secret"),
          "CG_FOLDER=" + (scratch_ / "host"),
          "CG_HOME=" + (scratch_ / "home"),
          "CG_TOOL=" + (scratch_ / "host/tool"),
          "CG_SUID=" + (scratch_ / "visible/suid"),
          "CG_UNIX=" + (scratch_ / "host/socket"),
          "CG_SHM_FILE=" + shm_file_,
          "CG_SHM_KEY=" + std::to_string(shm_key_),
          "CG_TCP=" + std::to_string(tcp_port_),
          "CG_UDP=" + std::to_string(udp_port_),
          "CG_FREE_PORT=" + std::to_string(free_port_),
          "CG_ABSTRACT=" + name_,
          "CG_VICTIM=" + std::to_string(victim_),
          "CG_HOST_NAME=" + std::string(host.data()),
          "CG_MARK=" + name_};
}

std::string Host::tree_with(const std::vector<std::string>& acts) const {
  for (const std::string& name : acts) {
    fs::copy_file(program_of(name), scratch_ / "tree/" + name,
                  fs::copy_options::overwrite_existing);
  }
  return scratch_ / "tree";
}

std::string Host::visible() const { return scratch_ / "visible"; }

bool Host::knock() const {
  const os::Fd fd(must(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), "socket"));
  const sockaddr_in to = loopback(free_port_);
  return connect(fd.get(), reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0;
}

std::vector<std::string> Host::reached() {
  std::vector<std::string> found = file_events();
  if (has_visitor(tcp_)) found.emplace_back("the TCP listener was reached");
  if (has_visitor(udp_)) found.emplace_back("a datagram arrived");
  if (has_visitor(abstract_)) found.emplace_back("the abstract socket was reached");
  if (has_visitor(path_)) found.emplace_back("the socket file was reached");
  int status = 0;
  if (waitpid(victim_, &status, WNOHANG | WUNTRACED) == victim_) {
    found.emplace_back("a process of the host was ended or stopped");
    if (!WIFSTOPPED(status)) make_victim();
  }
  return found;
}

std::vector<std::string> Host::left_behind(std::set<pid_t> known) const {
  std::vector<std::string> found;
  known.insert(victim_);
  for (const pid_t pid : strays(known)) {
    found.push_back("process left behind: " + std::to_string(pid));
  }
  for (const pid_t pid : marked("CG_MARK=" + name_)) {
    found.push_back("process with our mark: " + std::to_string(pid));
  }
  const Traces after = Traces::now(scratch_ / "temporary");
  for (const std::string& line : difference(before_, after)) found.push_back(line);
  return found;
}

std::size_t Host::end_strays() {
  std::size_t ended = 0;
  for (const pid_t pid : strays({victim_})) {
    kill(pid, SIGKILL);
    if (waitpid(pid, nullptr, 0) == pid) ++ended;
  }
  return ended;
}

}  // namespace cg::escape
