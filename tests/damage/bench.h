// A workspace to damage, and the real program to judge it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/os/ports.h"
#include "support/support.h"
#include "trust/audit/log.h"

namespace cg::damage {

class FakeClock final : public os::Clock {
 public:
  explicit FakeClock(Time start) : time(start) {}
  Time now() override { return time; }
  Time time;
};

/// A workspace made by `codegenie init`, with a guard of its own. Everything the
/// program says goes through run(), with an environment that knows only this bench.
class Bench {
 public:
  Bench();

  [[nodiscard]] test::Ran run(const std::vector<std::string>& args) const;
  /// Runs `args` with another workspace and, if not empty, another guard folder.
  [[nodiscard]] test::Ran run_at(const std::string& home, const std::string& state,
                                 const std::vector<std::string>& args) const;
  /// Adds `n` remarks, each its own append, with a checkpoint after the last.
  void add_notes(int n) const;
  /// Expects integrity to hold.
  void expect_intact() const;
  /// Expects `audit verify` to exit with 4 and to say `code` and `words`.
  void expect_found(const std::string& code, const std::string& words) const;

  [[nodiscard]] std::string home() const { return scratch_ / "home"; }
  [[nodiscard]] std::string state() const { return scratch_ / "state"; }
  [[nodiscard]] std::string guard() const { return state() + "/codegenie-guard"; }
  [[nodiscard]] std::string path(const std::string& name) const { return home() + "/" + name; }
  [[nodiscard]] std::string append_file() const { return path("events/spanning/append.jsonl.zst"); }
  [[nodiscard]] const test::ScratchDir& scratch() const { return scratch_; }

  /// The lines of the open file, and the file with other lines in it.
  [[nodiscard]] std::vector<std::string> lines() const;
  void set_lines(const std::vector<std::string>& lines) const;

  /// A writer in this process, with a clock and a guard of the caller's choosing.
  [[nodiscard]] audit::Log open(os::Clock& clock, const std::string& guard_dir) const;

 private:
  test::ScratchDir scratch_;
};

/// Copies a folder with everything in it, over what is there.
void copy(const std::string& from, const std::string& to);

}  // namespace cg::damage
