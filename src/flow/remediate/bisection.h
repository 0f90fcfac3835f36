// Bisection: which of several fixes are to blame if they fail together. Pure.
//
// Eight fixes share nothing, so that they make one branch, and 5 breaks a test:
//
//   0 1 2 3 4 5 6 7   fail
//   0 1 2 3           pass
//   0 1 2 3 4 5       fail
//   0 1 2 3 4         pass: it is 5, alone or with one of these
//   0 1 2 3 4 6 7     pass: they are the branch; 5 is tried alone, and with other versions
//
// What passed stays in every later try, so that two that only fail together are told apart as
// well, and what is kept in the end has been tried as it is. It ends: each round either passes or
// blames one, and after most_tries() all that has not passed is blamed as it is.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace cg::remediate {

/// Enough for three to blame among `count`.
[[nodiscard]] std::size_t most_tries(std::size_t count);

class Bisection {
 public:
  /// Of fixes 0 to `count` - 1.
  explicit Bisection(std::size_t count);

  /// Those to be tried together, in order. Nothing: it is over.
  [[nodiscard]] std::optional<std::vector<std::size_t>> next();
  /// What became of them.
  void passed();
  void failed();

  /// What passed last. Once it is over: all that is not blamed.
  [[nodiscard]] const std::vector<std::size_t>& kept() const { return kept_; }
  /// In order.
  [[nodiscard]] const std::vector<std::size_t>& blamed() const { return blamed_; }

 private:
  [[nodiscard]] std::vector<std::size_t> not_kept() const;

  std::size_t tries_left_;
  std::vector<std::size_t> rest_;      // not blamed
  std::vector<std::size_t> kept_;      // of the rest: passed together
  std::vector<std::size_t> suspects_;  // of the rest: fail with those; empty: nobody knows yet
  std::vector<std::size_t> trying_;
  std::vector<std::size_t> blamed_;
};

}  // namespace cg::remediate
