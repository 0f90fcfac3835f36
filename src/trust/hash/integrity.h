// Integrity: which bytes a lockfile means, as subresource integrity writes it.
//
//   sha512-BASE64 sha1-BASE64?option …
//
// Read as npm reads it: algorithms that are not known do not count, of the others the
// strongest decides, and any of its digests will do. One that cannot be decoded is still
// one of its algorithm: it matches nothing, rather than let a weaker one decide.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "trust/hash/sha.h"

namespace cg::hash {

inline constexpr std::size_t kMaxIntegrityBytes = 4096;

class Integrity {
 public:
  /// Nothing if no known algorithm is named, or the text is beyond all use.
  [[nodiscard]] static std::optional<Integrity> parse(std::string_view text);
  /// From 40 digits, as dist.shasum has them, in lower case.
  [[nodiscard]] static std::optional<Integrity> of_sha1_hex(std::string_view hex);

  [[nodiscard]] Algorithm algorithm() const { return algorithm_; }
  /// Raw bytes: those of the strongest algorithm that can be decoded; may be empty.
  [[nodiscard]] const std::vector<std::string>& digests() const { return digests_; }
  /// `digest` is of algorithm().
  [[nodiscard]] bool accepts(std::string_view digest) const;
  [[nodiscard]] bool matches(ByteView bytes) const;
  /// The strongest alone: "sha512-BASE64 sha512-BASE64".
  [[nodiscard]] std::string str() const;

  friend bool operator==(const Integrity&, const Integrity&) = default;

 private:
  Integrity(Algorithm algorithm, std::vector<std::string> digests)
      : algorithm_(algorithm), digests_(std::move(digests)) {}
  Algorithm algorithm_;
  std::vector<std::string> digests_;
};

}  // namespace cg::hash
