// What host and guest agree on beside the frames of jail/sandbox/wire.h.
#pragma once

#include <cstddef>
#include <string_view>

namespace cg::microvm {

/// What codegenie-init writes once the machine is up; frames follow.
inline constexpr std::string_view kHello = "\ncodegenie-init 1\n";

/// The line has no way to say "wait": larger frames might lose bytes on their way in.
inline constexpr std::size_t kMaxFrameIn = 32U << 10U;

/// Where the program that serves packages lies inside.
inline constexpr const char* kShelfProgram = "/usr/lib/codegenie/codegenie-shelf";

}  // namespace cg::microvm
