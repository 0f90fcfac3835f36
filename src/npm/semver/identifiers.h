// Dot-separated identifiers of a prerelease or a build: walking and ordering them.
#pragma once

#include <cstddef>
#include <iterator>
#include <string_view>

namespace cg::semver {

/// "alpha.1" as "alpha" and "1", without copying. Empty text has no identifiers.
class Identifiers {
 public:
  class Iterator {
   public:
    using value_type = std::string_view;
    using difference_type = std::ptrdiff_t;
    Iterator() = default;
    explicit Iterator(std::string_view rest) : rest_(rest), more_(!rest.empty()) { cut(); }
    std::string_view operator*() const { return here_; }
    Iterator& operator++();
    void operator++(int) { ++*this; }
    friend bool operator==(const Iterator& it, std::default_sentinel_t) { return !it.more_; }

   private:
    void cut() { here_ = rest_.substr(0, rest_.find('.')); }
    std::string_view rest_;
    std::string_view here_;
    bool more_ = false;
  };

  explicit Identifiers(std::string_view text) : text_(text) {}
  [[nodiscard]] Iterator begin() const { return Iterator(text_); }
  [[nodiscard]] static std::default_sentinel_t end() { return {}; }
  [[nodiscard]] bool empty() const { return text_.empty(); }
  [[nodiscard]] std::string_view text() const { return text_; }

 private:
  std::string_view text_;
};

/// Digits only.
[[nodiscard]] bool is_numeric(std::string_view identifier);
/// Digits that node keeps as a number: below 2^53 - 1. Larger ones stay text.
[[nodiscard]] bool is_small_number(std::string_view identifier);
/// Without leading zeros; "0" stays.
[[nodiscard]] std::string_view without_zeros(std::string_view digits);
/// As JavaScript reads digits: rounded, infinite beyond 1.8e308.
[[nodiscard]] double to_double(std::string_view digits);

/// Numbers before text, numbers by value, text by bytes. Numbers are compared as
/// doubles, as node does, so two long ones may count as equal.
[[nodiscard]] int compare_identifiers(std::string_view a, std::string_view b);

/// The order of two prereleases, neither of them empty. Like node it ends at the
/// first pair that is not the same number or the same text, even where that pair
/// counts as equal (two long numbers that round to one double).
[[nodiscard]] int compare_prereleases(std::string_view a, std::string_view b);
/// Likewise for builds, where "01" and "1" are such a pair.
[[nodiscard]] int compare_builds(std::string_view a, std::string_view b);

}  // namespace cg::semver
