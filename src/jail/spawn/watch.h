// The spawner's answer to system calls that a filter hands to it: no, each time, and a note.
#pragma once

#include <cstdint>
#include <optional>

#include "base/os/fd.h"
#include "jail/spawn/protocol.h"

namespace cg::spawn {

/// A call that waits for its answer.
struct WaitingCall {
  std::uint64_t id = 0;
  Refusal call;
};

/// Only its number and registers are looked at, never the memory of who made it.
[[nodiscard]] std::optional<WaitingCall> next_call(const os::Fd& listener);
/// With EPERM.
void refuse(const os::Fd& listener, const WaitingCall& waiting);

}  // namespace cg::spawn
