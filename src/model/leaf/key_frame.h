// The key on its way: codegenie-key writes one frame to its descriptor 2, codegenie-leaf reads
// it from its own. Once both run nobody else holds either end.
//
//   n        1 byte, 1 to 32
//   source   n bytes of [a-z0-9_-]: the store that had it, or, where size is 0, why there is none
//   size     2 bytes, big-endian, at most 1024
//   key      `size` bytes, written and read apart from the rest: straight from and into memory
//            that is wiped
//
// After it comes the end. Nothing else is written there, whatever goes wrong.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace cg::leaf {

inline constexpr std::size_t kMaxKeySource = 32;
inline constexpr std::size_t kMaxKey = 1024;
/// The most bytes before the key.
inline constexpr std::size_t kMaxKeyHead = 1 + kMaxKeySource + 2;

/// Why there is no key, as `source` of a frame without one.
inline constexpr std::string_view kKeyLocked = "locked";        // the store is there and closed
inline constexpr std::string_view kKeyEmpty = "empty";          // open, and has none of ours
inline constexpr std::string_view kKeyMissing = "missing";      // no store on this machine
inline constexpr std::string_view kKeyMalformed = "malformed";  // what it has is no key
inline constexpr std::string_view kKeyRefused = "refused";      // the flags for CI are not set

struct KeyHead {
  std::string source;
  std::size_t key_size = 0;  // 0: none, and `source` is the reason
};

/// What can be a key: 16 to kMaxKey printable ASCII characters without a space, since it
/// becomes a header value.
[[nodiscard]] bool is_key(std::string_view bytes);
[[nodiscard]] bool is_key_source(std::string_view text);

/// The bytes before the key. A source or size that cannot be is our own mistake.
[[nodiscard]] std::string write_key_head(std::string_view source, std::size_t key_size);

/// How many bytes the head has, by its first; none if there is no such head.
[[nodiscard]] std::optional<std::size_t> key_head_size(char first);
/// `bytes` is exactly a head.
[[nodiscard]] std::optional<KeyHead> parse_key_head(std::string_view bytes);

}  // namespace cg::leaf
