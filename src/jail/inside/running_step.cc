#include "jail/inside/running_step.h"

#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace cg::inside {

namespace {

using sandbox::Error;

using std::chrono::duration_cast;
using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

constexpr milliseconds kGrace{2'000};
constexpr milliseconds kShowEvery{100};
constexpr std::size_t kRead = 64U << 10U;

milliseconds as_ms(const timeval& time) {
  return milliseconds(time.tv_sec * 1000 + time.tv_usec / 1000);
}

}  // namespace

RunningStep::RunningStep(Cell cell, const sandbox::Step& step, sandbox::Link& link)
    : cell_(std::move(cell)),
      step_(step),
      link_(link),
      watch_(std::move(cell_.listener)),
      out_(std::min<std::uint64_t>(step.limits.output, sandbox::kMaxKept)),
      err_(std::min<std::uint64_t>(step.limits.output, sandbox::kMaxKept)),
      started_(Clock::now()),
      next_rung_(started_ + step.limits.wall) {}

RunningStep::~RunningStep() {
  if (over_) return;
  kill_all(cell_);
  wait_for_end();
}

Result<sandbox::Ran, Error> RunningStep::finish() {
  // Whoever opened the chamber was told that the group holds.
  if (cell_.group && !cell_.group->limit(step_.limits.memory, step_.limits.processes)) {
    return fail(Error{Error::Kind::broken, "the limits of the step's cgroup cannot be set"});
  }
  if (!order(cell_, step_)) {
    return fail(Error{Error::Kind::broken, "the step's process ended before it began"});
  }
  cell_.orders = os::Fd();
  while (!over_) CG_TRY(turn());
  ran_.wall = duration_cast<milliseconds>(Clock::now() - started_);
  // Nobody is left who could write; what lies in the pipes is all.
  while (cell_.out.is_open()) take(cell_.out, out_);
  while (cell_.err.is_open()) take(cell_.err, err_);
  ran_.ending = ending();
  ran_.out = std::move(out_).take();
  ran_.err = std::move(err_).take();
  ran_.trace = std::move(watch_).take();
  return std::move(ran_);
}

/// One wait, and whatever it brought.
Result<Done, Error> RunningStep::turn() {
  enum { kOut, kErr, kCalls, kControl, kProcess, kLink, kCount };
  std::array<pollfd, kCount> waited{};
  const std::array<int, kCount> fds{cell_.out.get(),     cell_.err.get(),     watch_.fd(),
                                    cell_.control.get(), cell_.process.get(), link_.fd()};
  for (std::size_t i = 0; i < kCount; ++i) waited[i] = {fds[i], POLLIN, 0};
  if (poll(waited.data(), waited.size(), wait_ms()) < 0 && errno != EINTR) {
    return fail(Error{Error::Kind::broken, "poll"});
  }
  if (waited[kLink].revents != 0) {
    return fail(Error{Error::Kind::broken, "spoken to while a step ran"});
  }
  if ((waited[kCalls].revents & POLLIN) != 0) {
    watch_.look();
  } else if (waited[kCalls].revents != 0) {
    watch_.stop();  // nobody is left to be watched
  }
  if (waited[kOut].revents != 0) take(cell_.out, out_);
  if (waited[kErr].revents != 0) take(cell_.err, err_);
  if (waited[kControl].revents != 0) {
    if (!ended_) ended_ = read_ended(cell_);
    cell_.control = os::Fd();
  }
  if (waited[kProcess].revents != 0) wait_for_end();
  climb(Clock::now());
  return Done{};
}

void RunningStep::take(os::Fd& from, Keeping& into) {
  std::array<char, kRead> buffer;
  const ssize_t n = read(from.get(), buffer.data(), buffer.size());
  if (n < 0 && (errno == EINTR || errno == EAGAIN)) return;
  if (n <= 0) {
    from = os::Fd();
    return;
  }
  const std::string_view bytes(buffer.data(), static_cast<std::size_t>(n));
  into.add(bytes);
  show(bytes);
}

/// The latest few lines, now and then: enough for a live line, whatever the flood.
void RunningStep::show(std::string_view bytes) {
  if (step_.telling == sandbox::Telling::all) {
    for (; !bytes.empty(); bytes.remove_prefix(std::min(sandbox::kMaxTold, bytes.size()))) {
      static_cast<void>(link_.send(sandbox::Told{std::string(bytes.substr(0, sandbox::kMaxTold))}));
    }
    return;
  }
  if (bytes.size() > sandbox::kMaxTold) bytes.remove_prefix(bytes.size() - sandbox::kMaxTold);
  unshown_ += bytes;
  if (unshown_.size() > sandbox::kMaxTold) unshown_.erase(0, unshown_.size() - sandbox::kMaxTold);
  const Time now = Clock::now();
  if (now - shown_ < kShowEvery) return;
  shown_ = now;
  static_cast<void>(link_.send(sandbox::Told{std::move(unshown_)}));
  unshown_.clear();
}

void RunningStep::climb(Time now) {
  if (rung_ == Rung::killed || over_ || now < next_rung_) return;
  if (rung_ == Rung::running) {
    rung_ = Rung::asked;
    if (cell_.control.is_open()) ask_to_end(cell_);
    next_rung_ = now + kGrace;
  } else {
    rung_ = Rung::killed;
    kill_all(cell_);
  }
}

int RunningStep::wait_ms() const {
  if (rung_ == Rung::killed) return -1;
  const auto left = duration_cast<milliseconds>(next_rung_ - Clock::now()).count();
  return static_cast<int>(std::clamp<std::int64_t>(left + 1, 0, 3'600'000));
}

void RunningStep::wait_for_end() {
  if (!ended_ && cell_.control.is_open()) ended_ = read_ended(cell_);
  rusage used{};
  while (wait4(cell_.pid, &init_status_, 0, &used) < 0 && errno == EINTR) {
  }
  over_ = true;
  ran_.cpu = as_ms(used.ru_utime) + as_ms(used.ru_stime);
  ran_.peak_memory = static_cast<std::uint64_t>(used.ru_maxrss) * 1024;
  if (!cell_.group) return;
  out_of_memory_ = cell_.group->ran_out_of_memory();
  ran_.peak_memory = std::max(ran_.peak_memory, cell_.group->peak_memory());
  cell_.group.reset();
}

sandbox::Ending RunningStep::ending() const {
  if (rung_ != Rung::running) return sandbox::Capped{sandbox::Cap::wall};
  if (out_of_memory_) return sandbox::Capped{sandbox::Cap::memory};
  const int status = ended_ ? ended_->status : init_status_;
  if (WIFEXITED(status)) return sandbox::Exited{WEXITSTATUS(status)};
  return sandbox::Signalled{WTERMSIG(status)};
}

}  // namespace cg::inside
