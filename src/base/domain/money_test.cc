#include "base/domain/money.h"

#include <gtest/gtest.h>

#include "base/domain/tier.h"

namespace cg {
namespace {

Money usd(std::string_view text) { return Money::parse_or_die(text); }

TEST(Money, TextAndAmountMapOneToOneButForZerosAtTheEnd) {
  EXPECT_EQ(usd("1.5").str(), "1.50");
  EXPECT_EQ(usd("1.50"), usd("1.500000000"));
  EXPECT_EQ(usd("3").str(), "3.00");
  EXPECT_EQ(usd("0.000000001").str(), "0.000000001");
  EXPECT_EQ(usd("0.10203").str(), "0.10203");
  EXPECT_EQ(Money().str(), "0.00");
  EXPECT_EQ(Money::most().str(), "1000000000.00");
  EXPECT_EQ(Money::parse(Money::most().str()), Money::most());
  static_assert(Money::parse("1.50") == Money::parse_or_die("1.5"));
  static_assert(!Money::parse("1.x"));
}

TEST(Money, NothingElseIsAnAmount) {
  for (const std::string_view bad : {"",
                                     ".",
                                     "1.",
                                     ".5",
                                     "-1",
                                     "+1",
                                     "01",
                                     "00.5",
                                     "1e3",
                                     "1.5e1",
                                     " 1",
                                     "1 ",
                                     "1,5",
                                     "1.2.3",
                                     "0x10",
                                     "1.0000000001",
                                     "1000000000.000000001",
                                     "9999999999",
                                     "99999999999",
                                     "NaN",
                                     "inf",
                                     "1_000",
                                     "\xd9\xa1",
                                     "1\n"}) {
    EXPECT_FALSE(Money::parse(bad)) << bad;
  }
  EXPECT_FALSE(Money::parse(std::string_view("1\0", 2)));
}

TEST(Money, ArithmeticStopsAtTheMostThereIs) {
  EXPECT_EQ(usd("0.1") + usd("0.2"), usd("0.3"));
  EXPECT_EQ(Money::most() + usd("0.000000001"), Money::most());
  EXPECT_EQ(Money::most() + Money::most(), Money::most());
  EXPECT_EQ(usd("0.000000003").times(5), usd("0.000000015"));
  EXPECT_EQ(usd("2").times(~std::uint64_t{0}), Money::most());
  EXPECT_EQ(Money().times(~std::uint64_t{0}), Money());
  EXPECT_LT(usd("999999999.99"), Money::most());
}

TEST(Money, APriceOfAMillionRoundsUpAndOnlyWhereThereIsARest) {
  EXPECT_EQ(usd("3.00").for_some_of_a_million(1'000'000), usd("3"));
  EXPECT_EQ(usd("3.00").for_some_of_a_million(1), usd("0.000003"));
  EXPECT_EQ(usd("0.000000001").for_some_of_a_million(1), usd("0.000000001"));
  EXPECT_EQ(usd("0.000000001").for_some_of_a_million(1'000'001), usd("0.000000002"));
  EXPECT_EQ(usd("3.75").for_some_of_a_million(123'457), usd("0.46296375"));
  EXPECT_EQ(usd("3.00").for_some_of_a_million(0), Money());
  EXPECT_EQ(Money::most().for_some_of_a_million(999'999), usd("999999000"));
  EXPECT_EQ(Money::most().for_some_of_a_million(~std::uint64_t{0}), Money::most());
  EXPECT_EQ(usd("0.000000001").for_some_of_a_million(~std::uint64_t{0}), usd("18446.744073710"));
}

TEST(Tier, NamesRoundTripAndOrderIsHowFarItGoes) {
  for (const Tier tier : {Tier::recipe, Tier::rag, Tier::llm}) {
    EXPECT_EQ(parse_tier(name(tier)), tier);
  }
  EXPECT_FALSE(parse_tier("LLM"));
  EXPECT_FALSE(parse_tier(""));
  EXPECT_LT(Tier::recipe, Tier::rag);
  EXPECT_LT(Tier::rag, Tier::llm);
}

}  // namespace
}  // namespace cg
