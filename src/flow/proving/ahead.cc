// Fixes side by side.
//
// A suite that runs on one processor leaves the others idle. So the first way to fix each group is
// run before its turn, by several threads, each in a room of its own; what they see is kept
// (prove/recall), and when a group's turn comes, prove() recalls it and judges. Nothing else is
// shared: who proposes, who judges and who writes branches does so one after the other, as if
// nothing had been run yet.
#include <condition_variable>
#include <mutex>
#include <thread>

#include "base/base/text.h"
#include "base/base/time.h"
#include "base/os/ports.h"
#include "flow/proving/loading.h"
#include "flow/proving/proving.h"
#include "prove/gate/flaky.h"
#include "prove/gate/run_trial.h"
#include "prove/preflight/preflight.h"

namespace cg::proving {

namespace {

/// Numbers from 0 on, each to one worker, until all are gone or it is too late.
class Queue {
 public:
  Queue(std::size_t size, const std::function<bool()>& is_late) : size_(size), is_late_(is_late) {}

  [[nodiscard]] std::optional<std::size_t> take() {
    const std::lock_guard lock(mutex_);
    if (next_ == size_ || is_late_()) {
      size_ = next_;
      changed_.notify_all();
      return std::nullopt;
    }
    return next_++;
  }
  void finish_one() {
    const std::lock_guard lock(mutex_);
    ++done_;
    changed_.notify_all();
  }
  /// Until all that were taken are finished and no more will be; `at` hears how many are.
  void wait(const std::function<void(std::size_t)>& at) {
    for (std::unique_lock lock(mutex_); done_ < size_; changed_.wait(lock)) at(done_);
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t size_;
  const std::function<bool()>& is_late_;
  std::size_t next_ = 0;
  std::size_t done_ = 0;
};

/// Steps of a trial that is not clean which others beside it may have got in the way of: those that
/// failed, and those whose answers depend on how long something takes.
std::set<std::string> disturbed(const gate::Trial& base, const gate::Trial& fix) {
  std::set<std::string> out = {"load", "tests", "challenge"};
  for (const gate::StepRun& step : fix.steps) {
    const gate::StepRun* before = base.step(step.name);
    if (before != nullptr && before->success && !step.success) out.insert(step.name);
  }
  return out;
}

}  // namespace

Result<Done, Problem> Proving::prove_ahead(const std::vector<Ahead>& fixes, unsigned at_once,
                                           const std::function<bool()>& is_late,
                                           record::Events& events) {
  struct Task {
    const propose::LockPlan* plan;
    const Applied* applied;
    Plan planned;
    const gate::Trial* base;
    Staged::Told told = {};
  };
  std::vector<Task> tasks;
  for (const Ahead& fix : fixes) {
    for (const propose::LockPlan& plan : fix.plans) {
      const std::string& lockfile = situation_.lock(plan.lock).path;
      if (!preflight::why_blocked(obstacles_, lockfile).empty()) continue;
      Plan planned = plan_of(plan, fix.applied);
      CG_TRY_ASSIGN(const Base* base, base_of(plan.lock, planned.checks, events));
      if (!gate::why_unprovable(base->trial, planned.checks).empty()) continue;
      // What is at fault before anything was run is not tested, so there is little to run ahead.
      gate::Loading known = planned.loading;
      CG_TRY(add_faults(known, planned.moved, situation_.lock(plan.lock).graph,
                        fix.applied.after.loaded.locks[plan.lock].graph, *situation_.catalog));
      if (!known.faults.empty()) continue;
      tasks.push_back({&plan, &fix.applied, std::move(planned), &base->trial});
    }
  }
  if (memory_ == nullptr || tasks.size() < 2 || at_once < 2) return Done{};

  Queue queue(tasks.size(), is_late);
  const auto carry_out = [&](Task& task, const std::string& slot) {
    auto staged = stage_fix(*task.plan, *task.applied, task.planned, slot);
    if (!staged) return;  // prove() meets it again, and says so
    staged->setup.base = task.base;
    const auto trial = gate::run_trial(*staged->room, staged->setup, {}, {});
    if (trial && !gate::is_clean(*task.base, *trial)) {
      staged->room->forget(disturbed(*task.base, *trial));
    }
    task.told = std::move(*staged->told);
    for (record::Event& event : staged->room->take_events()) {
      task.told.events.push_back(std::move(event));
    }
    staging_->close(*std::move(staged));
  };
  {
    std::vector<std::jthread> workers;
    const std::size_t count = std::min<std::size_t>(at_once, tasks.size());
    watcher_.head(counted(tasks.size(), "fix", "fixes") + ", " + std::to_string(count) +
                  " at once");
    for (std::size_t i = 0; i < count; ++i) {
      workers.emplace_back([&, slot = "ahead-" + std::to_string(i)] {
        while (const auto number = queue.take()) {
          carry_out(tasks[*number], slot);
          queue.finish_one();
        }
      });
    }
    const Time began = os::SystemClock().now();
    queue.wait([&](std::size_t done) {
      watcher_.busy(std::to_string(done) + " of " + std::to_string(tasks.size()) + " have run" +
                    time_left(done, tasks.size(), os::SystemClock().now().ms - began.ms));
    });
    watcher_.done();
  }
  for (Task& task : tasks) {
    for (std::string& line : task.told.notes) note(std::move(line));
    for (record::Event& event : task.told.events) events.push_back(std::move(event));
  }
  return Done{};
}

}  // namespace cg::proving
