// The side of a cell that is inside it: between the clone and the step's own program.
#pragma once

#include <sys/types.h>

#include <array>
#include <string>
#include <vector>

#include "jail/inside/site.h"

namespace cg::inside {

struct OwnTree;

/// What init tells the server: that the payload is ready (with the listener, if there is
/// one), that something could not be set up, or how the payload ended.
struct Packet {
  enum class Kind { failed, ready, ended };
  Kind kind = Kind::failed;
  int code = 0;                  // errno, or the status of the payload
  std::array<char, 32> layer{};  // what failed
  SelfReport report;
};

/// Descriptors of the server's that the cell is to have.
struct Given {
  int control;
  int orders;
  int out;
  int err;
};

[[nodiscard]] pid_t clone_process(unsigned long flags, int* pidfd);
/// Without a process namespace: kills all that descends from this process, a subreaper.
void end_descendants();
/// Waits for a child that is ending.
void reap(pid_t pid);

[[noreturn]] void run_init(const Site& site, const OwnTree* own, const Group* group,
                           const Given& given);
[[noreturn]] void become_sealed(const Site& site, const std::vector<std::string>& argv, int input,
                                int output);

}  // namespace cg::inside
