#include "jail/spawn/host.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <new>

namespace cg::spawn {

namespace {

Host* the_host = nullptr;

os::Error gone() { return os::from_errno(EPIPE, "the spawner"); }

class Hosted final : public os::Launched {
 public:
  explicit Hosted(Child child) : child_(std::move(child)) {}
  void kill() override { child_.kill(); }
  int wait() override { return child_.wait(); }

 private:
  Child child_;
};

}  // namespace

Child::Child(Child&& other) noexcept
    : host_(other.host_), pid_(std::exchange(other.pid_, -1)), status_(std::move(other.status_)) {}

Child::~Child() {
  if (pid_ <= 0) return;
  kill();
  static_cast<void>(wait());
}

int Child::wait() {
  int status = 0;
  ssize_t got = -1;
  do {
    got = read(status_.get(), &status, sizeof status);
  } while (got < 0 && errno == EINTR);
  pid_ = -1;
  return got == sizeof status ? status : SIGKILL;
}

bool Child::ends_within(std::chrono::milliseconds limit) const {
  pollfd polled{status_.get(), POLLIN, 0};
  return pid_ <= 0 || poll(&polled, 1, static_cast<int>(limit.count())) == 1;
}

void Child::kill() {
  if (pid_ <= 0) return;
  Request request;
  request.kind = Request::Kind::stop;
  request.child = pid_;
  std::vector<os::Fd> none;
  static_cast<void>(host_->ask(request, {}, none));
}

Result<std::unique_ptr<Host>, os::Error> Host::start(const Places& places, os::Fd ci_key) {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    return fail(os::from_errno(errno, "socketpair"));
  }
  os::Fd ours(ends[0]);
  os::Fd theirs(ends[1]);
  void* page =
      mmap(nullptr, sizeof(Refused), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) return fail(os::from_errno(errno, "the spawner"));
  auto* const refused = new (page) Refused(0);
  const pid_t pid = fork();
  if (pid == 0) {
    ours = os::Fd();
    serve(std::move(theirs), std::move(ci_key), places, refused);
  }
  std::unique_ptr<Host> host(new Host(pid, std::move(ours), refused));
  if (pid < 0) return fail(os::from_errno(errno, "the spawner"));
  return host;
}

Host::~Host() {
  if (the_host == this) the_host = nullptr;
  socket_ = os::Fd();
  munmap(refused_, sizeof *refused_);
  while (pid_ > 0 && waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

Result<Reply, os::Error> Host::ask(const Request& request, std::span<const int> fds,
                                   std::vector<os::Fd>& given) {
  const std::lock_guard lock(turn_);
  Reply reply;
  if (!send_message(socket_.get(), bytes_of(request), fds) ||
      !receive_message(socket_.get(), bytes_of(reply), given)) {
    return fail(gone());
  }
  if (reply.error != 0) {
    const bool starts = request.kind == Request::Kind::start;
    return fail(
        os::from_errno(reply.error, starts ? std::string(name(request.program)) : "the spawner"));
  }
  return reply;
}

Result<Pair, os::Error> Host::pair() {
  std::vector<os::Fd> given;
  CG_TRY(ask(Request{}, {}, given));
  if (given.size() != 2) return fail(gone());
  return Pair{std::move(given[0]), std::move(given[1])};
}

Result<Child, os::Error> Host::start(Program program, std::span<const int> fds,
                                     const std::vector<std::string>& words) {
  Request request;
  request.kind = Request::Kind::start;
  request.program = program;
  if (words.size() > kMaxWords) return fail(os::from_errno(E2BIG, std::string(name(program))));
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i].size() >= kWordBytes) {
      return fail(os::from_errno(E2BIG, std::string(name(program))));
    }
    std::copy(words[i].begin(), words[i].end(), request.words[i].begin());
  }
  std::vector<os::Fd> given;
  CG_TRY_ASSIGN(const Reply reply, ask(request, fds, given));
  if (given.size() != 1) return fail(gone());
  return Child(*this, reply.child, std::move(given[0]));
}

Result<Done, os::Error> Host::watch(const os::Fd& listener) {
  Request request;
  request.kind = Request::Kind::watch;
  const int fd = listener.get();
  const std::lock_guard lock(turn_);
  if (!send_message(socket_.get(), bytes_of(request), {&fd, 1})) return fail(gone());
  return Done{};
}

std::vector<Refusal> Host::take_refusals() {
  if (*refused_ == 0) return {};
  Request request;
  request.kind = Request::Kind::refusals;
  std::vector<os::Fd> none;
  const auto reply = ask(request, {}, none);
  if (!reply) return {};
  const std::size_t count = std::min<std::size_t>(reply->count, kMaxRefusals);
  return {reply->refusals.begin(), reply->refusals.begin() + static_cast<std::ptrdiff_t>(count)};
}

Result<KernelGrants, os::Error> Host::grants() {
  Request request;
  request.kind = Request::Kind::grants;
  std::vector<os::Fd> none;
  CG_TRY_ASSIGN(const Reply reply, ask(request, {}, none));
  return reply.grants;
}

Host* current() { return the_host; }
void set_current(Host* host) { the_host = host; }

Result<Talking, os::Error> start_talking(Host& host, Program program) {
  CG_TRY_ASSIGN(Pair pair, host.pair());
  const int theirs = pair.theirs.get();
  for (const int end : {pair.ours.get(), theirs}) {
    if (fcntl(end, F_SETFL, 0) != 0) return fail(os::from_errno(errno, std::string(name(program))));
  }
  CG_TRY_ASSIGN(Child child, host.start(program, {&theirs, 1}));
  return Talking{std::move(child), std::move(pair.ours)};
}

os::Launch launcher(Program program, std::vector<std::string> words) {
  if (current() == nullptr) return os::launch;
  return [program, words = std::move(words)](
             const os::Command&,
             const std::array<int, 3>& fds) -> Result<std::unique_ptr<os::Launched>, os::Error> {
    CG_TRY_ASSIGN(Child child, current()->start(program, fds, words));
    return std::unique_ptr<os::Launched>(std::make_unique<Hosted>(std::move(child)));
  };
}

}  // namespace cg::spawn
