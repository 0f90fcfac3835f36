#include "model/leaf/key_frame.h"

#include <algorithm>

#include "base/base/assert.h"

namespace cg::leaf {

namespace {

constexpr std::size_t kMinKey = 16;
constexpr std::size_t kSizeBytes = 2;

unsigned octet(char c) { return static_cast<unsigned char>(c); }

bool is_source_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

}  // namespace

bool is_key(std::string_view bytes) {
  return bytes.size() >= kMinKey && bytes.size() <= kMaxKey &&
         std::all_of(bytes.begin(), bytes.end(), [](char c) { return c > ' ' && c < '\x7f'; });
}

bool is_key_source(std::string_view text) {
  return !text.empty() && text.size() <= kMaxKeySource &&
         std::all_of(text.begin(), text.end(), is_source_char);
}

std::string write_key_head(std::string_view source, std::size_t key_size) {
  CG_ASSERT(is_key_source(source));
  CG_ASSERT(key_size <= kMaxKey);
  std::string out(1, static_cast<char>(source.size()));
  out += source;
  out += static_cast<char>(key_size >> 8U);
  out += static_cast<char>(key_size & 0xffU);
  return out;
}

std::optional<std::size_t> key_head_size(char first) {
  const std::size_t source = octet(first);
  if (source == 0 || source > kMaxKeySource) return std::nullopt;
  return 1 + source + kSizeBytes;
}

std::optional<KeyHead> parse_key_head(std::string_view bytes) {
  if (bytes.empty()) return std::nullopt;
  const auto size = key_head_size(bytes[0]);
  if (!size || bytes.size() != *size) return std::nullopt;
  const std::string_view source = bytes.substr(1, bytes.size() - 1 - kSizeBytes);
  const std::size_t key_size = octet(bytes[bytes.size() - 2]) << 8U | octet(bytes.back());
  const bool possible = key_size == 0 || (key_size >= kMinKey && key_size <= kMaxKey);
  if (!possible || !is_key_source(source)) return std::nullopt;
  return KeyHead{std::string(source), key_size};
}

}  // namespace cg::leaf
