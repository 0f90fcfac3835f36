// Child processes: a program, its input, and what came of it.
#pragma once

#include <array>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "base/base/result.h"
#include "base/os/error.h"

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

/// A process that was started, whoever started it.
class Launched {
 public:
  virtual ~Launched() = default;
  /// Its whole group, by SIGKILL.
  virtual void kill() = 0;
  /// Waits for its end: a status as of waitpid(2).
  [[nodiscard]] virtual int wait() = 0;
};

/// Starts `command` with these descriptors as 0, 1 and 2, and no other.
using Launch = std::function<Result<std::unique_ptr<Launched>, Error>(const Command& command,
                                                                      const std::array<int, 3>&)>;
/// fork and exec; the child dies with us.
[[nodiscard]] Result<std::unique_ptr<Launched>, Error> launch(const Command& command,
                                                              const std::array<int, 3>& fds);

/// Runs `command` to its end. On a limit the child's whole process group is
/// killed. Nothing of ours is inherited but the three pipes. A process that may not
/// start others has them started: see jail/spawn/host.h.
[[nodiscard]] Result<Ran, Error> run(const Command& command, const Launch& start = launch);

}  // namespace cg::os
