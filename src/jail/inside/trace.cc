#include "jail/inside/trace.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "base/base/text.h"
#include "jail/sandbox/wire.h"

namespace cg::inside {

namespace {

constexpr std::size_t kMaxTracedPath = 4'096;
constexpr std::size_t kPage = 4'096;
constexpr std::size_t kMaxWords = 64;
constexpr std::size_t kMaxShim = 8'192;
constexpr int kMaxTries = 100;

std::string read_memory(pid_t pid, std::uint64_t at, std::size_t size) {
  std::string out(size, '\0');
  const iovec here{out.data(), out.size()};
  const iovec there{reinterpret_cast<void*>(at), size};
  const ssize_t n = process_vm_readv(pid, &here, 1, &there, 1, 0);
  out.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
  return out;
}

/// Page by page, since the one after the text may not be there.
std::string read_text(pid_t pid, std::uint64_t at) {
  std::string out;
  while (out.size() < kMaxTracedPath) {
    const std::size_t size = kPage - at % kPage;
    const std::string part = read_memory(pid, at, size);
    const std::size_t end = part.find('\0');
    out += part.substr(0, end);
    if (end != std::string::npos || part.size() < size) break;
    at += size;
  }
  return out.substr(0, kMaxTracedPath);
}

/// SOCK_STREAM, SOCK_DGRAM; 0 if it cannot be told.
int socket_type(pid_t pid, std::uint64_t fd) {
  const os::Fd process(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));
  if (!process.is_open()) return 0;
  const os::Fd copy(
      static_cast<int>(syscall(SYS_pidfd_getfd, process.get(), static_cast<int>(fd), 0)));
  int type = 0;
  socklen_t size = sizeof type;
  if (!copy.is_open() || getsockopt(copy.get(), SOL_SOCKET, SO_TYPE, &type, &size) != 0) return 0;
  return type;
}

std::string unix_text(std::string_view path) {
  const bool abstract = path.starts_with('\0');
  if (abstract) return "unix @" + std::string(path.substr(1));
  return "unix " + std::string(path.substr(0, path.find('\0')));
}

template <class Address>
Address address_in(const std::string& bytes) {
  Address out{};
  std::memcpy(&out, bytes.data(), std::min(bytes.size(), sizeof out));
  return out;
}

}  // namespace

std::string connection_text(const std::string& address, int type) {
  if (address.size() < sizeof(sa_family_t)) return "";
  const auto family = address_in<sockaddr>(address).sa_family;
  const std::string protocol = type == SOCK_STREAM ? "tcp " : "udp ";
  std::array<char, INET6_ADDRSTRLEN> text{};
  if (family == AF_UNIX) return unix_text(std::string_view(address).substr(sizeof(sa_family_t)));
  if (family == AF_INET && address.size() >= sizeof(sockaddr_in)) {
    const auto to = address_in<sockaddr_in>(address);
    inet_ntop(AF_INET, &to.sin_addr, text.data(), text.size());
    return protocol + text.data() + ":" + std::to_string(ntohs(to.sin_port));
  }
  if (family == AF_INET6 && address.size() >= offsetof(sockaddr_in6, sin6_scope_id)) {
    const auto to = address_in<sockaddr_in6>(address);
    inet_ntop(AF_INET6, &to.sin6_addr, text.data(), text.size());
    return protocol + "[" + text.data() + "]:" + std::to_string(ntohs(to.sin6_port));
  }
  return "";
}

namespace {

std::string spoken_to(pid_t pid, std::uint64_t fd, std::uint64_t at, std::uint64_t size) {
  if (at == 0) return "";
  const std::size_t most = std::min<std::size_t>(size, sizeof(sockaddr_storage));
  const std::string address = read_memory(pid, at, most);
  if (address.size() < sizeof(sa_family_t)) return "";
  const bool is_unix = address_in<sockaddr>(address).sa_family == AF_UNIX;
  return connection_text(address, is_unix ? 0 : socket_type(pid, fd));
}

/// The address in a msghdr; that of a connected socket is none.
std::string spoken_to_by_message(pid_t pid, std::uint64_t fd, std::uint64_t at) {
  const std::string bytes = read_memory(pid, at, sizeof(msghdr));
  if (bytes.size() < sizeof(msghdr)) return "";
  const auto message = address_in<msghdr>(bytes);
  return spoken_to(pid, fd, reinterpret_cast<std::uint64_t>(message.msg_name), message.msg_namelen);
}

/// The words of a command line behind its first, as far as the bounds go.
std::vector<std::string> read_words(pid_t pid, std::uint64_t at) {
  std::vector<std::string> out;
  std::size_t bytes = 0;
  for (std::size_t i = 1; i < kMaxWords && bytes < sandbox::kMaxTracedText; ++i) {
    const std::string pointer =
        read_memory(pid, at + i * sizeof(std::uint64_t), sizeof(std::uint64_t));
    std::uint64_t word = 0;
    if (pointer.size() < sizeof word) break;
    std::memcpy(&word, pointer.data(), sizeof word);
    if (word == 0) break;
    out.push_back(read_text(pid, word));
    bytes += out.back().size() + 1;
  }
  return out;
}

std::string link_text(const std::string& link) {
  std::array<char, kMaxTracedPath> target{};
  const ssize_t size = readlink(link.c_str(), target.data(), target.size());
  return {target.data(), size > 0 ? static_cast<std::size_t>(size) : 0};
}

std::string proc_of(pid_t pid) { return "/proc/" + std::to_string(pid); }

/// The file that a process runs, as it is called in the process's own mounts.
std::string executable_of(pid_t pid) { return link_text(proc_of(pid) + "/exe"); }

struct Target {
  std::string path;
  os::Fd file;  // to look at alone
};

/// What the path leads to for the process, links followed. Nothing where nothing is, as in most
/// places of $PATH; the path itself where that cannot be told.
Target target_of(pid_t pid, const std::string& path) {
  const os::Fd root(open((proc_of(pid) + "/root").c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  const std::string whole =
      path.starts_with('/') ? path : link_text(proc_of(pid) + "/cwd") + "/" + path;
  open_how how{};
  how.flags = O_PATH | O_CLOEXEC;
  how.resolve = RESOLVE_IN_ROOT;
  Target out;
  int found = -1;
  for (int tries = 0; tries < kMaxTries; ++tries) {
    found = static_cast<int>(syscall(SYS_openat2, root.get(), whole.c_str(), &how, sizeof how));
    if (found >= 0 || errno != EAGAIN) break;  // else somebody mounted or moved something meanwhile
  }
  out.file = os::Fd(found);
  const bool absent = !out.file.is_open() && (errno == ENOENT || errno == ENOTDIR);
  if (absent) return out;
  out.path = link_text("/proc/self/fd/" + std::to_string(out.file.get()));
  if (out.path.empty()) out.path = path;
  return out;
}

/// What a small script of node_modules/.bin hands over to, where a manager writes those instead of
/// links.
std::string shim_text(const Target& target) {
  if (target.path.find("/.bin/") == std::string::npos || !target.file.is_open()) return "";
  struct stat status {};
  if (fstat(target.file.get(), &status) != 0 || !S_ISREG(status.st_mode)) return "";
  const os::Fd file(
      open(("/proc/self/fd/" + std::to_string(target.file.get())).c_str(), O_RDONLY | O_CLOEXEC));
  std::string text(kMaxShim, '\0');
  const ssize_t size = read(file.get(), text.data(), text.size());
  text.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
  std::string out;
  for (const std::string_view line : split(text, '\n')) {
    if (trim(line).starts_with("exec ")) out += (out.empty() ? "" : "; ") + std::string(trim(line));
  }
  return out.empty() ? "" : target.path + ": " + out;
}

struct Execution {
  std::string called;  // as it was given
  Target target;
  std::vector<std::string> words;
};

Execution execution_of(pid_t pid, const seccomp_data& call) {
  Execution out;
  if (call.nr == SYS_execve) {
    out.called = read_text(pid, call.args[0]);
    out.words = read_words(pid, call.args[1]);
    out.target = target_of(pid, out.called);
    return out;
  }
  const std::string path = read_text(pid, call.args[1]);
  out.called = path.empty() ? "(an open file)" : path;
  out.words = read_words(pid, call.args[2]);
  // A relative one begins in a folder that we do not look for.
  if (path.starts_with('/')) {
    out.target = target_of(pid, path);
  } else {
    out.target.path = out.called;
  }
  return out;
}

/// Empty for the step's first process, which runs our own program until it executes another.
std::string running_file(pid_t pid) {
  static const std::string kOurs = executable_of(getpid());
  std::string file = executable_of(pid);
  return file == kOurs ? "" : file;
}

std::string traced(const std::string& text) {
  return std::string(cut_utf8(printable(text), sandbox::kMaxTracedText));
}

}  // namespace

Watch::Watch(os::Fd listener) : listener_(std::move(listener)), kept_(listener_.is_open()) {
  if (!kept_) return;
  seccomp_notif_sizes sizes{};
  syscall(SYS_seccomp, SECCOMP_GET_NOTIF_SIZES, 0, &sizes);
  request_.resize(std::max<std::size_t>(sizes.seccomp_notif, sizeof(seccomp_notif)));
  response_.resize(std::max<std::size_t>(sizes.seccomp_notif_resp, sizeof(seccomp_notif_resp)));
}

void Watch::note(std::set<std::string>& list, const std::string& entry) {
  std::string text = traced(entry);
  if (text.empty() || list.contains(text)) return;
  if (list.size() < sandbox::kMaxTraced) {
    list.insert(std::move(text));
  } else if (&list != &commands_) {
    cut_ = true;
  }
}

void Watch::note_start(const sandbox::Start& told, const std::vector<std::string>& words) {
  sandbox::Start start{traced(told.by), traced(told.file), traced(told.as)};
  if (started_.size() < sandbox::kMaxTraced) {
    started_.insert(std::move(start));
  } else if (!started_.contains(start)) {
    cut_ = true;
  }
  const std::string& called = told.as.empty() ? told.file : told.as;
  note(shell_, sandbox::shell_text(called, words));
  std::string line = called;
  for (const std::string& word : words) line += " " + word;
  note(commands_, line);
}

void Watch::look() {
  std::fill(request_.begin(), request_.end(), '\0');
  if (ioctl(listener_.get(), SECCOMP_IOCTL_NOTIF_RECV, request_.data()) != 0) {
    if (errno != EINTR && errno != ENOENT) stop();
    return;
  }
  seccomp_notif request{};
  std::memcpy(&request, request_.data(), sizeof request);
  const seccomp_data& call = request.data;
  const auto pid = static_cast<pid_t>(request.pid);
  Execution executed;
  std::string by;
  std::string to;
  if (call.nr == SYS_execve || call.nr == SYS_execveat) {
    executed = execution_of(pid, call);
    by = running_file(pid);
  } else if (call.nr == SYS_connect) {
    to = spoken_to(pid, call.args[0], call.args[1], call.args[2]);
  } else if (call.nr == SYS_sendto) {
    to = spoken_to(pid, call.args[0], call.args[4], call.args[5]);
  } else {
    to = spoken_to_by_message(pid, call.args[0], call.args[1]);
  }
  // Another process may have got the number meanwhile; then what was read is not of this one.
  std::uint64_t id = request.id;
  if (ioctl(listener_.get(), SECCOMP_IOCTL_NOTIF_ID_VALID, &id) != 0) return;
  if (!executed.called.empty()) {
    const std::string& file = executed.target.path;
    note_start({by, file, file == executed.called ? "" : executed.called}, executed.words);
    note(shell_, shim_text(executed.target));
  }
  note(connections_, to);
  seccomp_notif_resp response{};
  response.id = request.id;
  response.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
  std::fill(response_.begin(), response_.end(), '\0');
  std::memcpy(response_.data(), &response, sizeof response);
  static_cast<void>(ioctl(listener_.get(), SECCOMP_IOCTL_NOTIF_SEND, response_.data()));
}

sandbox::Trace Watch::take() && {
  sandbox::Trace trace;
  trace.started.assign(started_.begin(), started_.end());
  trace.shell.assign(shell_.begin(), shell_.end());
  trace.commands.assign(commands_.begin(), commands_.end());
  trace.connections.assign(connections_.begin(), connections_.end());
  trace.kept = kept_;
  trace.cut = cut_;
  return trace;
}

}  // namespace cg::inside
