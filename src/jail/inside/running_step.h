// A step that runs: its output read, its calls watched, its time counted.
#pragma once

#include <chrono>
#include <optional>

#include "base/base/result.h"
#include "jail/inside/cell.h"
#include "jail/inside/keeping.h"
#include "jail/inside/trace.h"
#include "jail/sandbox/link.h"

namespace cg::inside {

class RunningStep {
 public:
  RunningStep(Cell cell, const sandbox::Step& step, sandbox::Link& link);
  RunningStep(const RunningStep&) = delete;
  RunningStep& operator=(const RunningStep&) = delete;
  ~RunningStep();

  /// Runs it to its end. `broken`: the other side of the link is gone or spoke.
  [[nodiscard]] Result<sandbox::Ran, sandbox::Error> finish();

 private:
  using Time = std::chrono::steady_clock::time_point;

  [[nodiscard]] Result<Done, sandbox::Error> turn();
  void take(os::Fd& from, Keeping& into);
  void show(std::string_view bytes);
  void climb(Time now);
  [[nodiscard]] int wait_ms() const;
  void wait_for_end();
  [[nodiscard]] sandbox::Ending ending() const;

  Cell cell_;
  sandbox::Step step_;
  sandbox::Link& link_;
  Watch watch_;
  Keeping out_;
  Keeping err_;
  Time started_;
  Time next_rung_;
  enum class Rung { running, asked, killed } rung_ = Rung::running;
  Time shown_{};
  std::string unshown_;
  bool over_ = false;  // init has ended
  std::optional<Ended> ended_;
  int init_status_ = 0;
  bool out_of_memory_ = false;
  sandbox::Ran ran_;
};

}  // namespace cg::inside
