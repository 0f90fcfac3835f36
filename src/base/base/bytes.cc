#include "base/base/bytes.h"

#include <algorithm>

namespace cg {

namespace {

constexpr std::string_view kHex = "0123456789abcdef";
constexpr std::string_view kBase64 =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

int base64_digit(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  if (c == '+') return 62;
  if (c == '/') return 63;
  return -1;
}

}  // namespace

ByteView as_bytes(std::string_view text) {
  return {reinterpret_cast<const Byte*>(text.data()), text.size()};
}

std::string_view as_text(ByteView bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string to_hex(ByteView bytes) {
  std::string out;
  out.reserve(bytes.size() * 2);
  for (const Byte b : bytes) {
    out += kHex[b >> 4U];
    out += kHex[b & 15U];
  }
  return out;
}

std::string to_base64(ByteView bytes) {
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t have = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      group = group << 8U | (k < have ? bytes[i + k] : 0U);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      out += k <= have ? kBase64[group >> (18U - 6U * k) & 63U] : '=';
    }
  }
  return out;
}

std::optional<std::string> from_base64(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  std::string out;
  out.reserve(text.size() / 4 * 3);
  for (std::size_t i = 0; i < text.size(); i += 4) {
    const bool last = i + 4 == text.size();
    std::size_t have = 4;
    if (last && text[i + 3] == '=') have = text[i + 2] == '=' ? 2 : 3;
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 4; ++k) {
      const int digit = k < have ? base64_digit(text[i + k]) : 0;
      if (digit < 0) return std::nullopt;
      group = group << 6U | static_cast<std::uint32_t>(digit);
    }
    const std::uint32_t spare = have == 2 ? 0xFFFFU : have == 3 ? 0xFFU : 0U;
    if ((group & spare) != 0) return std::nullopt;
    for (std::size_t k = 0; k + 1 < have; ++k) {
      out += static_cast<char>(group >> (16U - 8U * k) & 0xFFU);
    }
  }
  return out;
}

std::array<Byte, 8> to_le64(std::uint64_t value) {
  std::array<Byte, 8> out{};
  for (Byte& b : out) {
    b = static_cast<Byte>(value & 0xFFU);
    value >>= 8U;
  }
  return out;
}

std::uint64_t from_le64(std::span<const Byte, 8> bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = 8; i-- > 0;) value = value << 8U | bytes[i];
  return value;
}

}  // namespace cg
