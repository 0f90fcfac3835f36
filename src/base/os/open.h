// open_path(): opening a file by a name, the one way that a sealed program still has.
//
// codegenie gives up open(2) and openat(2) before it reads anything: whatever opens a file
// behind our back then fails in the kernel. What is left is openat2(2), here and in base/os/dir.h.
#pragma once

#include <sys/types.h>

namespace cg::os {

/// As open(2): a descriptor, or -1 and errno. Links are followed unless `flags` say otherwise.
[[nodiscard]] int open_path(const char* path, int flags, mode_t mode = 0);

}  // namespace cg::os
