#include "npm/semver/identifiers.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <system_error>

#include "npm/semver/scan.h"

namespace cg::semver {
namespace {

constexpr std::string_view kFirstText = "9007199254740991";  // numbers from here on stay text
constexpr std::size_t kExactDigits = 15;                     // any such number is exact as a double

bool same_prerelease_identifier(std::string_view a, std::string_view b) {
  if (a == b) return true;
  return is_small_number(a) && is_small_number(b) && without_zeros(a) == without_zeros(b);
}

bool same_build_identifier(std::string_view a, std::string_view b) { return a == b; }

template <class Same>
int compare_lists(std::string_view a, std::string_view b, Same same) {
  Identifiers::Iterator x(a);
  Identifiers::Iterator y(b);
  for (;; ++x, ++y) {
    const bool x_ended = x == std::default_sentinel;
    const bool y_ended = y == std::default_sentinel;
    if (x_ended || y_ended) return static_cast<int>(y_ended) - static_cast<int>(x_ended);
    if (!same(*x, *y)) return compare_identifiers(*x, *y);
  }
}

int sign(int value) { return static_cast<int>(value > 0) - static_cast<int>(value < 0); }

int compare_numbers(std::string_view a, std::string_view b) {
  a = without_zeros(a);
  b = without_zeros(b);
  if (a.size() <= kExactDigits && b.size() <= kExactDigits) {
    if (a.size() != b.size()) return a.size() < b.size() ? -1 : 1;
    return sign(a.compare(b));
  }
  const double x = to_double(a);
  const double y = to_double(b);
  return static_cast<int>(x > y) - static_cast<int>(x < y);
}

}  // namespace

Identifiers::Iterator& Identifiers::Iterator::operator++() {
  more_ = here_.size() < rest_.size();
  rest_.remove_prefix(std::min(rest_.size(), here_.size() + 1));
  cut();
  return *this;
}

bool is_numeric(std::string_view identifier) {
  return !identifier.empty() && std::all_of(identifier.begin(), identifier.end(), is_digit);
}

std::string_view without_zeros(std::string_view digits) {
  while (digits.size() > 1 && digits.front() == '0') digits.remove_prefix(1);
  return digits;
}

bool is_small_number(std::string_view identifier) {
  if (!is_numeric(identifier)) return false;
  const std::string_view digits = without_zeros(identifier);
  if (digits.size() != kFirstText.size()) return digits.size() < kFirstText.size();
  return digits < kFirstText;
}

double to_double(std::string_view digits) {
  double value = 0;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (read.ec == std::errc::result_out_of_range) return std::numeric_limits<double>::infinity();
  return value;
}

int compare_identifiers(std::string_view a, std::string_view b) {
  const bool a_number = is_numeric(a);
  const bool b_number = is_numeric(b);
  if (a_number && b_number) return compare_numbers(a, b);
  if (a_number != b_number) return a_number ? -1 : 1;
  return sign(a.compare(b));
}

int compare_prereleases(std::string_view a, std::string_view b) {
  return a == b ? 0 : compare_lists(a, b, same_prerelease_identifier);
}

int compare_builds(std::string_view a, std::string_view b) {
  return a == b ? 0 : compare_lists(a, b, same_build_identifier);
}

}  // namespace cg::semver
