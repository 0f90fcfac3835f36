// SHA-1 and SHA-512 in pieces, by OpenSSL: what package registries name bytes by.
//
// SHA-1 is here because old lockfiles have nothing else. It tells a damaged file from a
// whole one; it does not stop whoever can afford a collision.
#pragma once

#include <array>
#include <memory>

#include "trust/hash/digest.h"

namespace cg::hash {

using Digest1 = std::array<Byte, 20>;
using Digest224 = std::array<Byte, 28>;
using Digest384 = std::array<Byte, 48>;
using Digest512 = std::array<Byte, 64>;

enum class Algorithm { sha1, sha256, sha384, sha512 };  // weakest first
/// "sha512"
[[nodiscard]] std::string_view name(Algorithm algorithm);
/// Bytes of a digest.
[[nodiscard]] std::size_t size_of(Algorithm algorithm);

[[nodiscard]] Digest1 sha1(ByteView bytes);
[[nodiscard]] Digest512 sha512(ByteView bytes);
/// No lockfile has it; `packageManager` in manifests does.
[[nodiscard]] Digest224 sha224(ByteView bytes);

/// Any of them, piece by piece.
class Sha {
 public:
  explicit Sha(Algorithm algorithm);
  Sha(Sha&&) noexcept;
  Sha& operator=(Sha&&) noexcept;
  ~Sha();

  Sha& update(ByteView bytes);
  /// size_of() bytes. Once: nothing can be added after it.
  [[nodiscard]] std::string finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace cg::hash
