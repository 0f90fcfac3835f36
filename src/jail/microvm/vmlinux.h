// The kernel proper out of the packed form that it is installed in.
//
// A packed kernel unpacks itself, which takes an emulated processor half a second; QEMU can
// be handed the unpacked one if that has a second entry for it (PVH).
#pragma once

#include <optional>
#include <string>

#include "base/base/bytes.h"

namespace cg::microvm {

/// The ELF file inside a bzImage. Nothing if it is packed otherwise than Debian 12 does
/// (LZ4), damaged, larger than 256 MiB, or lacks that entry: the packed one boots then.
[[nodiscard]] std::optional<std::string> unpack_kernel(ByteView packed);

/// LZ4 as the kernel's build writes it: a magic number, then blocks of at most 8 MiB, each
/// with its packed size before it. Bytes after the last block are passed over if they are
/// fewer than a block's size takes. Nothing if it is damaged or larger than `max`.
[[nodiscard]] std::optional<std::string> unpack_lz4_legacy(ByteView packed, std::size_t max);

}  // namespace cg::microvm
