#include "learn/retrieve/index.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/base/assert.h"

namespace cg::retrieve {

namespace {

/// Eight sums side by side, so that a compiler can keep them in registers, in one order.
template <class Term>
double sum_of(std::size_t count, Term&& term) {
  std::array<double, 8> lanes{};
  std::size_t i = 0;
  for (; i + lanes.size() <= count; i += lanes.size()) {
    for (std::size_t k = 0; k < lanes.size(); ++k) lanes[k] += term(i + k);
  }
  for (std::size_t k = 0; i < count; ++i, ++k) lanes[k] += term(i);
  return ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) +
         ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]));
}

/// No less than the root of it; only ever used as a bound, so it need not be near for tiny ones.
double root_above(double square) {
  double guess = 1;  // of what is at most some hundreds
  for (int i = 0; i < 40; ++i) {
    const double next = (guess + square / guess) / 2;
    if (next >= guess && i > 0) break;
    guess = next;
  }
  return guess * (1 + 1e-9) + 1e-9;
}

struct Rounded {
  float scale = 0;
  double lost = 0;
};

/// row[i] is about scale * (out[i] - zero).
template <class Code>
Rounded round_into(Row row, Code zero, Code* out) {
  float most = 0;
  for (const float x : row) most = std::max(most, x < 0 ? -x : x);
  Rounded rounded;
  rounded.scale = most / 127;
  if (most == 0) return rounded;
  const float halves = 254 / most;  // what fits is no nearer to zero than that is finite
  rounded.lost = root_above(sum_of(row.size(), [&](std::size_t i) {
    const int twice = static_cast<int>(row[i] * halves);
    const int code = std::clamp((twice + (twice > 0 ? 1 : -1)) / 2, -127, 127);
    out[i] = static_cast<Code>(code + zero);
    const double off = double{row[i]} - double{rounded.scale} * code;
    return off * off;
  }));
  return rounded;
}

}  // namespace

double product(Row left, Row right) {
  CG_ASSERT(left.size() == right.size());
  return sum_of(left.size(), [&](std::size_t i) { return double{left[i]} * double{right[i]}; });
}

bool fits(Row row, std::size_t dims) {
  if (row.size() != dims) return false;
  const double square = product(row, row);  // not a number, or endless, if any is
  return square == 0 || (square > 0.98 && square < 1.02);
}

Index::Index(std::size_t dims, std::vector<Row> rows, Way way)
    : dims_(dims),
      width_((dims + kBlock - 1) / kBlock * kBlock),
      way_(way),
      rows_(std::move(rows)) {
  CG_ASSERT(dims > 0 && dims <= kMaxDims);
  codes_.assign(rows_.size() * width_, kZero);
  scales_.resize(rows_.size());
  lost_.resize(rows_.size());
  fits_.resize(rows_.size());
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (!fits(rows_[i], dims_)) continue;
    fits_[i] = 1;
    const Rounded rounded = round_into(rows_[i], kZero, codes_.data() + i * width_);
    scales_[i] = rounded.scale;
    lost_[i] = static_cast<float>(rounded.lost * (1 + 1e-6));
  }
}

// With a = a' + da and r = r' + dr: |a r - a' r'| <= |da| |r| + |a'| |dr|, and |a'| <= |a| + |da|.
Estimates Index::estimate(Row asked) const {
  CG_ASSERT(fits(asked, dims_));
  std::vector<std::int8_t> codes(width_, 0);
  const Rounded mine = round_into(asked, std::int8_t{0}, codes.data());
  std::int32_t offset = 0;
  for (const std::int8_t code : codes) offset += code * std::int32_t{kZero};
  std::vector<std::int32_t> sums(rows_.size());
  way_.products(codes.data(), codes_.data(), width_, sums);
  Estimates out{std::vector<double>(sums.size()), std::vector<double>(sums.size())};
  for (std::size_t i = 0; i < sums.size(); ++i) {
    out.product[i] = double{mine.scale} * double{scales_[i]} * (sums[i] - offset);
    out.margin[i] = 1.01 * mine.lost + (1.01 + mine.lost) * double{lost_[i]} + 1e-9;
  }
  return out;
}

std::vector<Found> Index::nearest(Row asked, const Estimates& estimates, const Wish& wish) const {
  CG_ASSERT(wish.weight >= 0 && (wish.bonus.empty() || wish.bonus.size() == rows_.size()));
  if (wish.k == 0) return {};
  const auto bonus = [&](std::size_t i) {
    return fits_[i] == 0 ? kNever : wish.bonus.empty() ? 0 : wish.bonus[i];
  };
  // The k-th best of what rows have at least: who cannot reach that is not among the k.
  std::vector<double> sure;  // a heap, its least on top
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const double least = wish.weight * (estimates.product[i] - estimates.margin[i]) + bonus(i);
    if (least == kNever || (sure.size() == wish.k && least <= sure.front())) continue;
    if (sure.size() == wish.k) {
      std::pop_heap(sure.begin(), sure.end(), std::greater<>());
      sure.pop_back();
    }
    sure.push_back(least);
    std::push_heap(sure.begin(), sure.end(), std::greater<>());
  }
  const double enough = sure.size() < wish.k ? kNever : sure.front() - 1e-9 * (1 + wish.weight);
  std::vector<Found> out;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const double plus = bonus(i);
    if (plus == kNever) continue;
    if (wish.weight * (estimates.product[i] + estimates.margin[i]) + plus < enough) continue;
    const double exact = product(asked, rows_[i]);
    out.push_back({i, exact, wish.weight * exact + plus});
  }
  const auto before = [](const Found& a, const Found& b) {
    return a.score != b.score ? a.score > b.score : a.row < b.row;
  };
  const std::size_t most = std::min(wish.k, out.size());
  std::partial_sort(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(most), out.end(),
                    before);
  out.resize(most);
  return out;
}

}  // namespace cg::retrieve
