// Where a match of many regular expressions may start, at the price of a look into a table per
// byte.
//
// The expressions are one deterministic automaton that starts at one place and stops as soon as
// the answer is known. A program that looks at one text needs little of it, so a state is made when
// a text first leads to it. It is not exact: bytes of one class are not told apart, word
// boundaries are not looked at, and of an automaton too large only a part is made. So "no" is
// sure, and "maybe" is for RE2 to decide.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "model/canary/nodes.h"

namespace cg::canary {

/// Expressions that were read: what tables of starts are made of.
class Expressions {
 public:
  /// The texts are not kept.
  explicit Expressions(const std::vector<std::string_view>& regexes);
  ~Expressions();
  Expressions(const Expressions&) = delete;
  Expressions& operator=(const Expressions&) = delete;

 private:
  friend class Starts;
  struct Automaton;
  std::unique_ptr<Automaton> automaton_;
};

class Starts {
 public:
  static constexpr std::size_t kMostStates = 0xFFFF;
  /// What it may have at most; beyond that it says "maybe".
  struct Limits {
    std::size_t states = kMostStates;
    std::size_t bytes = SIZE_MAX;  // from the start
  };
  /// Of those of `all` that `which` numbers; `all` must outlive it.
  Starts(const Expressions& all, const std::vector<std::size_t>& which, Limits limits);
  Starts(Starts&&) noexcept;
  ~Starts();

  using State = std::uint16_t;
  static constexpr State kUnknown = 0;
  static constexpr State kNo = 1;     // no match, whatever follows
  static constexpr State kMaybe = 2;  // a match, or too far from the start to say
  static constexpr State kStart = 3;
  /// What is asked for the first time is worked out then, once for all threads.
  [[nodiscard]] State next(State state, char c) const {
    const State known = seen(state, c);
    return known != kUnknown ? known : learn(state, class_of(c));
  }
  /// The same without a question in between, or kUnknown, which leads to itself.
  [[nodiscard]] State seen(State state, char c) const {
    const std::size_t place = static_cast<std::size_t>(state) * kStride + class_of(c);
    return std::atomic_ref<State>(table_[place]).load(std::memory_order_acquire);
  }
  [[nodiscard]] std::size_t states() const;

 private:
  static constexpr std::size_t kStride = 32;
  struct Known;
  [[nodiscard]] State learn(State state, std::uint8_t of) const;
  void write(std::size_t place, State state) const;

  Expressions::Automaton* automaton_;
  std::unique_ptr<Known> known_;
  std::unique_ptr<State[]> table_;  // rows are written as states are found
};

}  // namespace cg::canary
