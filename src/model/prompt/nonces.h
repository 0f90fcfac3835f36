// Sources of nonces: a seed, for an exchange that is recorded or played back, or any source of
// random bytes.
#pragma once

#include <array>
#include <cstdint>

#include "base/base/bytes.h"
#include "model/prompt/fence.h"

namespace cg::prompt {

/// The first 16 bytes of BLAKE3-derive_key("codegenie 2026 fence nonces v1", seed ‖ le64(i)).
/// Who knows the seed knows them all: one for each recording, drawn when it is made.
class SeededNonces final : public NonceSource {
 public:
  explicit SeededNonces(const std::array<Byte, 32>& seed) : seed_(seed) {}
  [[nodiscard]] Nonce next() override;

 private:
  std::array<Byte, 32> seed_;
  std::uint64_t count_ = 0;
};

/// `Random` is os::Random, or whatever else has bytes<N>().
template <class Random>
class RandomNonces final : public NonceSource {
 public:
  explicit RandomNonces(Random& random) : random_(random) {}
  [[nodiscard]] Nonce next() override { return Nonce::from(random_.template bytes<16>()); }

 private:
  Random& random_;
};

}  // namespace cg::prompt
