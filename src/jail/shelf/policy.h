// What codegenie-shelf gives up before it reads a byte from anybody.
#pragma once

#include <string>

#include "base/base/result.h"
#include "jail/seal/seal.h"

namespace cg::shelf {

/// How many may be connected at once.
inline constexpr unsigned kMaxConnections = 128;
/// The standard three, the folder, two listeners; each connection has a socket and a file.
inline constexpr unsigned kMaxDescriptors = 8 + 2 * kMaxConnections + 8;

/// The files of `folder` (absolute), to be read; sockets that come in through the listeners
/// it already has. No socket of its own, no connect, no program, no executable memory, no
/// writing of files: anything else ends it.
[[nodiscard]] Result<seal::Policy, seal::Error> shelf_policy(const std::string& folder);

}  // namespace cg::shelf
