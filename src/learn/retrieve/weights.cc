#include "learn/retrieve/weights.h"

#include <algorithm>
#include <array>

namespace cg::retrieve {

namespace {

// The first is for all embedders that nobody measured. Of advisories that are shared nothing could
// be measured: two records that share one are mostly of one package, which counts by itself.
constexpr std::array<Weights, 2> kTable = {{
    // embedder, vector, aliases, package, weakness, breaks, changed, sum of hit, of degraded
    {"", 600'000, 50'000, 100'000, 50'000, 50'000, 150'000, 780'000, 585'000},
    {"codegenie-lexical-1", 600'000, 50'000, 100'000, 50'000, 50'000, 150'000, 780'000, 585'000},
}};

std::int64_t between(std::int64_t x, std::int64_t from, std::int64_t to, std::int64_t low,
                     std::int64_t high) {
  return low + (x - from) * (high - low) / std::max<std::int64_t>(to - from, 1);
}

}  // namespace

const Weights& weights_of(std::string_view embedder) {
  const auto found = std::find_if(kTable.begin() + 1, kTable.end(),
                                  [&](const Weights& row) { return row.embedder == embedder; });
  return found == kTable.end() ? kTable.front() : *found;
}

Millionths calibrated(const Weights& weights, std::int64_t sum) {
  sum = std::clamp<std::int64_t>(sum, 0, kWhole);
  const std::int64_t degraded = weights.sum_of_degraded;
  const std::int64_t hit = weights.sum_of_hit;
  std::int64_t out = 0;
  if (sum < degraded) {
    out = std::min<std::int64_t>(between(sum, 0, degraded, 0, kDegraded), kDegraded - 1);
  } else if (sum < hit) {
    out = std::min<std::int64_t>(between(sum, degraded, hit, kDegraded, kHit), kHit - 1);
  } else {
    out = between(sum, hit, kWhole, kHit, kWhole);
  }
  return static_cast<Millionths>(out);
}

}  // namespace cg::retrieve
