// Products: of one row of small integers with many, as fast as the machine can.
//
// Integers are the same in every order of adding, so each way gives the same numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace cg::retrieve {

/// A row takes a multiple of this; what is left over is kZero in rows and 0 in a question.
inline constexpr std::size_t kBlock = 64;
/// Rows are stored with this added, which is what the instructions want.
inline constexpr std::uint8_t kZero = 128;

struct Way {
  std::string_view name;  // "avx512vnni", "avx2", "portable"
  /// out[i] = sum of asked[k] * rows[i * width + k], for every i; width is a multiple of kBlock and
  /// at most 2^15.
  void (*products)(const std::int8_t* asked, const std::uint8_t* rows, std::size_t width,
                   std::span<std::int32_t> out);
};

/// Those that this machine can do, the fastest first; "portable" is always the last.
[[nodiscard]] std::vector<Way> ways();

}  // namespace cg::retrieve
