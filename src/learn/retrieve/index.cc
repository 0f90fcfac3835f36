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

/// row[i] is about scale * (out[i] - kZero), for rows of whole groups of eight. Without lambdas,
/// which would not be inlined into the function below.
__attribute__((always_inline)) inline Rounded round_here(const float* row, std::size_t size,
                                                         std::uint8_t* out) {
  constexpr std::size_t kLanes = 8;
  float most[kLanes] = {};
  for (std::size_t i = 0; i < size; i += kLanes) {
    for (std::size_t k = 0; k < kLanes; ++k) {
      const float x = row[i + k] < 0 ? -row[i + k] : row[i + k];
      most[k] = most[k] < x ? x : most[k];
    }
  }
  float top = 0;
  for (const float x : most) top = top < x ? x : top;
  Rounded rounded;
  if (top == 0) return rounded;
  rounded.scale = top / 127;
  const float halves = 254 / top;  // what fits is no nearer to zero than that is finite
  double lost[kLanes] = {};
  for (std::size_t i = 0; i < size; i += kLanes) {
    for (std::size_t k = 0; k < kLanes; ++k) {
      const int twice = static_cast<int>(row[i + k] * halves);       // within 254
      const int code = (twice + static_cast<int>(twice > 0)) >> 1U;  // halves away from zero
      out[i + k] = static_cast<std::uint8_t>(code + kZero);
      const double off = double{row[i + k]} - double{rounded.scale} * code;
      lost[k] += off * off;
    }
  }
  double all = 0;
  for (const double x : lost) all += x;
  rounded.lost = root_above(all);
  return rounded;
}

#if defined(__x86_64__)
/// The same steps on wider registers, so the same numbers.
__attribute__((target("avx2"))) Rounded round_wide(const float* row, std::size_t size,
                                                   std::uint8_t* out) {
  return round_here(row, size, out);
}
#endif

Rounded round_into(Row row, std::uint8_t* out) {
  std::vector<float> filled;
  if (row.size() % 8 != 0) {
    filled.assign(row.begin(), row.end());
    filled.resize((row.size() + 7) / 8 * 8);
    row = filled;
  }
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) return round_wide(row.data(), row.size(), out);
#endif
  return round_here(row.data(), row.size(), out);
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
    const Rounded rounded = round_into(rows_[i], codes_.data() + i * width_);
    scales_[i] = rounded.scale;
    lost_[i] = static_cast<float>(rounded.lost * (1 + 1e-6));
  }
}

// With a = a' + da and r = r' + dr: |a r - a' r'| <= |da| |r| + |a'| |dr|, and |a'| <= |a| + |da|.
Estimates Index::estimate(Row asked) const {
  CG_ASSERT(fits(asked, dims_));
  std::vector<std::uint8_t> raised(width_, kZero);
  const Rounded mine = round_into(asked, raised.data());
  std::vector<std::int8_t> codes;
  std::int32_t offset = 0;
  for (const std::uint8_t code : raised) {
    codes.push_back(static_cast<std::int8_t>(code - kZero));
    offset += codes.back() * std::int32_t{kZero};
  }
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
