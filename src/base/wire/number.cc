#include "base/wire/number.h"

namespace cg::wire {

std::uint64_t big_endian(std::string_view bytes) {
  std::uint64_t value = 0;
  for (const char c : bytes) value = value << 8U | static_cast<unsigned char>(c);
  return value;
}

void put_big_endian(std::string& out, std::uint64_t value, std::size_t bytes) {
  while (bytes-- > 0) out += static_cast<char>(value >> (8 * bytes) & 0xFFU);
}

std::uint64_t little_endian(std::string_view bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) {
    value = value << 8U | static_cast<unsigned char>(bytes[i]);
  }
  return value;
}

void put_little_endian(std::string& out, std::uint64_t value, std::size_t bytes) {
  for (; bytes > 0; --bytes, value >>= 8U) out += static_cast<char>(value & 0xFFU);
}

}  // namespace cg::wire
