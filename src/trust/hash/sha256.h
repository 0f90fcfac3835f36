// SHA-256, by OpenSSL.
#pragma once

#include "trust/hash/digest.h"

namespace cg::hash {

[[nodiscard]] Digest sha256(ByteView bytes);
/// SHA-256 of the pieces one after the other.
[[nodiscard]] Digest sha256(ByteView first, ByteView second, ByteView third = {});

}  // namespace cg::hash
