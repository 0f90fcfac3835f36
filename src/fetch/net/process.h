// The network programs as processes: where they are, how they start and end.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/base/result.h"
#include "base/os/child.h"
#include "base/os/error.h"
#include "base/os/fd.h"
#include "jail/seal/program.h"
#include "jail/spawn/host.h"

namespace cg::net {

using seal::kEndBug;
using seal::kEndDone;
using seal::kEndUnexpected;
using seal::kEndUnsealed;

/// Absolute paths.
struct Programs {
  std::string broker;
  std::string fetch;
};

/// As base/os/own_programs.h finds them.
[[nodiscard]] Result<Programs, os::Error> find_programs();

using spawn::Pair;
/// Made by the spawner, if there is one: a sealed process makes no sockets.
[[nodiscard]] Result<Pair, os::Error> socket_pair();

/// What a program is born with, where it is not our spawner that knows.
struct Birth {
  std::vector<int> fds;            // its descriptors 0, 1 …; /dev/null from there to 3
  std::vector<std::string> words;  // behind its name
  std::vector<std::string> env;    // "NAME=value": all there is
};

/// A running child. It is killed and waited for at the latest in the destructor.
class Process {
 public:
  using End = std::variant<os::Exited, os::Signalled>;

  /// fork and exec, with `parent` and `link` as descriptors 0 and 1 (fetch/net/policies.h),
  /// /dev/null as 2 and 3, no other, and an empty environment.
  [[nodiscard]] static Result<Process, os::Error> start(const std::string& program,
                                                        const os::Fd& parent, const os::Fd& link);
  /// The same by the spawner, if there is one; it knows itself where its programs are, and
  /// `program` is for where there is none.
  [[nodiscard]] static Result<Process, os::Error> start(spawn::Program which,
                                                        const std::string& program,
                                                        const os::Fd& parent, const os::Fd& link);
  /// The same for programs that take more. The spawner has its own idea of `env`.
  [[nodiscard]] static Result<Process, os::Error> start(spawn::Program which,
                                                        const std::string& program,
                                                        const Birth& birth);
  Process(Process&& other) noexcept
      : pid_(std::exchange(other.pid_, -1)), hosted_(std::move(other.hosted_)) {}
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  Process& operator=(Process&&) = delete;
  ~Process();

  [[nodiscard]] pid_t pid() const { return pid_; }
  /// Waits for it to end by itself.
  [[nodiscard]] End wait();
  /// Kills it; one that was ending already keeps its own reason.
  [[nodiscard]] End stop();

 private:
  explicit Process(pid_t pid) : pid_(pid) {}
  [[nodiscard]] static Result<Process, os::Error> fork_and_exec(const std::string& program,
                                                                const Birth& birth);
  pid_t pid_;                           // -1 once waited for
  std::optional<spawn::Child> hosted_;  // none: our own child
};

}  // namespace cg::net
