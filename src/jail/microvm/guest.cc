#include "jail/microvm/guest.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>

#include "base/base/match.h"
#include "base/base/text.h"
#include "jail/microvm/failure.h"

namespace cg::microvm {

namespace {

using Kind = sandbox::Error::Kind;

constexpr const char* kIn = "in";
constexpr const char* kLeash = "leash";
constexpr const char* kEmpty = "empty";
constexpr const char* kComplaints = "/tmp/complaints";
constexpr std::uint64_t kEmulatorMemory = 512U << 20U;
constexpr std::chrono::hours kLongest{24};
constexpr std::chrono::seconds kVersionTime{10};
constexpr std::size_t kMaxBeforeHello = 1U << 16U;
constexpr std::size_t kMaxComplaint = 300;

// $0: the file to follow, $1: the leash; the rest is the emulator. It keeps the number of
// this shell, so whoever minds the leash knows whom to kill.
constexpr const char* kKennel =
    "mkfifo /tmp/in && in=$0 leash=$1 && shift || exit 1\n"
    "tail -s 0.1 -c +1 -f \"$leash\" | { read x; kill -9 $$; } &\n"
    "tail -s 0.1 -c +1 -f \"$in\" >/tmp/in &\n"
    "exec \"$@\" </tmp/in 2>";

std::string unused_name() {
  static std::atomic<unsigned> count{0};
  return "vm-" + std::to_string(getpid()) + "-" + std::to_string(++count);
}

std::string first_line(std::string_view text) {
  return printable(text.substr(0, std::min(text.find('\n'), kMaxComplaint)));
}

}  // namespace

Result<std::unique_ptr<Guest>, sandbox::Error> Guest::prepare(const std::string& scratch) {
  auto parent = os::Dir::make(scratch);
  if (!parent) return setup_failure(parent.error());
  const std::string name = unused_name();
  if (const auto made = parent->make_dir(name + "/" + kEmpty); !made)
    return setup_failure(made.error());
  auto folder = parent->open_dir(name);
  if (!folder) return setup_failure(folder.error());
  std::unique_ptr<Guest> guest(new Guest(*std::move(parent), name, *std::move(folder)));
  CG_TRY(guest->make_files());
  return guest;
}

Result<Done, sandbox::Error> Guest::make_files() {
  // Readable for the user that the emulator runs as, who gets to see this folder and not
  // those above it.
  const auto empty = folder_.open_dir(kEmpty);
  if (!empty) return setup_failure(empty.error());
  auto in = folder_.open_file(kIn, O_WRONLY | O_CREAT | O_EXCL | O_APPEND);
  if (!in) return setup_failure(in.error());
  auto leash = folder_.open_file(kLeash, O_WRONLY | O_CREAT | O_EXCL | O_APPEND);
  if (!leash) return setup_failure(leash.error());
  in_ = *std::move(in);
  leash_ = *std::move(leash);
  const bool good = fchmod(folder_.fd().get(), 0755) == 0 && fchmod(empty->fd().get(), 0755) == 0 &&
                    fchmod(in_.get(), 0644) == 0 && fchmod(leash_.get(), 0644) == 0;
  if (!good) return setup_failure(os::from_errno(errno, folder_.path()));
  return Done{};
}

Guest::~Guest() {
  end();
  const auto left = folder_.list(".", 16);
  if (left) {
    for (const std::string& name : *left) unlinkat(folder_.fd().get(), name.c_str(), 0);
  }
  unlinkat(folder_.fd().get(), kEmpty, AT_REMOVEDIR);
  unlinkat(parent_.fd().get(), name_.c_str(), AT_REMOVEDIR);
}

Result<Done, sandbox::Error> Guest::ask_version(const std::string& qemu) {
  sandbox::Step step;
  step.name = "version";
  step.argv = {qemu, "--version"};
  step.folder = "/";
  step.limits.wall = kVersionTime;
  CG_TRY_ASSIGN(const sandbox::Ran ran, outer_->run(step, {}));
  if (!sandbox::is_success(ran.ending)) {
    return failure(Kind::missing, printable(qemu) + " does not start: " +
                                      sandbox::describe(ran.ending, step.limits) + ", " +
                                      first_line(ran.err.kept));
  }
  emulator_ = first_line(ran.out.kept);
  return Done{};
}

Result<Done, sandbox::Error> Guest::start(sandbox::Chambers& outer, Machine machine,
                                          std::chrono::milliseconds patience) {
  sandbox::Scene scene;
  scene.tree = folder_.path_of(kEmpty);
  scene.readable = {folder_.path(), machine.kernel};
  if (machine.accelerator == Accelerator::kvm) scene.devices.emplace_back("/dev/kvm");
  scene.scratch_bytes = 1U << 20U;
  CG_TRY_ASSIGN(outer_, outer.open(scene));
  CG_TRY(ask_version(machine.qemu));

  machine.serial = "stdio,signal=off";
  sandbox::Step step;
  step.name = "microvm";
  step.argv = {"/bin/sh", "-c", std::string(kKennel) + kComplaints, folder_.path_of(kIn),
               folder_.path_of(kLeash)};
  for (std::string& word : command_line(machine)) step.argv.push_back(std::move(word));
  step.folder = "/";
  step.telling = sandbox::Telling::all;
  step.limits.wall = kLongest;
  step.limits.memory = machine.memory + kEmulatorMemory;
  step.limits.output = 1U << 12U;
  step.collect = {kComplaints};
  watcher_ = std::thread([this, step] { watch(step); });
  return wait_for_hello(std::chrono::steady_clock::now() + patience);
}

void Guest::watch(const sandbox::Step& step) {
  ended_ = outer_->run(step, [this](std::string_view bytes) { line_.add(bytes); });
  line_.close();
}

Result<Done, sandbox::Error> Guest::wait_for_hello(Deadline deadline) {
  std::string seen;
  while (!seen.ends_with(kHello)) {
    if (seen.size() > kMaxBeforeHello) {
      return failure(Kind::broken, "the machine said what no kernel of ours says");
    }
    const auto next = line_.take(1, deadline);
    if (!next && next.error() == LineError::closed) return fail(why_gone());
    if (!next) return failure(Kind::broken, "the machine did not start in time");
    seen += *next;
  }
  return Done{};
}

/// Only the emulator's own words, if it had any, tell why.
sandbox::Error Guest::why_gone() {
  end();
  if (!ended_) return {Kind::broken, "the machine is gone"};
  if (!*ended_) return ended_->error();
  const sandbox::Ran& ran = **ended_;
  std::string what = "the machine ended: " + sandbox::describe(ran.ending, {});
  const auto said = ran.collected.find(kComplaints);
  if (said != ran.collected.end() && !said->second.empty()) what += ", " + first_line(said->second);
  return {Kind::broken, what};
}

Result<Done, sandbox::Error> Guest::send(const sandbox::Message& message) {
  const auto bytes = sandbox::write_frame(message);
  if (!bytes || bytes->size() > kMaxFrameIn) {
    return failure(Kind::scene, "a step whose words are too many for the machine");
  }
  for (std::size_t sent = 0; sent < bytes->size();) {
    const ssize_t n = write(in_.get(), bytes->data() + sent, bytes->size() - sent);
    if (n < 0 && errno != EINTR) return setup_failure(os::from_errno(errno, folder_.path_of(kIn)));
    if (n > 0) sent += static_cast<std::size_t>(n);
  }
  return Done{};
}

Result<sandbox::Message, sandbox::Error> Guest::receive(Deadline deadline) {
  const auto refused = [&](LineError error) {
    if (error == LineError::closed) return why_gone();
    return sandbox::Error{Kind::broken, "the machine did not answer in time"};
  };
  const auto start = line_.take(sandbox::kFrameHeader, deadline);
  if (!start) return fail(refused(start.error()));
  const auto header = sandbox::read_header(*start);
  if (!header) return failure(Kind::broken, "the machine said what is no message");
  const auto fields = line_.take(header->size, deadline);
  if (!fields) return fail(refused(fields.error()));
  auto message = sandbox::read_fields(header->kind, *fields);
  if (!message) return failure(Kind::broken, "the machine said what is no message");
  return *std::move(message);
}

void Guest::end() {
  if (!watcher_.joinable()) return;
  line_.abandon();
  // It stays there for a shell that has not looked yet.
  [[maybe_unused]] const ssize_t told = write(leash_.get(), "\n", 1);
  watcher_.join();
}

}  // namespace cg::microvm
