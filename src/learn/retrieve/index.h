// Index: which rows have the greatest product with a vector, exactly, without a step that learns.
//
// Each row is kept twice: as it came, borrowed, and as small integers with one scale and the length
// of what rounding took away. The integers of all rows are multiplied first, a quarter of the
// memory and many at a time; what that gives is off by no more than those lengths allow
// (Cauchy-Schwarz). Only rows that could still be among the best are multiplied again as they came.
// So nothing is ever missed, and where rows are spread as texts are, a few dozen are multiplied
// twice.
//
// All numbers that come out are the same on every machine: integers, and products of two floats
// added up as doubles in one order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "learn/retrieve/products.h"

namespace cg::retrieve {

using Row = std::span<const float>;

/// All finite, of these dimensions, and as long as one (within a hundredth) or zero: a longer one
/// would seem nearer than it is.
[[nodiscard]] bool fits(Row row, std::size_t dims);
/// Of two of equal dimensions.
[[nodiscard]] double product(Row left, Row right);

inline constexpr std::size_t kMaxDims = 4096;

/// What the integers say of all rows.
struct Estimates {
  std::vector<double> product;
  std::vector<double> margin;  // the true one is no further away
};

struct Found {
  std::size_t row = 0;
  double product = 0;
  double score = 0;  // product * weight + its bonus
};

/// What counts besides the product.
struct Wish {
  std::size_t k = 3;
  double weight = 1;              // not below zero
  std::span<const double> bonus;  // by row; kNever: not this one. Empty: nothing
};
inline constexpr double kNever = -std::numeric_limits<double>::infinity();

class Index {
 public:
  /// The rows' floats must outlive it. Those that do not fit are never found.
  Index(std::size_t dims, std::vector<Row> rows, Way way = ways().front());

  [[nodiscard]] std::size_t size() const { return rows_.size(); }
  [[nodiscard]] bool has(std::size_t row) const { return fits_[row] != 0; }

  /// `asked` must fit.
  [[nodiscard]] Estimates estimate(Row asked) const;
  /// The k best by score, of equal ones the first; fewer if there are no more.
  [[nodiscard]] std::vector<Found> nearest(Row asked, const Estimates& estimates,
                                           const Wish& wish) const;

 private:
  std::size_t dims_;
  std::size_t width_;
  Way way_;
  std::vector<Row> rows_;
  std::vector<std::uint8_t> codes_;
  std::vector<float> scales_;
  std::vector<float> lost_;  // the length of what rounding took, rounded up
  std::vector<std::uint8_t> fits_;
};

}  // namespace cg::retrieve
