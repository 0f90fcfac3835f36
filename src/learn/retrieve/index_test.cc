#include "learn/retrieve/index.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace cg::retrieve {
namespace {

using Vectors = std::vector<std::vector<float>>;

void make_unit(std::vector<float>& row) {
  double square = 0;
  for (const float x : row) square += double{x} * double{x};
  for (float& x : row) x = static_cast<float>(x / std::sqrt(square));
}

/// In groups that lie near each other, as texts do: what is nearest is decided by little.
Vectors vectors(std::size_t count, std::size_t dims, unsigned seed) {
  std::mt19937 random(seed);
  const auto draw = [&] { return static_cast<float>(random() % 2001) / 1000.0F - 1.0F; };
  Vectors out;
  std::vector<float> middle(dims);
  for (std::size_t i = 0; i < count; ++i) {
    if (i % 50 == 0) std::generate(middle.begin(), middle.end(), draw);
    std::vector<float> row = middle;
    for (float& x : row) x += 0.2F * draw();
    make_unit(row);
    out.push_back(std::move(row));
  }
  return out;
}

std::vector<Row> rows_of(const Vectors& vectors) { return {vectors.begin(), vectors.end()}; }

/// By looking at everything.
std::vector<std::size_t> best(const Vectors& rows, Row asked, std::size_t k) {
  std::vector<std::pair<double, std::size_t>> order;
  for (std::size_t i = 0; i < rows.size(); ++i) order.emplace_back(-product(rows[i], asked), i);
  std::sort(order.begin(), order.end());
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < std::min(k, order.size()); ++i) out.push_back(order[i].second);
  return out;
}

std::vector<std::size_t> found(const Index& index, Row asked, const Wish& wish) {
  std::vector<std::size_t> out;
  for (const Found& one : index.nearest(asked, index.estimate(asked), wish)) out.push_back(one.row);
  return out;
}

TEST(Products, AreTheSameEachWay) {
  std::mt19937 random(1);
  for (const std::size_t width : {64U, 128U, 192U, 384U, 512U, 4096U}) {
    std::vector<std::int8_t> asked(width);
    std::vector<std::uint8_t> rows(width * 9);
    for (auto& x : asked) x = static_cast<std::int8_t>(static_cast<int>(random() % 255) - 127);
    for (auto& x : rows) x = static_cast<std::uint8_t>(1 + random() % 255);
    // The greatest there can be, which 16 bits would not hold.
    std::fill_n(asked.begin(), 8, std::int8_t{127});
    std::fill_n(rows.begin(), 8, std::uint8_t{255});
    std::vector<std::int32_t> wanted(9);
    ways().back().products(asked.data(), rows.data(), width, wanted);
    for (const Way& way : ways()) {
      std::vector<std::int32_t> out(9);
      way.products(asked.data(), rows.data(), width, out);
      EXPECT_EQ(out, wanted) << way.name << " " << width;
    }
  }
  EXPECT_EQ(ways().back().name, "portable");
}

TEST(Index, FindsTheNearestEachWay) {
  for (const std::size_t dims : {3U, 64U, 100U, 384U}) {
    const Vectors rows = vectors(700, dims, 2);
    const Vectors asked = vectors(30, dims, 3);
    for (const Way& way : ways()) {
      const Index index(dims, rows_of(rows), way);
      for (std::size_t a = 0; a < asked.size(); ++a) {
        // Every second question is a row, slightly moved: its group is all about as near.
        std::vector<float> one = asked[a];
        if (a % 2 == 1) {
          one = rows[a * 11];
          one[a % dims] += 0.02F;
          make_unit(one);
        }
        const auto wanted = best(rows, one, 10);
        for (const std::size_t k : {1U, 3U, 10U}) {
          EXPECT_EQ(found(index, one, {k, 1, {}}),
                    std::vector(wanted.begin(), wanted.begin() + static_cast<std::ptrdiff_t>(k)))
              << way.name << " " << dims;
        }
      }
    }
  }
}

TEST(Index, EstimatesAreWithinTheirMargin) {
  const Vectors rows = vectors(300, 100, 4);
  const Index index(100, rows_of(rows));
  for (const auto& asked : vectors(20, 100, 5)) {
    const Estimates estimates = index.estimate(asked);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      EXPECT_LE(std::abs(estimates.product[i] - product(rows[i], asked)), estimates.margin[i]);
      EXPECT_LT(estimates.margin[i], 0.05);
    }
  }
}

TEST(Index, EstimatesAreTheSameEachWay) {
  const Vectors rows = vectors(100, 384, 6);
  const Vectors asked = vectors(1, 384, 7);
  const Estimates wanted = Index(384, rows_of(rows), ways().back()).estimate(asked.front());
  for (const Way& way : ways()) {
    EXPECT_EQ(Index(384, rows_of(rows), way).estimate(asked.front()).product, wanted.product);
  }
}

TEST(Index, OfEqualOnesTheFirst) {
  Vectors rows = vectors(40, 16, 8);
  for (const std::size_t i : {5U, 17U, 30U, 39U}) rows[i] = rows[2];
  const Index index(16, rows_of(rows));
  EXPECT_THAT(found(index, rows[2], {4, 1, {}}), testing::ElementsAre(2, 5, 17, 30));
}

TEST(Index, BonusCountsAndCanExclude) {
  const Vectors rows = vectors(200, 32, 9);
  const Index index(32, rows_of(rows));
  std::vector<double> bonus(rows.size(), 0);
  bonus[150] = 10;
  bonus[3] = kNever;
  EXPECT_EQ(found(index, rows[3], {2, 1, bonus}).front(), 150U);
  EXPECT_THAT(found(index, rows[3], {200, 1, bonus}), testing::Not(testing::Contains(3U)));
  EXPECT_EQ(found(index, rows[3], {200, 1, bonus}).size(), 199U);
  // The product alone decides among equal bonuses, and does not count at all without a weight.
  EXPECT_THAT(found(index, rows[3], {2, 0, bonus}), testing::ElementsAre(150, 0));
}

TEST(Index, AsManyAsThereAre) {
  const Vectors rows = vectors(2, 8, 10);
  EXPECT_EQ(found(Index(8, rows_of(rows)), rows[0], {3, 1, {}}).size(), 2U);
  EXPECT_TRUE(found(Index(8, {}), rows[0], {3, 1, {}}).empty());
  EXPECT_TRUE(found(Index(8, rows_of(rows)), rows[0], {0, 1, {}}).empty());
}

TEST(Index, WhatDoesNotFitIsNeverFound) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  constexpr float kEndless = std::numeric_limits<float>::infinity();
  const Vectors rows = {{1, 0, 0},        {1, 0},     {1, 0, 0, 0},     {kNan, 0, 0},
                        {kEndless, 0, 0}, {50, 0, 0}, {0.5F, 0, 0},     {0, 0, 0},
                        {0, kNan, 1},     {-1, 0, 0}, {3e38F, 3e38F, 0}};
  const Index index(3, rows_of(rows));
  EXPECT_THAT(found(index, rows[0], {20, 1, {}}), testing::ElementsAre(0, 7, 9));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(index.has(i), i == 0 || i == 7 || i == 9) << i;
    EXPECT_TRUE(std::isfinite(index.estimate(rows[0]).product[i])) << i;
  }
}

}  // namespace
}  // namespace cg::retrieve
