// The judges of the table of signals. Private to this module.
#pragma once

#include "prove/gate/signal.h"

namespace cg::gate {

void judge_install(const Evidence& evidence, Signal& signal);
void judge_build(const Evidence& evidence, Signal& signal);
void judge_tests(const Evidence& evidence, Signal& signal);
void judge_types(const Evidence& evidence, Signal& signal);
void judge_lock(const Evidence& evidence, Signal& signal);
void judge_advisories(const Evidence& evidence, Signal& signal);
void judge_trace(const Evidence& evidence, Signal& signal);

struct StepRun;
/// What every signal that rests on a step says about it: command, endings, digests, numbers.
/// False if either side did not run it; the signal is missing then, and says so.
[[nodiscard]] bool take_step(const Evidence& evidence, std::string_view step, Signal& signal);

/// Failed, with what the fix's step wrote.
void fail_with_output(const StepRun& fix, Signal& signal);

/// An executed file or a connection without what differs from run to run: random names
/// under /tmp, ports of loopback.
[[nodiscard]] std::string normal_path(std::string_view path);
[[nodiscard]] std::string normal_connection(std::string_view connection);

}  // namespace cg::gate
