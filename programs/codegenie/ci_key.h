// The one key that may come by the environment: CODEGENIE_ANTHROPIC_KEY_CI, with CI=1 and
// ALLOW_CI_ENV_KEY=1 together.
//
// It is taken before anything else of the process is looked at, and wiped where it stood: what
// this process had is then neither in its memory nor in /proc/PID/environ. The bytes live on
// behind a descriptor that goes to the spawner (jail/spawn/host.h), which gives it to codegenie-key
// and to nobody else.
#pragma once

#include <string>
#include <vector>

#include "base/os/fd.h"
#include "flow/cli/config.h"

namespace cg::program {

struct CiKey {
  os::Fd memory;        // open only if the key counts; for spawn::Host::start()
  std::string warning;  // why a variable that was there does not count; else empty
};

/// First thing in main(), with `environ`. The variable is gone afterwards, whatever its value
/// and the two flags are.
[[nodiscard]] CiKey take_ci_key(char** environment);

/// All that codegenie-key is told of our environment: where the stores are. For
/// spawn::Places::key_env.
[[nodiscard]] std::vector<std::string> key_environment(const cli::Environment& environment);

}  // namespace cg::program
