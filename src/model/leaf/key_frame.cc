#include "model/leaf/key_frame.h"

#include <algorithm>

#include "base/base/assert.h"
#include "base/wire/reader.h"
#include "base/wire/writer.h"

namespace cg::leaf {

namespace {

constexpr std::size_t kMinKey = 16;
constexpr std::size_t kSizeBytes = 2;

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
  wire::Writer<std::uint8_t> writer;
  writer.text(source, kMaxKeySource);
  writer.number(static_cast<std::uint16_t>(key_size));
  return *writer.take();
}

std::optional<std::size_t> key_head_size(char first) {
  const std::size_t source = static_cast<unsigned char>(first);
  if (source == 0 || source > kMaxKeySource) return std::nullopt;
  return 1 + source + kSizeBytes;
}

std::optional<KeyHead> parse_key_head(std::string_view bytes) {
  wire::Reader<std::uint8_t> reader(bytes);
  const std::string_view source = reader.view(kMaxKeySource);
  std::uint16_t key_size = 0;
  reader.number(key_size);
  const bool possible = key_size == 0 || (key_size >= kMinKey && key_size <= kMaxKey);
  if (!reader.is_done() || !possible || !is_key_source(source)) return std::nullopt;
  return KeyHead{std::string(source), key_size};
}

}  // namespace cg::leaf
