// Walks through an automaton, from many places of a text.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "model/canary/starts.h"

namespace cg::canary {

inline constexpr std::size_t kLongest = 192;  // bytes of a match

/// Where an automaton comes to that is started at `at`.
inline Starts::State walk(const Starts& starts, std::string_view text, std::size_t at) {
  const std::size_t end = std::min(text.size(), at + kLongest);
  Starts::State state = Starts::kStart;
  for (std::size_t i = at; i < end && state > Starts::kMaybe; ++i)
    state = starts.next(state, text[i]);
  return state;
}

/// An automaton walked from many places of a text. Two walks that come to the same state at the
/// same place go on alike, so the second takes over where the first ended: a text of words that
/// could all go on for ever costs a walk, not one from each word.
class Walker {
 public:
  explicit Walker(const Starts& starts) : starts_(&starts) {}

  /// Whether a match may start at `at`; the places of one text in order.
  [[nodiscard]] bool may_start(std::string_view text, std::size_t at) {
    const std::size_t end = std::min(text.size(), at + kLongest);
    const auto own = static_cast<std::uint16_t>(walks_++ % kKept);
    Front front{static_cast<std::uint32_t>(at), Starts::kStart};
    heirs_[own] = own;
    while (front.at < end && front.state > Starts::kMaybe) {
      if (class_of(text[front.at]) == kGapClass) {
        if (const Mark* const mark = mark_at(front)) {
          front = taken_over(mark->walk, own);
          continue;
        }
        marks_[front.at % kKept][own % kWays] = {front.at, front.state, own};
      }
      front.state = starts_->next(front.state, text[front.at]);
      ++front.at;
    }
    fronts_[own] = front;
    return front.state == Starts::kMaybe;
  }

 private:
  static constexpr std::size_t kKept = 256;
  static_assert(kKept > kLongest);         // a mark ahead of a walk is of one of the last kLongest
  static constexpr std::size_t kWays = 2;  // of marks at a place
  struct Front {
    std::uint32_t at = 0;
    Starts::State state = Starts::kNo;
  };
  struct Mark {
    std::uint32_t at = UINT32_MAX;
    Starts::State state = Starts::kNo;
    std::uint16_t walk = 0;
  };
  /// Where `walk` ended, or what took it over. An heir is always newer, so it is never one that has
  /// been forgotten; and it is always ahead of the marks of those that it took over.
  [[nodiscard]] Front taken_over(std::uint16_t walk, std::uint16_t by) {
    while (heirs_[walk] != walk) {
      heirs_[walk] = heirs_[heirs_[walk]];
      walk = heirs_[walk];
    }
    heirs_[walk] = by;
    return fronts_[walk];
  }
  [[nodiscard]] const Mark* mark_at(const Front& front) const {
    for (const Mark& mark : marks_[front.at % kKept]) {
      if (mark.at == front.at && mark.state == front.state) return &mark;
    }
    return nullptr;
  }

  const Starts* starts_;
  std::size_t walks_ = 0;
  std::array<std::array<Mark, kWays>, kKept> marks_{};
  std::array<Front, kKept> fronts_{};
  std::array<std::uint16_t, kKept> heirs_{};
};

}  // namespace cg::canary
