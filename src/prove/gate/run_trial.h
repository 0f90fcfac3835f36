// A trial as it is run, step by step, in a chamber.
#pragma once

#include "prove/gate/trial.h"

namespace cg::gate {

/// What every step has: HOME, PATH, CI, no colours, npm's chatter off. "NAME=value".
[[nodiscard]] std::vector<std::string> plain_environment(const Setup& setup);

/// Install, type check, build, load, tests, in this order. After a failed install nothing else is
/// run; but for what Setup::base says, the others do not wait for each other, so that one look
/// shows all that is wrong. Each of them gets a tree of its own as the install left it; loading and
/// tests also find what the build made. An error is the chamber's: nothing was shown then, good or
/// bad.
[[nodiscard]] Result<Trial, sandbox::Error> run_trial(sandbox::Chamber& chamber, const Setup& setup,
                                                      const OnProgress& on_progress,
                                                      const sandbox::OnOutput& on_output);

/// The tests once more, in a chamber where run_trial() went before: for those that fail now and
/// then. `number` from 1.
[[nodiscard]] Result<runners::TestRun, sandbox::Error> run_tests_again(
    sandbox::Chamber& chamber, const Setup& setup, unsigned number, const OnProgress& on_progress,
    const sandbox::OnOutput& on_output);

}  // namespace cg::gate
