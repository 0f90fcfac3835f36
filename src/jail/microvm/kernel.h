// Which kernel of this machine's packages a microVM boots, and what it says of itself.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/base/bytes.h"

namespace cg::microvm {

inline constexpr std::size_t kMaxKernel = 256U << 20U;
/// Where the boot header of x86 says "HdrS".
inline constexpr std::size_t kHeaderMagic = 0x202;

/// The best of the names in /boot: "vmlinuz-…-cloud-…" before others, as it holds fewer
/// drivers and boots sooner; then the newest, numbers compared as numbers. Empty: none.
[[nodiscard]] std::string best_kernel(const std::vector<std::string>& names);

/// "6.1.0-54-cloud-amd64" from a kernel in one of the two forms that QEMU boots here
/// (x86's bzImage; of arm64's Image it is not known). Empty: no kernel, or not told.
[[nodiscard]] std::string kernel_release(ByteView kernel);

/// True if the bytes start as a kernel does: bzImage, arm64 Image, or ELF.
[[nodiscard]] bool is_kernel(ByteView kernel);

}  // namespace cg::microvm
