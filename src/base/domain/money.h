// Money: USD in decimals. An integer of nano-dollars, so that nothing is ever rounded by a
// binary fraction, and arithmetic that stops at the most there is rather than wrap.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/base/assert.h"

namespace cg {

class Money {
 public:
  constexpr Money() = default;  // nothing

  /// "1.50", "0.000003": digits without a leading zero, then at most nine decimals. No sign,
  /// no exponent, no spaces; at most what most() is.
  [[nodiscard]] static constexpr std::optional<Money> parse(std::string_view text);
  /// For constants in the code.
  [[nodiscard]] static constexpr Money parse_or_die(std::string_view text) {
    const std::optional<Money> money = parse(text);
    CG_ASSERT(money.has_value());
    return *money;
  }
  /// 1,000,000,000 USD. A sum that would be more is this: too much for any cap below it.
  [[nodiscard]] static constexpr Money most() { return Money(kMost); }

  /// As short as it can be with two decimals or more; parse() takes it back.
  [[nodiscard]] std::string str() const;

  friend constexpr Money operator+(Money a, Money b) {
    return Money(a.nano_ > kMost - b.nano_ ? kMost : a.nano_ + b.nano_);
  }
  /// `n` times as much.
  [[nodiscard]] Money times(std::uint64_t n) const;
  /// The price of `n` where this is the price of a million, rounded up to the next nano-dollar.
  [[nodiscard]] Money for_some_of_a_million(std::uint64_t n) const;

  friend constexpr auto operator<=>(Money, Money) = default;

 private:
  static constexpr std::uint64_t kUnit = 1'000'000'000;
  static constexpr std::uint64_t kMost = 1'000'000'000 * kUnit;
  static constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
  explicit constexpr Money(std::uint64_t nano) : nano_(nano) {}

  std::uint64_t nano_ = 0;  // kMost at most
};

/// What a model costs, in USD for a million tokens.
struct Price {
  std::string model;
  Money input, output, cache_write, cache_read;
  friend bool operator==(const Price&, const Price&) = default;
};

// --- implementation ---

constexpr std::optional<Money> Money::parse(std::string_view text) {
  const std::size_t dot = text.find('.');
  const std::string_view whole = text.substr(0, dot);
  const std::string_view part = dot == text.npos ? "0" : text.substr(dot + 1);
  const bool leads_with_zero = whole.size() > 1 && whole.front() == '0';
  if (whole.empty() || whole.size() > 10 || leads_with_zero) return std::nullopt;
  if (part.empty() || part.size() > 9) return std::nullopt;
  std::uint64_t nano = 0;
  for (std::size_t i = 0; i < whole.size() + 9; ++i) {
    const std::size_t after = i - whole.size();  // meant only behind the point
    const char c = i < whole.size() ? whole[i] : after < part.size() ? part[after] : '0';
    if (!is_digit(c)) return std::nullopt;
    nano = nano * 10 + static_cast<std::uint64_t>(c - '0');
  }
  if (nano > kMost) return std::nullopt;
  return Money(nano);
}

}  // namespace cg
