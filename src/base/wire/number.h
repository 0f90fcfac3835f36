// Integers as bytes, of any width up to eight.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace cg::wire {

/// Most significant byte first. At most eight bytes.
[[nodiscard]] std::uint64_t big_endian(std::string_view bytes);
void put_big_endian(std::string& out, std::uint64_t value, std::size_t bytes);

/// Least significant byte first. At most eight bytes.
[[nodiscard]] std::uint64_t little_endian(std::string_view bytes);
void put_little_endian(std::string& out, std::uint64_t value, std::size_t bytes);

}  // namespace cg::wire
