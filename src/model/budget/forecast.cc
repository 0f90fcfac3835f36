#include "model/budget/forecast.h"

#include <algorithm>

namespace cg::budget {

Forecast forecast(std::uint64_t calls, std::uint64_t max_output, const Caps& caps,
                  const Price& price) {
  const Call largest = most_for(most_bytes(caps.tokens_per_call, max_output), max_output, price);
  const std::uint64_t made = std::min(calls, kMaxCalls);
  return {calls, std::min(made * std::min(largest.reserved_tokens, kMostTokens), caps.tokens),
          std::min(largest.reserved_usd.times(made), caps.usd)};
}

}  // namespace cg::budget
