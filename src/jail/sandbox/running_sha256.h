// SHA-256 over bytes as they come.
//
// Our own, because what runs inside (the jail's server, the init of a microVM) starts for
// every chamber and must not load a cryptographic library for it. A test holds it against
// the one that the rest of the program uses.
#pragma once

#include <array>
#include <cstdint>

#include "base/base/bytes.h"
#include "trust/hash/digest.h"

namespace cg::sandbox {

class RunningSha256 {
 public:
  void update(ByteView bytes);
  /// Of everything so far. More may follow.
  [[nodiscard]] hash::Digest digest() const;

 private:
  static constexpr std::size_t kBlock = 64;
  void compress(const Byte* block);

  std::array<std::uint32_t, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<Byte, kBlock> pending_{};
  std::size_t held_ = 0;  // of pending_
  std::uint64_t total_ = 0;
};

}  // namespace cg::sandbox
