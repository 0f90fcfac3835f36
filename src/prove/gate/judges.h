// The judges of a fix, one for each signal, and the table of all of them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "prove/gate/checks.h"
#include "prove/gate/signal.h"

namespace cg::gate {

struct Comparison;
struct StepRun;
struct Trial;

/// All that a judge may look at.
struct Evidence {
  const Trial& base;
  const Trial& fix;
  const Comparison& comparison;
};

/// A row is all it takes to add a signal.
struct SignalRow {
  std::string_view name;
  std::string_view says;                           // "the packages of the lock can be installed"
  bool (*is_needed)(const Checks&);                // false: absent, and Checks says why
  void (*judge)(const Evidence&, Signal& signal);  // sets state, numbers and reasons
};
[[nodiscard]] const std::vector<SignalRow>& signal_table();

/// All rows, in the order of the table.
[[nodiscard]] std::vector<Signal> all_signals(const Evidence& evidence);

/// The same where only the base was run: what needs no run is judged, all else that is needed is
/// missing, with what the base showed.
[[nodiscard]] std::vector<Signal> signals_at_base(const Trial& base, const Comparison& comparison);
/// Whether the signal is a matter of locks and advisories alone.
[[nodiscard]] bool needs_no_run(std::string_view signal);

// --- private to this module ---

void judge_install(const Evidence& evidence, Signal& signal);
void judge_load(const Evidence& evidence, Signal& signal);
void judge_build(const Evidence& evidence, Signal& signal);
void judge_tests(const Evidence& evidence, Signal& signal);
void judge_types(const Evidence& evidence, Signal& signal);
void judge_lock(const Evidence& evidence, Signal& signal);
void judge_advisories(const Evidence& evidence, Signal& signal);
void judge_trace(const Evidence& evidence, Signal& signal);

/// What every signal that rests on a step says about it: command, endings, digests, numbers.
/// False if either side did not run it; the signal is missing then, and says so.
[[nodiscard]] bool take_step(const Evidence& evidence, std::string_view step, Signal& signal);

/// Failed, with what the fix's step wrote.
void fail_with_output(const StepRun& fix, Signal& signal);

/// An executed file or a connection without what differs from run to run: random names
/// under /tmp, versions of packages, ports of loopback.
[[nodiscard]] std::string normal_path(std::string_view path);
/// The same for a command line or a text for a shell.
[[nodiscard]] std::string normal_text(std::string_view text);
[[nodiscard]] std::string normal_connection(std::string_view connection);

}  // namespace cg::gate
