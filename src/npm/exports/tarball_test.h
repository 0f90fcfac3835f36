// Tarballs of packages as registries serve them, for the tests.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "base/archive/tar.h"
#include "npm/exports/exports.h"

namespace cg::exports::test {

/// As RFC 1952 has it, in one block that is not packed.
inline std::string gzipped(const std::string& bytes) {
  std::uint32_t crc = 0xFFFFFFFFU;
  for (const char c : bytes) {
    crc ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1U ^ ((crc & 1U) != 0 ? 0xEDB88320U : 0U);
  }
  const auto number = [](std::uint32_t value, int size) {
    std::string out;
    for (int i = 0; i < size; ++i) out += static_cast<char>(value >> (8 * i) & 0xFFU);
    return out;
  };
  const auto size = static_cast<std::uint32_t>(bytes.size());
  return std::string("\x1F\x8B\x08\0\0\0\0\0\0\x03\x01", 11) + number(size, 2) + number(~size, 2) +
         bytes + number(~crc, 4) + number(size, 4);
}

inline std::string tarball(const Files& files) {
  archive::TarWriter writer(0);
  for (const auto& [path, text] : files) EXPECT_TRUE(writer.add("package/" + path, text));
  return gzipped(std::move(writer).finish());
}

}  // namespace cg::exports::test
