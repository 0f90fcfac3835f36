// SHA-1 as git uses it, to name objects: for names alone, it protects nothing.
//
// Our own for the reason that jail/sandbox/running_sha256.h gives. A test holds it against the
// one that the rest of the program uses.
#pragma once

#include <array>

#include "base/base/bytes.h"

namespace cg::snapshot {

using Id = std::array<Byte, 20>;

[[nodiscard]] Id sha1(ByteView bytes);

}  // namespace cg::snapshot
