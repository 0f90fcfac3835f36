#include "key/bench.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <linux/keyctl.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "base/base/bytes.h"
#include "model/leaf/key_frame.h"
#include "trust/hash/sha256.h"

namespace cg::test {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kFingerprintBytes = 8;
constexpr std::size_t kMaxProcFile = 1U << 20U;

/// The words of a script that keeps a bus and a keyring until its input ends.
std::string desktop_script(Desktop::Keyring keyring) {
  std::string script;
  if (keyring == Desktop::Keyring::unlocked) {
    script = "printf passphrase | gnome-keyring-daemon --unlock --components=secrets >/dev/null; ";
  } else if (keyring == Desktop::Keyring::locked) {
    script = "gnome-keyring-daemon --start --components=secrets >/dev/null; ";
  }
  return script + "echo \"$DBUS_SESSION_BUS_ADDRESS\"; exec cat >/dev/null";
}

std::string read_proc(const std::string& path) {
  std::string out(kMaxProcFile, '\0');
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return {};
  std::size_t got = 0;
  ssize_t n = 1;
  while (n > 0 && got < out.size()) {
    n = ::read(fd, out.data() + got, out.size() - got);
    if (n > 0) got += static_cast<std::size_t>(n);
  }
  close(fd);
  out.resize(got);
  return out;
}

pid_t parent_of(pid_t pid) {
  const std::string stat = read_proc("/proc/" + std::to_string(pid) + "/stat");
  const std::size_t end = stat.rfind(')');
  if (end == std::string::npos) return -1;
  std::istringstream rest(stat.substr(end + 1));
  char state = 0;
  pid_t parent = -1;
  rest >> state >> parent;
  return parent;
}

/// One line of maps: what is mapped readable, in pieces.
void search_region(int mem, const std::string& line, const std::string& key, Search& found) {
  std::istringstream words(line);
  std::string range;
  std::string rights;
  words >> range >> rights;
  if (rights.empty() || rights[0] != 'r') return;
  const std::size_t dash = range.find('-');
  const std::uint64_t begin = std::stoull(range.substr(0, dash), nullptr, 16);
  const std::uint64_t end = std::stoull(range.substr(dash + 1), nullptr, 16);
  constexpr std::uint64_t kPiece = 1U << 20U;
  std::string bytes;
  for (std::uint64_t at = begin; at < end; at += kPiece) {
    // With the end of the piece before, for a key across both.
    const std::string tail = bytes.substr(bytes.size() - std::min(bytes.size(), key.size()));
    bytes.assign(std::min(kPiece, end - at), '\0');
    const ssize_t n = pread(mem, bytes.data(), bytes.size(), static_cast<off_t>(at));
    if (n <= 0) {
      ++found.unreadable;
      return;
    }
    bytes.resize(static_cast<std::size_t>(n));
    found.searched += bytes.size();
    if ((tail + bytes).find(key) != std::string::npos) found.hits.push_back("mem " + line);
  }
}

}  // namespace

std::string fingerprint_of(const std::string& key) {
  const hash::Digest digest = hash::sha256(as_bytes(key));
  return to_hex(ByteView(digest).first(kFingerprintBytes));
}

bool join_new_session() { return syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, nullptr) > 0; }

void link_user_keyring() {
  syscall(SYS_keyctl, KEYCTL_LINK, KEY_SPEC_USER_KEYRING, KEY_SPEC_SESSION_KEYRING);
}

Desktop::Desktop(const std::string& home, Keyring keyring) : home_(home) {
  fs::create_directories(home + "/run");
  fs::permissions(home + "/run", fs::perms::owner_all);
  std::array<int, 2> in{};
  std::array<int, 2> out{};
  if (pipe2(in.data(), O_CLOEXEC) != 0 || pipe2(out.data(), O_CLOEXEC) != 0) {
    throw std::runtime_error("pipe failed");
  }
  const std::string script = desktop_script(keyring);
  const std::string home_word = "HOME=" + home;
  const std::string run_word = "XDG_RUNTIME_DIR=" + home + "/run";
  pid_ = fork();
  if (pid_ == 0) {
    dup2(in[0], 0);
    dup2(out[1], 1);
    const int none = open("/dev/null", O_WRONLY);
    dup2(none, 2);
    execl("/usr/bin/env", "env", "-i", "PATH=/usr/bin:/bin", home_word.c_str(), run_word.c_str(),
          "dbus-run-session", "--", "sh", "-c", script.c_str(), nullptr);
    _exit(127);
  }
  close(in[0]);
  close(out[1]);
  input_ = in[1];
  address_ = read_line(out[0]);
  close(out[0]);
  if (address_.empty()) throw std::runtime_error("there is no session bus");
}

Desktop::~Desktop() {
  close(input_);
  waitpid(pid_, nullptr, 0);
}

std::vector<std::string> Desktop::environment() const {
  return {"DBUS_SESSION_BUS_ADDRESS=" + address_, "HOME=" + home_,
          "XDG_RUNTIME_DIR=" + home_ + "/run"};
}

Source::Source(const std::string& text) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("pipe failed");
  read_ = ends[0];
  write_ = ends[1];
  if (::write(write_, text.data(), text.size()) != static_cast<ssize_t>(text.size())) {
    throw std::runtime_error("write failed");
  }
}

Source::~Source() {
  close_writer();
  close(read_);
}

void Source::close_writer() {
  if (write_ >= 0) close(std::exchange(write_, -1));
}

void Source::wait_until_taken() const {
  int left = 1;
  while (ioctl(read_, FIONREAD, &left) == 0 && left > 0) std::this_thread::yield();
}

Keys::Keys(std::vector<std::string> environment, os::Fd ci_key)
    : key_name("test-" + std::to_string(getpid())) {
  spawn::Places places;
  places.folders = {CG_PROGRAMS};
  places.key_env = std::move(environment);
  auto host = spawn::Host::start(places, std::move(ci_key));
  if (!host) throw std::runtime_error(os::describe(host.error()));
  host_ = *std::move(host);
}

leaf::KeyAnswer Keys::ask(leaf::KeyVerb verb, leaf::KeyStore store, const std::string& key) {
  Source source(key.empty() ? "" : key + "\n");
  source.close_writer();
  const auto answer = leaf::ask_key(*host_, {verb, store, key_name}, {source.fd(), -1});
  if (!answer) throw std::runtime_error(answer.error().detail);
  return *answer;
}

Delivered Keys::deliver(leaf::KeyStore store) {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    throw std::runtime_error("socketpair failed");
  }
  const os::Fd ours(ends[0]);
  os::Fd theirs(ends[1]);
  const auto answer =
      leaf::ask_key(*host_, {leaf::KeyVerb::deliver, store, key_name}, {-1, theirs.get()});
  theirs = os::Fd();
  std::string bytes;
  std::array<char, 4096> piece{};
  ssize_t n = 0;
  while ((n = ::read(ours.get(), piece.data(), piece.size())) > 0) {
    bytes.append(piece.data(), static_cast<std::size_t>(n));
  }
  const auto size = bytes.empty() ? std::nullopt : leaf::key_head_size(bytes[0]);
  const auto head =
      size && *size <= bytes.size() ? leaf::parse_key_head(bytes.substr(0, *size)) : std::nullopt;
  if (!head || bytes.size() != *size + head->key_size) {
    throw std::runtime_error(answer ? "not a frame" : answer.error().detail);
  }
  return {head->source, bytes.substr(*size)};
}

leaf::StoreReport Keys::status(leaf::KeyStore store) {
  const leaf::KeyAnswer answer = ask(leaf::KeyVerb::status, store);
  return std::get<leaf::KeyListed>(answer).places.at(0);
}

std::vector<pid_t> descendants(pid_t pid) {
  std::vector<pid_t> out;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    const pid_t one = static_cast<pid_t>(std::stol(name));
    for (pid_t up = parent_of(one); up > 1; up = parent_of(up)) {
      if (up != pid) continue;
      out.push_back(one);
      break;
    }
  }
  return out;
}

Search search(pid_t pid, const std::string& key) {
  Search found;
  const std::string folder = "/proc/" + std::to_string(pid);
  for (const char* file : {"cmdline", "environ", "comm", "status"}) {
    if (read_proc(folder + "/" + file).find(key) != std::string::npos) found.hits.push_back(file);
  }
  const int mem = open((folder + "/mem").c_str(), O_RDONLY | O_CLOEXEC);
  std::istringstream maps(read_proc(folder + "/maps"));
  for (std::string line; mem >= 0 && std::getline(maps, line);) {
    search_region(mem, line, key, found);
  }
  if (mem >= 0) close(mem);
  return found;
}

bool can_be_read_by_its_user(pid_t pid) {
  const std::string path = "/proc/" + std::to_string(pid) + "/mem";
  const pid_t child = fork();
  if (child == 0) {
    __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
    const std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3> none{};
    if (syscall(SYS_capset, &header, none.data()) != 0) _exit(2);
    _exit(open(path.c_str(), O_RDONLY | O_CLOEXEC) >= 0 ? 1 : 0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return !WIFEXITED(status) || WEXITSTATUS(status) != 0;
}

}  // namespace cg::test
