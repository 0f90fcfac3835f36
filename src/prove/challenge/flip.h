// Flips: assertions of a test file that can be made wrong.
//
// Whoever is tested runs in the same process as who tests, and can answer for it. So a suite is
// also run with assertions that must fail (challenge.h). One that was made wrong stands where it
// stood, in a file that has its old name, time and shape: nobody can tell it from the others who
// does not know the file by heart.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "npm/syntax/language.h"

namespace cg::challenge {

/// Bytes of a file and what takes their place.
struct Flip {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string with;
  std::string kind = {};      // which assertion: "deepEqual", "toThrow"
  std::size_t test = kLoose;  // the test that it is in, by where that begins
  static constexpr std::size_t kLoose = ~std::size_t{0};  // in none that can be seen
  friend bool operator==(const Flip&, const Flip&) = default;
};

/// Each assertion that can be made wrong, in one way that `draw` chooses where there are several:
/// another expected value (`equal(x, 3)` -> `equal(x, 73)`), the opposite
/// (`expect(x).not.toBe(y)`, `assert(!(x))`), or something that does not throw where it has to. In
/// the order of the text. What does not parse has none. Assertions of node, chai, jest, vitest,
/// ava and tap; whether one is ever reached only a run can tell.
[[nodiscard]] std::vector<Flip> flips_of(std::string_view text, syntax::Language language,
                                         std::uint64_t draw);

/// Several at once; of two that overlap the first is left out.
[[nodiscard]] std::string applied(std::string_view text, std::vector<Flip> flips);

}  // namespace cg::challenge
