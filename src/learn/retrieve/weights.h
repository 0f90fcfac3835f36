// Weights: what each way in which a record is like a case counts for, per embedder.
//
// Measured, not guessed: the program of tests/learn prints the sweep that these are from. Integers,
// millionths throughout, so that a score is the same on every machine.
#pragma once

#include <cstdint>
#include <string_view>

namespace cg::retrieve {

using Millionths = std::int32_t;
inline constexpr Millionths kWhole = 1'000'000;

/// Where the bands begin, of a score.
inline constexpr Millionths kHit = 850'000;
inline constexpr Millionths kDegraded = 650'000;

struct Weights {
  std::string_view embedder;  // whose vectors it was measured with; empty: nobody's
  Millionths vector, aliases, package, weakness, breaks, changed;
  /// Sums from which on enough of what was found was the right one; a score is kHit and kDegraded
  /// there, and straight lines between.
  Millionths sum_of_hit, sum_of_degraded;

  [[nodiscard]] bool measured() const { return !embedder.empty(); }
};

/// Of an embedder that nobody measured those of none, which give no more than a degraded hit.
[[nodiscard]] const Weights& weights_of(std::string_view embedder);

/// What a sum is on the scale that has the bands.
[[nodiscard]] Millionths calibrated(const Weights& weights, std::int64_t sum);

}  // namespace cg::retrieve
