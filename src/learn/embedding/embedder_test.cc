#include "learn/embedding/embedder.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace cg::embedding {
namespace {

TEST(Embedding, TheCosineIsThatOfTheAngleAndNothingIsLikeNothing) {
  const std::array<float, 3> a{3, 0, 0};
  const std::array<float, 3> b{5, 5, 0};
  const std::array<float, 3> minus_a{-1, 0, 0};
  const std::array<float, 3> zero{};
  EXPECT_DOUBLE_EQ(cosine(a, a), 1);
  EXPECT_NEAR(cosine(a, b), std::sqrt(0.5), 1e-12);
  EXPECT_DOUBLE_EQ(cosine(a, minus_a), -1);
  EXPECT_DOUBLE_EQ(cosine(a, zero), 0);
}

TEST(Embedding, AVectorIsMadeOneLongAndAZeroOneStays) {
  std::array<float, 2> v{3, 4};
  normalise(v);
  EXPECT_FLOAT_EQ(v[0], 0.6F);
  EXPECT_FLOAT_EQ(v[1], 0.8F);
  std::array<float, 2> zero{};
  normalise(zero);
  EXPECT_EQ(zero[0], 0);
  std::array<float, 2> large{1e30F, 1e30F};  // its square is no float
  normalise(large);
  EXPECT_FLOAT_EQ(large[0], static_cast<float>(std::sqrt(0.5)));
}

}  // namespace
}  // namespace cg::embedding
