#include "learn/tensor/kernels.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <random>

namespace cg::tensor {
namespace {

using testing::FloatNear;
using testing::Pointwise;

std::vector<float> numbers(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<float> out(count);
  for (float& x : out) {
    x = static_cast<float>(static_cast<double>(random()) / 4294967296.0 * 2 - 1);
  }
  return out;
}

/// Rows of `n` numbers with room for blocks and lanes behind.
struct Matrix {
  Matrix(std::size_t rows, std::size_t n, unsigned seed)
      : stride(round_up(n, 48)), all(round_up(rows, kRowBlock) * stride) {
    const auto given = numbers(rows * n, seed);
    for (std::size_t r = 0; r < rows; ++r) {
      std::copy_n(given.data() + r * n, n, all.data() + r * stride);
    }
  }
  float* row(std::size_t r) { return all.data() + r * stride; }

  std::size_t stride;
  Aligned<float> all;
};

struct Sizes {
  std::size_t rows, depth, columns;
};
constexpr Sizes kSizes[] = {{1, 1, 1}, {5, 197, 50}, {8, 384, 96}, {17, 33, 130}, {3, 1000, 7}};

class Level : public testing::TestWithParam<std::size_t> {
 protected:
  const Kernels& k = *all_kernels()[GetParam()];
};
INSTANTIATE_TEST_SUITE_P(All, Level, testing::Range<std::size_t>(0, all_kernels().size()),
                         [](const auto& given) {
                           std::string out(all_kernels()[given.param]->name);
                           std::erase_if(out, [](char c) { return c == '+'; });
                           return out;
                         });

TEST_P(Level, ProductsAreThoseOfLongArithmetic) {
  for (const Sizes& s : kSizes) {
    Matrix a(s.rows, s.depth, 1);
    const auto weights = numbers(s.columns * s.depth, 2);
    Matrix bias(1, s.columns, 3);
    for (const bool narrow : {false, true}) {
      const std::size_t panel = narrow ? k.narrow : k.panel;
      const Aligned<float> b = pack(panel, weights, s.depth);
      Matrix out(s.rows, round_up(s.columns, panel), 4);
      (narrow ? k.product_narrow
              : k.product)({a.row(0), a.stride, b.data(), bias.row(0), out.row(0), out.stride,
                            s.rows, s.depth, round_up(s.columns, panel)});
      for (std::size_t r = 0; r < s.rows; ++r) {
        for (std::size_t c = 0; c < round_up(s.columns, panel); ++c) {
          double sum = c < s.columns ? bias.row(0)[c] : 0;
          for (std::size_t d = 0; c < s.columns && d < s.depth; ++d) {
            sum += double{a.row(r)[d]} * double{weights[c * s.depth + d]};
          }
          ASSERT_NEAR(out.row(r)[c], sum, 2e-5) << r << ", " << c;
        }
      }
    }
  }
}

TEST_P(Level, ARowIsTheSameToTheBitWhateverStandsBesideIt) {
  constexpr Sizes kSize = {21, 777, 60};
  Matrix a(kSize.rows, kSize.depth, 1);
  const Aligned<float> b = pack(k.panel, numbers(kSize.columns * kSize.depth, 2), kSize.depth);
  const std::size_t columns = round_up(kSize.columns, k.panel);
  Matrix together(kSize.rows, columns, 4);
  k.product({a.row(0), a.stride, b.data(), nullptr, together.row(0), together.stride, kSize.rows,
             kSize.depth, columns});
  for (std::size_t r = 0; r < kSize.rows; ++r) {
    Matrix one(1, kSize.depth, 9);
    std::copy_n(a.row(r), kSize.depth, one.row(0));
    Matrix alone(1, columns, 5);
    k.product({one.row(0), one.stride, b.data(), nullptr, alone.row(0), alone.stride, 1,
               kSize.depth, columns});
    ASSERT_EQ(std::memcmp(alone.row(0), together.row(r), columns * sizeof(float)), 0) << r;
  }
}

TEST_P(Level, WholeNumbersAreExactAndTheirRowsAndColumnsScaled) {
  for (const Sizes& s : kSizes) {
    Matrix a(s.rows, s.depth, 1);
    const auto weights = numbers(s.columns * s.depth, 2);
    Matrix bias(1, s.columns, 3);
    const Packed8 b = pack8(k, weights, s.depth);
    const std::size_t stride = round_up(s.depth, k.group) * k.width;
    Aligned<std::uint8_t> rows(round_up(s.rows, kRowBlock) * stride);
    std::vector<float> scales(round_up(s.rows, kRowBlock));
    for (std::size_t r = 0; r < s.rows; ++r) {
      scales[r] = k.quantise(a.row(r), s.depth, rows.data() + r * stride);
    }
    const std::size_t columns = round_up(s.columns, k.panel8);
    Matrix out(s.rows, columns, 4);
    k.product8({rows.data(), stride, scales.data(), b.b.data(), b.scales.data(), b.sums.data(),
                bias.row(0), out.row(0), out.stride, s.rows, s.depth, columns});
    for (std::size_t r = 0; r < s.rows; ++r) {
      float most = 0;
      for (std::size_t d = 0; d < s.depth; ++d) most = std::max(most, std::fabs(a.row(r)[d]));
      ASSERT_FLOAT_EQ(scales[r], most / 127);
      for (std::size_t c = 0; c < s.columns; ++c) {
        const std::span<const float> column(weights.data() + c * s.depth, s.depth);
        float heaviest = 0;
        for (const float weight : column) heaviest = std::max(heaviest, std::fabs(weight));
        std::int64_t sum = 0;
        for (std::size_t d = 0; d < s.depth; ++d) {
          sum += std::lrintf(a.row(r)[d] * (127.0F / most)) *
                 std::lrintf(column[d] * (127.0F / heaviest));
        }
        const double wanted = static_cast<double>(sum) * double{scales[r]} * double{b.scales[c]} +
                              double{bias.row(0)[c]};
        ASSERT_NEAR(out.row(r)[c], wanted, 1e-5 * (1 + std::fabs(wanted))) << r << ", " << c;
      }
    }
  }
}

TEST_P(Level, ARowOfZerosIsQuantised) {
  const std::vector<float> zeros(48);
  std::vector<std::uint8_t> out(48 * 2);
  EXPECT_EQ(k.quantise(zeros.data(), 40, out.data()), 0);
}

TEST_P(Level, ARowWithWhatIsNoNumberHasAScaleThatIsNone) {
  for (const float bad : {std::numeric_limits<float>::infinity(),
                          -std::numeric_limits<float>::infinity(), std::nanf("")}) {
    for (const std::size_t at : {0U, 5U, 37U, 41U}) {  // within a vector, and behind the last
      std::vector<float> row(48, 1.0F);
      row[at] = bad;
      std::vector<std::uint8_t> out(48 * 2, 0xAA);
      EXPECT_TRUE(std::isnan(k.quantise(row.data(), 42, out.data())));
      EXPECT_EQ(std::count(out.begin(), out.end(), 0xAA),
                static_cast<std::ptrdiff_t>((48 * 2) - 42 * k.width));
    }
  }
  const std::vector<float> tiny(48, 1e-44F);  // nothing can be divided by them
  std::vector<std::uint8_t> out(48 * 2);
  EXPECT_GE(k.quantise(tiny.data(), 42, out.data()), 0);
  EXPECT_EQ(std::vector<std::uint8_t>(out.begin() + static_cast<std::ptrdiff_t>(k.width),
                                      out.begin() + static_cast<std::ptrdiff_t>(42 * k.width)),
            std::vector<std::uint8_t>(out.begin(),
                                      out.begin() + static_cast<std::ptrdiff_t>(41 * k.width)));
}

TEST_P(Level, SoftmaxAddsUpToOneAndKnowsNoOverflow) {
  for (const std::size_t n : {1U, 7U, 16U, 128U, 131U}) {
    Matrix row(1, n, 6);
    row.row(0)[n / 2] = 3e4F;
    k.softmax(row.row(0), n, 1);
    EXPECT_FLOAT_EQ(row.row(0)[n / 2], 1);
    Matrix plain(1, n, 6);
    const std::vector<float> given(plain.row(0), plain.row(0) + n);
    double sum = 0;
    for (const float x : given) sum += std::exp(double{x} * 0.5);
    k.softmax(plain.row(0), n, 0.5F);
    for (std::size_t i = 0; i < n; ++i) {
      EXPECT_NEAR(plain.row(0)[i], std::exp(double{given[i]} * 0.5) / sum, 3e-7);
    }
  }
}

TEST_P(Level, NormHasMeanZeroAndVarianceOneBeforeTheGain) {
  for (const std::size_t n : {3U, 48U, 50U, 384U}) {
    Matrix x(1, n, 1);
    Matrix add(1, n, 2);
    Matrix gain(1, n, 3);
    Matrix shift(1, n, 4);
    std::vector<double> both(n);
    for (std::size_t i = 0; i < n; ++i) both[i] = double{x.row(0)[i]} + double{add.row(0)[i]};
    const double mean = std::accumulate(both.begin(), both.end(), 0.0) / static_cast<double>(n);
    double variance = 0;
    for (const double y : both) variance += (y - mean) * (y - mean) / static_cast<double>(n);
    k.norm(x.row(0), add.row(0), gain.row(0), shift.row(0), n, 1e-12F);
    for (std::size_t i = 0; i < n; ++i) {
      const double wanted =
          (both[i] - mean) / std::sqrt(variance + 1e-12) * double{gain.row(0)[i]} +
          double{shift.row(0)[i]};
      EXPECT_NEAR(x.row(0)[i], wanted, 3e-6);
    }
    for (std::size_t i = n; i < round_up(n, kLanes); ++i) EXPECT_EQ(x.row(0)[i], 0);
  }
}

TEST_P(Level, CurvesAreTheirFormulas) {
  std::vector<float> xs;
  for (int i = -2000; i <= 2000; ++i) xs.push_back(static_cast<float>(i) / 100);
  xs.resize(round_up(xs.size(), kLanes));
  const auto bent = [&](Curve curve) {
    std::vector<float> out = xs;
    k.bend(out.data(), out.size(), curve);
    return out;
  };
  const auto formula = [&](auto f) {
    std::vector<float> out;
    for (const float x : xs) out.push_back(static_cast<float>(f(double{x})));
    return out;
  };
  EXPECT_THAT(bent(Curve::gelu), Pointwise(FloatNear(2e-6F), formula([](double x) {
                                             return x * 0.5 * (1 + std::erf(x / std::sqrt(2.0)));
                                           })));
  EXPECT_THAT(bent(Curve::gelu_tanh),
              Pointwise(FloatNear(2e-6F), formula([](double x) {
                          return x * 0.5 *
                                 (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
                        })));
  EXPECT_THAT(bent(Curve::relu),
              Pointwise(FloatNear(0), formula([](double x) { return x > 0 ? x : 0; })));
}

TEST(Kernels, TheBestComesFirstAndThereIsAlwaysOne) {
  EXPECT_EQ(&kernels(), all_kernels().front());
  EXPECT_EQ(all_kernels().back()->name, "portable");
}

}  // namespace
}  // namespace cg::tensor
