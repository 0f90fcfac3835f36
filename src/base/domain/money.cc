#include "base/domain/money.h"

namespace cg {

std::string Money::str() const {
  std::string part = std::to_string(kUnit + nano_ % kUnit).substr(1);
  while (part.size() > 2 && part.back() == '0') part.pop_back();
  return std::to_string(nano_ / kUnit) + "." + part;
}

Money Money::times(std::uint64_t n) const {
  std::uint64_t out = 0;
  const bool over = __builtin_mul_overflow(nano_, n, &out);
  return Money(over || out > kMost ? kMost : out);
}

Money Money::for_some_of_a_million(std::uint64_t n) const {
  constexpr std::uint64_t kMillion = 1'000'000;
  const Money whole = times(n / kMillion);
  // Split once more, so that nothing overflows.
  const std::uint64_t rest = n % kMillion;
  const Money high = Money(nano_ / kMillion).times(rest);
  const std::uint64_t low = (nano_ % kMillion * rest + kMillion - 1) / kMillion;
  return whole + high + Money(low);
}

}  // namespace cg
