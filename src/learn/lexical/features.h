// Features: what of a text counts when it is compared with another by its words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace cg::lexical {

/// How much each kind of feature counts; small whole numbers.
struct Kinds {
  std::int32_t word = 16;   // "parseHeader", and "header" where it stands alone
  std::int32_t part = 8;    // "parse", "header": of camelCase, snake_case, digits apart
  std::int32_t gram = 2;    // four letters in a row, of words that are longer
  std::int32_t common = 1;  // quarters of that, of words that much else has too
};

struct Feature {
  std::uint64_t hash = 0;
  std::int64_t weight = 0;
};

/// Of a text the first kMaxText bytes count, whatever they are; a word ends after kMaxWord.
inline constexpr std::size_t kMaxText = 64U << 10U;
inline constexpr std::size_t kMaxWord = 64;

/// Each once, by its hash; what occurs often weighs more, by the root of how often.
[[nodiscard]] std::vector<Feature> features_of(std::string_view text, const Kinds& kinds);

/// The greatest whole number whose square is not above it.
[[nodiscard]] std::uint64_t root(std::uint64_t square);

}  // namespace cg::lexical
