// BLAKE3, by the official C implementation.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "trust/hash/digest.h"

namespace cg::hash {

[[nodiscard]] Digest blake3(ByteView bytes);

/// "blake3:…", as results and evidence give it.
[[nodiscard]] std::string blake3_name(const Digest& digest);

/// Hashes in pieces. A context string makes values of one use worthless for
/// another (BLAKE3's derive_key mode).
class Blake3 {
 public:
  Blake3();
  explicit Blake3(std::string_view context);
  Blake3(const Blake3&);
  Blake3& operator=(const Blake3&);
  Blake3(Blake3&&) noexcept;
  Blake3& operator=(Blake3&&) noexcept;
  ~Blake3();

  Blake3& update(ByteView bytes);
  [[nodiscard]] Digest finish() const;

 private:
  friend class ChainHash;
  struct State;
  std::unique_ptr<State> state_;
};

/// H(context; a ‖ le64(|b|) ‖ b), the step of a hash chain, without allocation.
/// Prepared once per context, because deriving the key costs as much as hashing.
class ChainHash {
 public:
  explicit ChainHash(std::string_view context);
  [[nodiscard]] Digest next(const Digest& head, ByteView bytes) const;

 private:
  Blake3 start_;
};

}  // namespace cg::hash
