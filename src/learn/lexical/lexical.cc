#include "learn/lexical/lexical.h"

#include <algorithm>

#include "base/base/assert.h"

// Bounds: a text has at most 2^16 features that weigh at most 2^8 * 2^8 * 16 each, so a place is
// below 2^36; it is scaled to about 2^20 before it is squared.

namespace cg::lexical {

namespace {

constexpr std::int64_t kUnit = std::int64_t{1} << 20U;

/// The places are scaled first, so that squares and their sum fit and the root is not a coarse one.
std::uint64_t length_of(std::vector<std::int64_t>& places) {
  std::int64_t most = 0;
  for (const std::int64_t x : places) most = std::max(most, x < 0 ? -x : x);
  std::int64_t divisor = 1;
  while (most / divisor > kUnit) divisor *= 2;
  std::int64_t factor = 1;
  while (most != 0 && most * factor * 2 <= kUnit) factor *= 2;
  std::uint64_t square = 0;
  for (std::int64_t& x : places) {
    x = x * factor / divisor;
    square += static_cast<std::uint64_t>(x * x);
  }
  return root(square);
}

std::vector<std::int64_t> places_of(std::string_view text, const Rules& rules) {
  std::vector<std::int64_t> out(rules.dims, 0);
  for (const Feature& feature : features_of(text, rules.kinds)) {
    const auto place = static_cast<std::size_t>((feature.hash >> 1U) % rules.dims);
    out[place] += (feature.hash & 1U) == 0 ? feature.weight : -feature.weight;
  }
  return out;
}

std::vector<float> of_length_one(std::vector<std::int64_t> places) {
  const std::uint64_t length = length_of(places);
  std::vector<float> out(places.size(), 0.0F);
  if (length == 0) return out;
  for (std::size_t i = 0; i < places.size(); ++i) {
    out[i] = static_cast<float>(static_cast<double>(places[i]) / static_cast<double>(length));
  }
  return out;
}

}  // namespace

std::vector<float> embed(const example::Aspects& aspects, const Rules& rules) {
  CG_ASSERT(rules.dims > 0);
  std::vector<std::int64_t> sum(rules.dims, 0);
  const auto add = [&](std::string_view text, std::int32_t weight) {
    std::vector<std::int64_t> places = places_of(text, rules);
    const auto length = static_cast<std::int64_t>(length_of(places));
    if (length == 0) return;
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += places[i] * kUnit / length * weight;
  };
  add(aspects.summary, rules.summary);
  add(aspects.difference, rules.difference);
  add(aspects.usage, rules.usage);
  return of_length_one(std::move(sum));
}

}  // namespace cg::lexical
