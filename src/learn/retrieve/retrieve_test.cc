#include "learn/retrieve/retrieve.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>

namespace cg::retrieve {
namespace {

using example::Example;

constexpr Weights kSimple = {"some-embedder", 500'000, 50'000,  200'000, 50'000,
                             100'000,         100'000, 800'000, 500'000};

/// A store of its own for each test.
struct Shelf {
  std::deque<Example> examples;
  std::deque<std::vector<float>> vectors;
  std::vector<Candidate> candidates;
  std::deque<std::string> ids;

  Example& add(const std::string& id, std::vector<float> vector,
               Standing standing = Standing::verified) {
    Example& one = examples.emplace_back();
    one.partition = {"vuln-remediation", "javascript", "npm"};
    one.package = "left";
    one.advisory = "GHSA-a";
    one.aliases = {"CVE-1"};
    one.weaknesses = {"CWE-1", "CWE-2"};
    one.breaks = example::Break::name_gone;
    one.changed = {"pad", "trim"};
    candidates.push_back(
        {ids.emplace_back(id), one, vectors.emplace_back(std::move(vector)), standing});
    return one;
  }
  [[nodiscard]] Retrieved ask(const Case& asked, const Weights& weights = kSimple) const {
    const Library library(weights, 3, candidates);
    auto out = library.ask(asked);
    EXPECT_TRUE(out) << out.error();
    return *std::move(out);
  }
};

const std::vector<float> kX = {1, 0, 0};
const std::vector<float> kY = {0, 1, 0};
const std::vector<float> kNearX = {0.8F, 0.6F, 0};

/// Agrees with what Shelf adds in everything.
Case same() {
  return {{"vuln-remediation", "javascript", "npm"},
          {"CVE-1"},
          {"CWE-2", "CWE-1"},
          "left",
          "1.0.0",
          "2.0.0",
          example::Break::name_gone,
          {"trim", "pad"},
          kX};
}

std::vector<std::string> ids_of(const Retrieved& retrieved) {
  std::vector<std::string> out;
  for (const Near& one : retrieved.nearest) out.emplace_back(one.id);
  return out;
}
std::string name_of(State state) {
  switch (state) {
    case State::usable:
      return "usable";
    case State::excluded:
      return "excluded";
    case State::negative:
      return "negative";
    case State::unfit:
      return "unfit";
  }
  return "";
}
std::vector<std::string> looked_at(const Retrieved& retrieved) {
  std::vector<std::string> out;
  for (const Looked& one : retrieved.looked_at) {
    out.push_back(std::string(one.id) + " " + name_of(one.state));
  }
  return out;
}

TEST(Retrieve, TheMostAlikeComesFirstAndSaysWhy) {
  Shelf shelf;
  shelf.add("b", kNearX);
  shelf.add("a", kX).package = "right";
  shelf.add("c", kX);
  const Retrieved out = shelf.ask(same());
  EXPECT_THAT(ids_of(out), testing::ElementsAre("c", "b", "a"));
  EXPECT_EQ(out.nearest[0].score.sum, kWhole);
  EXPECT_EQ(out.nearest[0].score.score, kWhole);
  EXPECT_EQ(out.nearest[0].band, Band::hit);
  EXPECT_EQ(out.nearest[0].example, &shelf.examples[2]);
  // Another package: neither that nor the names count.
  EXPECT_EQ(out.nearest[2].score.sum, 700'000);
  EXPECT_EQ(out.nearest[2].band, Band::degraded);
  const Score& why = out.nearest[2].score;
  EXPECT_EQ(why.similarity, kWhole);
  EXPECT_EQ(why.aliases, kWhole);
  EXPECT_EQ(why.package, 0);
  EXPECT_EQ(why.weakness, kWhole);
  EXPECT_EQ(why.breaks, kWhole);
  EXPECT_EQ(why.changed, 0);
  EXPECT_EQ(thousandths(why.score), "0.783");
  EXPECT_EQ(thousandths(-1'999), "-0.001");
}

TEST(Retrieve, EachPartCounts) {
  Shelf shelf;
  Example& one = shelf.add("a", kX);
  const auto sum = [&](auto&& change) {
    Case asked = same();
    change(asked);
    return shelf.ask(asked, kSimple).nearest.at(0).score.sum;
  };
  EXPECT_EQ(sum([](Case&) {}), 1'000'000);
  EXPECT_EQ(sum([](Case& c) { c.vector = kNearX; }), 900'000);
  EXPECT_EQ(sum([](Case& c) { c.aliases = {"CVE-2"}; }), 950'000);
  EXPECT_EQ(sum([](Case& c) { c.aliases = {"CVE-2", "GHSA-a"}; }), 1'000'000);
  EXPECT_EQ(sum([](Case& c) { c.weaknesses = {"CWE-2", "CWE-3"}; }), 950'000 + 16'666);
  EXPECT_EQ(sum([](Case& c) { c.weaknesses = {}; }), 950'000);
  EXPECT_EQ(sum([](Case& c) { c.breaks = example::Break::options; }), 900'000);
  EXPECT_EQ(sum([](Case& c) { c.package = "right"; }), 700'000);
  // Of the names that the case needs; what else the record has is no matter, and no name counts
  // twice.
  EXPECT_EQ(sum([](Case& c) { c.changed = {"pad"}; }), 1'000'000);
  EXPECT_EQ(sum([](Case& c) { c.changed = {"pad", "pad", "other"}; }), 950'000);
  EXPECT_EQ(sum([](Case& c) { c.changed = {}; }), 900'000);
  // Versions are no likeness.
  EXPECT_EQ(sum([](Case& c) { c.from = c.to = "9.9.9"; }), 1'000'000);
  one.changed = {};
  EXPECT_EQ(sum([](Case& c) { c.changed = {}; }), 900'000);
}

TEST(Retrieve, AtMostThreeAndOfEqualOnesTheFirstById) {
  Shelf shelf;
  for (const char* id : {"e", "c", "a", "d", "b"}) shelf.add(id, kX);
  EXPECT_THAT(ids_of(shelf.ask(same())), testing::ElementsAre("a", "b", "c"));
  shelf.candidates = std::vector<Candidate>(shelf.candidates.rbegin(), shelf.candidates.rend());
  const Retrieved out = shelf.ask(same());
  EXPECT_THAT(ids_of(out), testing::ElementsAre("a", "b", "c"));
  EXPECT_THAT(looked_at(out),
              testing::ElementsAre("a usable", "b usable", "c usable", "d usable", "e usable"));
}

TEST(Retrieve, BandsBeginWhereTheySay) {
  Shelf shelf;
  shelf.add("a", kX);
  const auto band = [&](Millionths hit, Millionths degraded) {
    Weights weights = kSimple;
    weights.sum_of_hit = hit;
    weights.sum_of_degraded = degraded;
    Case asked = same();
    asked.package = "right";  // 700,000
    const Retrieved out = shelf.ask(asked, weights);
    return out.nearest.empty() ? Band::miss : out.nearest[0].band;
  };
  EXPECT_EQ(band(700'000, 600'000), Band::hit);
  EXPECT_EQ(band(700'001, 600'000), Band::degraded);
  EXPECT_EQ(band(900'000, 700'000), Band::degraded);
  EXPECT_EQ(band(900'000, 700'001), Band::miss);
}

TEST(Retrieve, CalibratedIsSteadyAndHasTheBandsWhereTheyWereMeasured) {
  for (const std::string_view id : {"codegenie-lexical-1", "unheard-of"}) {
    const Weights& weights = weights_of(id);
    EXPECT_EQ(calibrated(weights, -5), 0);
    EXPECT_EQ(calibrated(weights, 0), 0);
    EXPECT_EQ(calibrated(weights, weights.sum_of_degraded), kDegraded);
    EXPECT_LT(calibrated(weights, weights.sum_of_degraded - 1), kDegraded);
    EXPECT_EQ(calibrated(weights, weights.sum_of_hit), kHit);
    EXPECT_LT(calibrated(weights, weights.sum_of_hit - 1), kHit);
    EXPECT_EQ(calibrated(weights, kWhole), kWhole);
    EXPECT_EQ(calibrated(weights, 9 * std::int64_t{kWhole}), kWhole);
    for (Millionths sum = 0; sum < kWhole; sum += 997) {
      EXPECT_LE(calibrated(weights, sum), calibrated(weights, sum + 997));
    }
    EXPECT_EQ(weights.vector + weights.aliases + weights.package + weights.weakness +
                  weights.breaks + weights.changed,
              kWhole);
  }
}

TEST(Retrieve, WithAnEmbedderThatNobodyMeasuredNothingIsMoreThanDegraded) {
  EXPECT_TRUE(weights_of("codegenie-lexical-1").measured());
  EXPECT_FALSE(weights_of("").measured());
  Shelf shelf;
  shelf.add("a", kX);
  const Retrieved out = shelf.ask(same(), weights_of("unheard-of"));
  EXPECT_EQ(out.nearest.at(0).score.score, kWhole);
  EXPECT_EQ(out.nearest.at(0).band, Band::degraded);
}

TEST(Retrieve, NothingIsFoundAcrossPartitions) {
  Shelf shelf;
  shelf.add("a", kX).partition.task = "other";
  shelf.add("b", kX).partition.language = "python";
  shelf.add("c", kX).partition.build = "yarn";
  const Retrieved out = shelf.ask(same());
  EXPECT_TRUE(out.nearest.empty());
  EXPECT_TRUE(out.looked_at.empty());
  Case asked = same();
  asked.partition.build = "yarn";
  EXPECT_THAT(ids_of(shelf.ask(asked)), testing::ElementsAre("c"));
  EXPECT_THAT(looked_at(shelf.ask(asked)), testing::ElementsAre("c usable"));
}

TEST(Retrieve, WhatMayNotBeUsedIsLookedAtAllTheSame) {
  Shelf shelf;
  shelf.add("a", kX, Standing::excluded);
  shelf.add("b", kX).worked = false;
  shelf.add("c", {3, 0, 0});
  shelf.add("d", {std::numeric_limits<float>::quiet_NaN(), 0, 0});
  shelf.add("e", {1, 0});
  shelf.add("f", kNearX);
  shelf.add("g", kY, Standing::excluded).worked = false;
  const Retrieved out = shelf.ask(same());
  EXPECT_THAT(ids_of(out), testing::ElementsAre("f"));
  EXPECT_THAT(looked_at(out), testing::ElementsAre("a excluded", "b negative", "c unfit", "d unfit",
                                                   "e unfit", "f usable", "g excluded"));
  const Millionths wanted[] = {1'000'000, 1'000'000, 0, 0, 0, 800'000, 0};
  for (std::size_t i = 0; i < 7; ++i) {
    EXPECT_NEAR(out.looked_at[i].similarity, wanted[i], 5000) << i;
  }
}

TEST(Retrieve, SimilaritiesBelowZeroAreToldAndCountAgainst) {
  Shelf shelf;
  shelf.add("a", {-1, 0, 0});
  const Retrieved out = shelf.ask(same());
  EXPECT_TRUE(out.nearest.empty());  // all else agrees, and is undone
  EXPECT_NEAR(out.looked_at.at(0).similarity, -1'000'000, 5000);
}

TEST(Retrieve, CaseWithoutWordsIsFoundByTheRest) {
  Shelf shelf;
  shelf.add("a", kX);
  Case asked = same();
  const std::vector<float> nothing = {0, 0, 0};
  asked.vector = nothing;
  EXPECT_EQ(shelf.ask(asked).nearest.at(0).score.sum, 500'000);
}

TEST(Retrieve, CaseThatDoesNotFitIsRefused) {
  Shelf shelf;
  shelf.add("a", kX);
  const Library library(kSimple, 3, shelf.candidates);
  const std::vector<std::vector<float>> wrong = {{},
                                                 {1, 0},
                                                 {1, 0, 0, 0},
                                                 {2, 0, 0},
                                                 {std::numeric_limits<float>::quiet_NaN(), 0, 1},
                                                 {std::numeric_limits<float>::infinity(), 0, 0}};
  for (const auto& vector : wrong) {
    Case asked = same();
    asked.vector = vector;
    const auto out = library.ask(asked);
    ASSERT_FALSE(out);
    EXPECT_EQ(out.error(), "the vector of the case is none of 3 finite numbers of length one");
  }
}

TEST(Retrieve, EmptyStoreHasNothing) {
  const Retrieved out = Shelf{}.ask(same());
  EXPECT_TRUE(out.nearest.empty());
  EXPECT_TRUE(out.looked_at.empty());
}

/// The whole way against looking at everything, with many that are nearly equal.
TEST(Retrieve, IsWhatLookingAtEverythingFinds) {
  Shelf shelf;
  unsigned state = 1;
  const auto draw = [&](unsigned below) {
    state = state * 1664525U + 1013904223U;
    return (state >> 8U) % below;
  };
  for (int i = 0; i < 600; ++i) {
    std::vector<float> vector = {static_cast<float>(draw(41)) - 20,
                                 static_cast<float>(draw(41)) - 20, 1};
    float square = 0;
    for (const float x : vector) square += x * x;
    for (float& x : vector) x /= std::sqrt(square);
    Example& one = shelf.add("r" + std::to_string(1000 + i), std::move(vector),
                             draw(9) == 0 ? Standing::excluded : Standing::verified);
    one.package = draw(2) == 0 ? "left" : "right";
    one.breaks = static_cast<example::Break>(draw(6));
    if (draw(3) == 0) one.changed = {"pad"};
    one.worked = draw(7) != 0;
  }
  const Case asked = same();
  std::vector<std::pair<double, std::string>> all;
  for (const Candidate& one : shelf.candidates) {
    if (one.standing == Standing::excluded || !one.example.worked) continue;
    const double sum = static_cast<double>(agreement(kSimple, asked, one.example).sum) +
                       product(asked.vector, one.vector) * kSimple.vector;
    all.emplace_back(-sum, one.id);
  }
  std::sort(all.begin(), all.end());
  EXPECT_THAT(ids_of(shelf.ask(asked)),
              testing::ElementsAre(all[0].second, all[1].second, all[2].second));
}

}  // namespace
}  // namespace cg::retrieve
