// Ed25519 signatures, by OpenSSL.
#pragma once

#include <array>

#include "base/base/bytes.h"

namespace cg::sign {

using Seed = std::array<Byte, 32>;  // the private key
using PublicKey = std::array<Byte, 32>;
using Signature = std::array<Byte, 64>;

[[nodiscard]] PublicKey public_key(const Seed& seed);
[[nodiscard]] Signature sign(const Seed& seed, ByteView message);
[[nodiscard]] bool verifies(const PublicKey& key, ByteView message, const Signature& signature);

}  // namespace cg::sign
