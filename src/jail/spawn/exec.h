// How the spawner starts one program, and what it can tell of this kernel.
#pragma once

#include <sys/types.h>

#include <vector>

#include "base/os/fd.h"
#include "jail/spawn/places.h"
#include "jail/spawn/protocol.h"

namespace cg::spawn {

struct Started {
  pid_t pid = 0;
  int error = 0;  // errno; then there is no process
};

/// fork and exec with `fds` as 0, 1 … and no other: a group of its own, dead when the
/// spawner is. A number of descriptors that the program does not take is EINVAL.
[[nodiscard]] Started execute(const Request& request, const std::vector<os::Fd>& fds,
                              const Places& places);

/// By trying, in a child where trying changes something.
[[nodiscard]] KernelGrants probe();

}  // namespace cg::spawn
