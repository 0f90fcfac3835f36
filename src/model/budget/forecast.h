// Forecast: what calls may take and cost at most, before any is made. The same arithmetic as the
// ledger's.
#pragma once

#include <cstdint>

#include "model/budget/budget.h"

namespace cg::budget {

/// Of so many calls, each as large as the caps let it be; no more than the caps let all be.
struct Forecast {
  std::uint64_t calls = 0;
  std::uint64_t tokens = 0;
  Money usd;
  friend bool operator==(const Forecast&, const Forecast&) = default;
};
[[nodiscard]] Forecast forecast(std::uint64_t calls, std::uint64_t max_output, const Caps& caps,
                                const Price& price);

}  // namespace cg::budget
