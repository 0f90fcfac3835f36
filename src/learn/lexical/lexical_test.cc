#include "learn/lexical/lexical.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace cg::lexical {
namespace {

using example::Aspects;
using lexical::embed;
using testing::Not;

double cosine(const std::vector<float>& left, const std::vector<float>& right) {
  double sum = 0;
  for (std::size_t i = 0; i < left.size(); ++i) sum += double{left[i]} * double{right[i]};
  return sum;
}
/// A text that is all there is.
std::vector<float> embed(std::string_view text) {
  return embed(Aspects{std::string(text), "", ""});
}
double alike(std::string_view left, std::string_view right) {
  return cosine(embed(left), embed(right));
}

TEST(Root, IsTheGreatestThatFits) {
  for (std::uint64_t i = 0; i < 3000; ++i) {
    EXPECT_LE(root(i) * root(i), i);
    EXPECT_GT((root(i) + 1) * (root(i) + 1), i);
  }
  EXPECT_EQ(root(std::uint64_t{1} << 62U), std::uint64_t{1} << 31U);
  EXPECT_EQ(root(~std::uint64_t{0}), 0xFFFFFFFFU);
}

TEST(Features, AreWordsAndTheirParts) {
  const Kinds only_words{16, 8, 0, 4};
  const auto hashes = [&](std::string_view text) {
    std::vector<std::uint64_t> out;
    for (const Feature& one : features_of(text, only_words)) out.push_back(one.hash);
    return out;
  };
  const auto has_all = [&](std::string_view text, std::string_view words) {
    const auto here = hashes(text);
    const auto wanted = hashes(words);
    return std::all_of(wanted.begin(), wanted.end(), [&](std::uint64_t hash) {
      return std::find(here.begin(), here.end(), hash) != here.end();
    });
  };
  EXPECT_TRUE(has_all("parseHTTPHeader2", "parse http header 2"));
  EXPECT_TRUE(has_all("safe_load", "safe load SAFE_LOAD"));
  EXPECT_TRUE(has_all("$parse", "parse"));
  EXPECT_TRUE(has_all("WebSocketServer", "web socket server"));
  EXPECT_TRUE(has_all("a.b(c)", "A B C"));
  EXPECT_FALSE(has_all("parser", "parse"));
  EXPECT_EQ(hashes("one one ONE One").size(), 1U);
  EXPECT_TRUE(hashes(" \n.,;:-+*/()[]{}\0\x01").empty());
}

TEST(Features, WeighByTheRootOfHowOften) {
  const Kinds kinds{16, 8, 0, 1};
  const auto weight = [&](std::string_view text) { return features_of(text, kinds).at(0).weight; };
  EXPECT_EQ(weight("zebra"), 16 * 256);
  EXPECT_EQ(weight("zebra zebra zebra zebra"), 16 * 512);
  EXPECT_EQ(weight("function"), 4 * 256);  // a word that much else has
}

TEST(Embed, IsOfLengthOneAndTheSameEachTime) {
  const std::vector<float> one = embed("The parser does not bound the depth of nested arrays.");
  EXPECT_EQ(one.size(), kDims);
  EXPECT_NEAR(cosine(one, one), 1, 1e-4);
  EXPECT_EQ(one, embed("The parser does not bound the depth of nested arrays."));
}

// A vector that anybody stored must be what anybody computes: these are the numbers.
TEST(Embed, GivesTheNumbersThatItAlwaysGave) {
  const std::vector<float> vector =
      embed({"Denial of service in yaml", "- safeLoad: REMOVED", "yaml.safeLoad(text)"});
  std::uint64_t hash = 0xCBF29CE484222325U;
  for (const float x : vector) {
    const auto scaled = static_cast<std::uint64_t>(static_cast<std::int64_t>(x * 8388608.0F));
    hash = (hash ^ scaled) * 0x100000001B3U;
  }
  EXPECT_EQ(hash, 2241853143714545274U);
}

TEST(Embed, WhatSharesRareWordsIsNear) {
  const std::string_view text = "safeLoad was removed, use load of js-yaml";
  EXPECT_GT(alike(text, "js-yaml: call load(), not safeLoad()"), 0.5);
  EXPECT_GT(alike(text, "the safe_load function"), alike(text, "the websocket server"));
  EXPECT_LT(std::abs(alike(text, "terminate sockets on close")), 0.2);
  // By its letters, too.
  EXPECT_GT(alike("sanitizer", "sanitizers"), alike("sanitizer", "terminate") + 0.05);
}

TEST(Embed, FieldsCountByTheirWeightHoweverLongTheyAre) {
  const Aspects of{"prototype pollution in merge", "- merge: REMOVED", "lib.merge(a, b)"};
  Aspects longer = of;
  for (int i = 0; i < 200; ++i) longer.usage += " and lib.merge(a, b)";
  EXPECT_GT(cosine(embed(of), embed(longer)), 0.9);
  Aspects other = of;
  other.difference = "- websocket: CHANGED";
  Aspects elsewhere = of;
  elsewhere.summary = "a websocket";
  EXPECT_LT(cosine(embed(of), embed(other)), cosine(embed(of), embed(elsewhere)));
  EXPECT_EQ(embed(Aspects{}), std::vector<float>(kDims, 0.0F));
}

TEST(Embed, TakesAnyBytes) {
  const auto sound = [](const std::vector<float>& vector) {
    const double square = cosine(vector, vector);
    return std::abs(square - 1) < 0.01 || square == 0;
  };
  std::string emoji;
  for (int i = 0; i < 5000; ++i) emoji += "\xF0\x9F\x98\x80";
  std::string all;
  for (int i = 0; i < 70000; ++i) all += static_cast<char>(i * 7 % 256);
  const std::string many(std::size_t{10} << 20U, 'x');
  std::string words;
  for (int i = 0; words.size() < (std::size_t{10} << 20U); ++i)
    words += std::to_string(i * 7919) + " ";
  for (const std::string& text : {std::string(), std::string(100, '\0'), emoji, all, many, words,
                                  std::string("\xFF\xFE\xC0"), std::string("a")}) {
    EXPECT_TRUE(sound(embed(text))) << text.size();
    EXPECT_TRUE(sound(embed({text, text, text}))) << text.size();
  }
  // The same as its beginning.
  EXPECT_EQ(embed(words), embed(std::string_view(words).substr(0, kMaxText)));
  EXPECT_EQ(embed(many), embed(std::string_view(many).substr(0, kMaxText)));
}

}  // namespace
}  // namespace cg::lexical
