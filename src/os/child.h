// Child processes: a program, its input, and what came of it.
#pragma once

#include <chrono>
#include <string>
#include <variant>
#include <vector>

#include "base/result.h"
#include "os/error.h"

namespace cg::os {

/// What to run. `argv[0]` is an absolute path: nothing is searched for. The
/// environment is exactly `env` ("NAME=value"), not ours.
struct Command {
  std::vector<std::string> argv;
  std::vector<std::string> env;
  std::string input;
  std::chrono::milliseconds limit{10'000};
  std::size_t max_output = 1 << 20;
};

struct Exited {
  int code;
};
struct Signalled {
  int signal;
};
struct TimedOut {};
struct TooMuchOutput {};

/// How it ended. "Could not be started" is an Error, never one of these.
using Ending = std::variant<Exited, Signalled, TimedOut, TooMuchOutput>;

struct Ran {
  Ending ending;
  std::string out;
  std::string err;
};

/// Runs `command` to its end. On a limit the child's whole process group is
/// killed. Nothing of ours is inherited but the three pipes.
[[nodiscard]] Result<Ran, Error> run(const Command& command);

}  // namespace cg::os
