#include "base/archive/format.h"

#include <cstdlib>

#include "base/base/bytes.h"

namespace cg::archive {

namespace {

constexpr std::size_t kUstarAt = 257;

/// 0x184D2A50 to 5F, little-endian: a frame that zstd readers skip.
bool is_skippable(std::string_view bytes) {
  return bytes.size() >= 4 && (static_cast<Byte>(bytes[0]) & 0xF0U) == 0x50U &&
         bytes.substr(1, 3) == "\x2a\x4d\x18";
}

bool is_json(std::string_view bytes) {
  const std::size_t at = bytes.find_first_not_of(" \t\r\n");
  return at != std::string_view::npos && (bytes[at] == '{' || bytes[at] == '[');
}

}  // namespace

Format detect(std::string_view bytes) {
  if (bytes.starts_with("\x1f\x8b")) return Format::gzip;
  if (bytes.starts_with("\x28\xb5\x2f\xfd") || is_skippable(bytes)) return Format::zstd;
  if (bytes.starts_with("PK\x03\x04") || bytes.starts_with("PK\x05\x06")) return Format::zip;
  if (bytes.size() > kUstarAt && bytes.substr(kUstarAt).starts_with("ustar")) return Format::tar;
  return is_json(bytes) ? Format::json : Format::other;
}

std::string_view name(Format format) {
  switch (format) {
    case Format::gzip:
      return "gzip";
    case Format::zstd:
      return "zstd";
    case Format::zip:
      return "zip";
    case Format::tar:
      return "tar";
    case Format::json:
      return "json";
    case Format::other:
      return "other";
  }
  std::abort();
}

}  // namespace cg::archive
