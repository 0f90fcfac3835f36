// What codegenie may still ask of the kernel once it is sealed.
#pragma once

#include "base/base/result.h"
#include "jail/seal/filter.h"

namespace cg::program {

/// Who answers a socket call: the spawner, so that it is noted, or the filter itself where
/// this kernel cannot hand calls over.
enum class SocketCalls { reported, refused };

/// Files by openat2 alone, threads but no processes, memory that is not executable, the
/// sockets it was born with or handed. No socket of any family is made, dialled or listened
/// on; nothing is executed, traced or mounted. All else fails with EPERM.
[[nodiscard]] Result<seal::Filter, seal::Error> program_filter(SocketCalls sockets);

}  // namespace cg::program
