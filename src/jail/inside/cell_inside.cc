// How the process that becomes a step is made, and why in this order.
//
// The server clones init into a process namespace, and init clones the payload. Between the clone
// and the step's own program everything is given up, each thing after the last act that needs it:
//
//   init     /proc            shows the process namespace of who mounts it, so not the server
//                             mounts it; parts that tell of the host are covered, as is the shelf
//            cgroup           init goes in, so all that it starts is born in it; the server sets
//                             its limits before it gives orders
//            descriptors      four are kept, at fixed numbers; not the cgroup's folder
//            capabilities     the bounding set and the secure bits, which take a capability to
//                             change; then, in a microVM, the user; then the sets themselves
//            no_new_privs     what Landlock and the filter ask of one without privileges
//            end with parent  after the change of user, which would undo it
//   payload  streams          /dev/null and two pipes
//            Landlock         where the kernel has enough of it
//            filter           last, so it need allow nothing for the set-up's sake: what is still
//                             to come (read, set limits, execve) a step may do anyway
//            self-report      by looking, not by remembering what was asked for
//            orders           only now is the command line read
//
// The filter reports some calls to a listener, and who makes one waits until somebody answers.
// sendmsg is among them, so a payload that passed its listener on would wait for ever. It shares
// its table of descriptors with init instead, and writes the number into a pipe; init passes the
// listener to the server and closes it. execve ends the sharing and closes all but the streams.
//
// Example: a step forks a daemon and exits. The daemon is init's child then. Init sees that the
// payload has ended, says so and exits; since it was process 1 of the namespace, the kernel kills
// the daemon, whatever it ignores.
//
// It ends: init only waits, for the server (gone: it exits), for the payload's report (refused: it
// exits) and for children (the payload ended: it exits). The server keeps the time
// (running_step.cc) and kills init once it is over. Without isolation (Site::namespaces) the shape
// is the same; only descriptors and new privileges are given up, and descendants are ended one by
// one.
#include "jail/inside/cell_inside.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "base/base/text.h"
#include "jail/inside/cell_seal.h"
#include "jail/sandbox/places.h"
#include "jail/sandbox/wire.h"
#include "jail/seal/landlock.h"

namespace cg::inside {

namespace {

using sandbox::Step;

constexpr int kEndNotFound = 127;  // as a shell does
constexpr int kEndNotRunnable = 126;
constexpr int kMinLandlock = 2;  // the first refuses every rename between folders

Packet failed(const Refused& refused) {
  Packet packet;
  packet.code = refused.code;
  std::strncpy(packet.layer.data(), refused.layer, packet.layer.size() - 1);
  return packet;
}

void tell(int control, const Packet& packet, int carried = -1) {
  iovec part{const_cast<Packet*>(&packet), sizeof packet};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> space{};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  if (carried >= 0) {
    message.msg_control = space.data();
    message.msg_controllen = space.size();
    cmsghdr* header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    std::memcpy(CMSG_DATA(header), &carried, sizeof carried);
  }
  static_cast<void>(!sendmsg(control, &message, MSG_NOSIGNAL));
}

/// The given descriptors at 3, 4, 5 and 6, and no other from there on.
Given arranged(const Given& given) {
  std::array<int, 4> numbers{given.control, given.orders, given.out, given.err};
  for (int& fd : numbers) fd = fcntl(fd, F_DUPFD_CLOEXEC, 100);
  for (int i = 0; i < 4; ++i) dup3(numbers[static_cast<std::size_t>(i)], 3 + i, O_CLOEXEC);
  close_range(7, ~0U, 0);
  return {3, 4, 5, 6};
}

/// What the payload says to init over a pipe of theirs.
struct Sealed {
  Refused refused;
  SelfReport report;
  int listener = -1;
};

class Init {
 public:
  Init(bool alone, int control, int signals, int sealed, pid_t payload)
      : alone_(alone), control_(control), signals_(signals), sealed_(sealed), payload_(payload) {}

  [[noreturn]] void run() {
    std::array<pollfd, 3> waited{
        {{control_, POLLIN, 0}, {signals_, POLLIN, 0}, {sealed_, POLLIN, 0}}};
    for (;;) {
      if (poll(waited.data(), waited.size(), -1) < 0 && errno != EINTR) _exit(1);
      if (waited[2].revents != 0) {
        pass_on_sealed();
        waited[2].fd = -1;
        waited[2].revents = 0;
        continue;
      }
      if (waited[0].revents != 0) obey();
      if (waited[1].revents != 0) reap_all();
    }
  }

 private:
  void pass_on_sealed() const {
    Sealed sealed;
    if (read(sealed_, &sealed, sizeof sealed) != sizeof sealed) _exit(1);
    if (sealed.refused.layer != nullptr) {
      tell(control_, failed(sealed.refused));
      _exit(1);
    }
    Packet packet;
    packet.kind = Packet::Kind::ready;
    packet.report = sealed.report;
    tell(control_, packet, sealed.listener);
    if (sealed.listener >= 0) close(sealed.listener);
  }

  /// One word is known; the server being gone is the end.
  void obey() const {
    char word = 0;
    if (recv(control_, &word, 1, MSG_DONTWAIT) <= 0) _exit(1);
    kill(-payload_, SIGTERM);
  }

  void reap_all() const {
    signalfd_siginfo info{};
    static_cast<void>(!read(signals_, &info, sizeof info));
    int status = 0;
    for (pid_t ended = 0; (ended = waitpid(-1, &status, WNOHANG)) > 0;) {
      if (ended != payload_) continue;
      Packet packet;
      packet.kind = Packet::Kind::ended;
      packet.code = status;
      tell(control_, packet);
      if (!alone_) end_descendants();
      _exit(0);  // and the kernel ends all others in this namespace
    }
  }

  bool alone_;  // in a process namespace
  int control_;
  int signals_;
  int sealed_;
  pid_t payload_;
};

SelfReport look_around(const Site& site, bool watched, int landlock) {
  SelfReport report;
  report.own_processes = site.namespaces && getpid() == 2 && getppid() == 1;
  report.no_new_privileges = prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1;
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3> caps{};
  report.no_capabilities = syscall(SYS_capget, &header, caps.data()) == 0;
  for (const auto& half : caps) {
    if ((half.effective | half.permitted | half.inheritable) != 0) report.no_capabilities = false;
  }
  if (prctl(PR_CAPBSET_READ, 21UL, 0, 0, 0) != 0) report.no_capabilities = false;  // CAP_SYS_ADMIN
  report.filter = prctl(PR_GET_SECCOMP, 0, 0, 0, 0) == 2;
  report.watched = watched;
  report.landlock = landlock;
  return report;
}

Sealed seal_payload(const Site& site) {
  Sealed sealed;
  // Until it executes something, its memory is that of the server, and the one who watches
  // must be able to read what it is about to execute.
  prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
  int landlock = 0;
  if (site.namespaces && seal::landlock_abi() >= kMinLandlock) {
    const auto held = seal::restrict_to(sandbox::payload_reach());
    if (held) landlock = held->abi;
  }
  if (!site.namespaces) {
    sealed.report = look_around(site, false, 0);
    return sealed;
  }
  sealed.refused = load_filter(site.filter, true, sealed.listener);
  if (sealed.refused.layer != nullptr) {
    // Somebody outside may watch already, or the kernel is too old to.
    sealed.listener = -1;
    int none = -1;
    sealed.refused = load_filter(untraced(site.filter), false, none);
  }
  sealed.report = look_around(site, sealed.listener >= 0, landlock);
  return sealed;
}

std::optional<Step> read_order(int fd) {
  const auto read_exactly = [fd](std::size_t size) {
    std::string bytes(size, '\0');
    for (std::size_t got = 0; got < size;) {
      const ssize_t n = read(fd, bytes.data() + got, size - got);
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) _exit(1);
      got += static_cast<std::size_t>(n);
    }
    return bytes;
  };
  const auto header = sandbox::read_header(read_exactly(sandbox::kFrameHeader));
  if (!header) return std::nullopt;
  auto message = sandbox::read_fields(header->kind, read_exactly(header->size));
  if (!message || !std::holds_alternative<Step>(*message)) return std::nullopt;
  return std::get<Step>(*std::move(message));
}

void limit(__rlimit_resource resource, rlim_t value) {
  rlimit now{};
  getrlimit(resource, &now);
  const rlimit both{std::min(value, now.rlim_max), std::min(value, now.rlim_max)};
  if (setrlimit(resource, &both) != 0) _exit(kEndNotRunnable);
}

void set_limits(const sandbox::Limits& limits) {
  limit(RLIMIT_CORE, 1);  // nothing fits; a program that takes cores from a pipe would ignore 0
  limit(RLIMIT_FSIZE, limits.file_bytes);
  limit(RLIMIT_NOFILE, sandbox::kMaxDescriptors);
#if !defined(__SANITIZE_ADDRESS__)  // whose runtime wants memory until the exec, and has taken more
  limit(RLIMIT_DATA, limits.memory);  // not AS: V8 reserves far more than it uses
#endif
  limit(RLIMIT_MEMLOCK, 64U << 10U);
  limit(RLIMIT_MSGQUEUE, 1U << 20U);
  limit(RLIMIT_NPROC, limits.processes);
  limit(RLIMIT_NICE, 0);
  limit(RLIMIT_RTPRIO, 0);
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> out;
  for (std::string& text : texts) out.push_back(text.data());
  out.push_back(nullptr);
  return out;
}

[[noreturn]] void not_runnable(const std::string& what, int code) {
  const std::string line = "codegenie-jail: " + what + ": " + strerrordesc_np(code) + "\n";
  static_cast<void>(!write(STDERR_FILENO, line.data(), line.size()));
  _exit(code == ENOENT ? kEndNotFound : kEndNotRunnable);
}

[[noreturn]] void become(Step step) {
  if (chdir(step.folder.c_str()) != 0) not_runnable(step.folder, errno);
  set_limits(step.limits);
  std::vector<char*> argv = pointers(step.argv);
  std::vector<char*> env = pointers(step.env);
  execve(argv[0], argv.data(), env.data());
  not_runnable(step.argv[0], errno);
}

void reset_signals() {
  sigset_t none{};
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  signal(SIGPIPE, SIG_DFL);
}

/// Seals itself, reports to `report_to`, reads its orders, executes.
[[noreturn]] void run_payload(const Site& site, const Given& given, int report_to) {
  setsid();
  umask(022);
  reset_signals();
  const int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (null < 0 || dup2(null, 0) < 0 || dup2(given.out, 1) < 0 || dup2(given.err, 2) < 0) _exit(1);
  const Sealed sealed = seal_payload(site);
  if (write(report_to, &sealed, sizeof sealed) != sizeof sealed) _exit(1);
  auto step = read_order(given.orders);
  if (!step) _exit(1);
  close_range(3, ~0U, CLOSE_RANGE_CLOEXEC);
  become(*std::move(step));
}

}  // namespace

pid_t clone_process(unsigned long flags, int* pidfd) {
  return static_cast<pid_t>(syscall(SYS_clone,
                                    flags | (pidfd != nullptr ? CLONE_PIDFD : 0UL) | SIGCHLD,
                                    nullptr, pidfd, nullptr, nullptr));
}

void end_descendants() {
  for (;;) {
    const std::string file = "/proc/self/task/" + std::to_string(getpid()) + "/children";
    const os::Fd listing(open(file.c_str(), O_RDONLY | O_CLOEXEC));
    std::array<char, 4096> text{};
    const ssize_t size = listing.is_open() ? read(listing.get(), text.data(), text.size() - 1) : 0;
    if (size <= 0) return;
    for (const std::string_view word : split(std::string_view(text.data()), ' ')) {
      if (const auto pid = parse_u64(word)) kill(static_cast<pid_t>(*pid), SIGKILL);
    }
    // Their children become ours.
    if (waitpid(-1, nullptr, 0) < 0 && errno == ECHILD) return;
  }
}

void reap(pid_t pid) {
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
}

void run_init(const Site& site, const OwnTree* own_tree, const Group* group, const Given& given) {
  Refused refused = own_view(site, own_tree);
  if (refused.layer == nullptr && group != nullptr && !group->enter()) refused = {"cgroup", errno};
  const Given own = arranged(given);
  if (refused.layer == nullptr) refused = drop_everything(site);
  if (refused.layer != nullptr) {
    tell(own.control, failed(refused));
    _exit(1);
  }
  prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  if (!site.namespaces) prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  sigset_t children{};
  sigemptyset(&children);
  sigaddset(&children, SIGCHLD);
  sigprocmask(SIG_SETMASK, &children, nullptr);
  const int signals = signalfd(-1, &children, SFD_CLOEXEC | SFD_NONBLOCK);
  std::array<int, 2> sealed{};
  if (signals < 0 || pipe2(sealed.data(), O_CLOEXEC) != 0) _exit(1);
  // One table of descriptors, so that the payload's listener, of which the payload itself
  // cannot tell anybody any more, is init's too.
  const pid_t payload = clone_process(CLONE_FILES, nullptr);
  if (payload == 0) run_payload(site, own, sealed[1]);
  if (payload < 0) {
    tell(own.control, failed({"payload", errno}));
    _exit(1);
  }
  Init(site.namespaces, own.control, signals, sealed[0], payload).run();
}

void become_sealed(const Site& site, const std::vector<std::string>& argv, int input, int output) {
  Refused refused = own_view(site, nullptr);
  reset_signals();
  const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (null < 0 || dup2(input, 0) < 0 || dup2(output, 1) < 0 || dup2(null, 2) < 0) _exit(1);
  close_range(3, ~0U, 0);
  if (refused.layer == nullptr) refused = drop_everything(site);
  int none = -1;
  if (refused.layer == nullptr && site.namespaces) {
    refused = load_filter(untraced(site.filter), false, none);
  }
  if (refused.layer != nullptr) _exit(1);
  std::vector<std::string> copy = argv;
  std::vector<char*> pointers_to = pointers(copy);
  const std::array<char*, 1> env{nullptr};
  execve(pointers_to[0], pointers_to.data(), env.data());
  _exit(kEndNotFound);
}

}  // namespace cg::inside
