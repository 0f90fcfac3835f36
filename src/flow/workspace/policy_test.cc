// The keys of policy that are about models and money.
#include "flow/workspace/policy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cg::workspace {
namespace {

using testing::HasSubstr;

Money usd(std::string_view text) { return Money::parse_or_die(text); }

constexpr std::string_view kModel =
    "model:\n"
    "  name: model-2\n"
    "  max_tier: llm\n"
    "  prices:\n"
    "    model-2: {input: \"3.00\", output: \"15.00\", cache_write: \"3.75\", cache_read: "
    "\"0.30\"}\n"
    "    model-1: {input: \"0.00\", output: \"0.00\", cache_write: \"0.00\", cache_read: "
    "\"0.00\"}\n"
    "budget: {tokens: 1000, usd: \"0.25\", tokens_per_call: 500}\n";

TEST(ModelPolicy, WithoutAWordOfTheOperatorNoModelIsAsked) {
  for (const std::string& text :
       {std::string("{}"), policy_text(Preset::standard), policy_text(Preset::strict)}) {
    const auto policy = parse_policy(text);
    ASSERT_TRUE(policy) << policy.error().what;
    EXPECT_EQ(policy->max_tier, Tier::recipe);
    EXPECT_FALSE(policy->model);
    EXPECT_FALSE(price_of_model(*policy)) << "no price is shipped";
    EXPECT_EQ(policy->budget_tokens_per_call, 32'000);
  }
  EXPECT_EQ(*parse_policy(policy_text(Preset::standard)), Policy())
      << "the starter file says what holds without it";
  EXPECT_EQ(Policy().budget_tokens, 250'000);
  EXPECT_EQ(Policy().budget_usd, usd("1.50"));
  EXPECT_EQ(parse_policy(policy_text(Preset::strict))->budget_usd, usd("0.50"));
}

TEST(ModelPolicy, TheOperatorNamesModelPriceAndCaps) {
  const auto policy = parse_policy(kModel);
  ASSERT_TRUE(policy) << policy.error().what;
  EXPECT_EQ(policy->max_tier, Tier::llm);
  EXPECT_EQ(policy->budget_tokens, 1000);
  EXPECT_EQ(policy->budget_tokens_per_call, 500);
  EXPECT_EQ(policy->budget_usd, usd("0.25"));
  EXPECT_EQ(policy->prices.size(), 2U);
  EXPECT_EQ(price_of_model(*policy),
            (Price{"model-2", usd("3"), usd("15"), usd("3.75"), usd("0.30")}));
  Policy other = *policy;
  other.model = "model-3";
  EXPECT_FALSE(price_of_model(other));
}

TEST(ModelPolicy, OfCapsAndTiersTheLowerHolds) {
  const Policy own = *parse_policy(kModel);
  EXPECT_EQ(tightened(own, *parse_layer("{}")), own);
  const auto layer = parse_layer(
      "model: {max_tier: rag}\nbudget: {tokens: 200000, usd: \"0.10\", tokens_per_call: 100}");
  ASSERT_TRUE(layer);
  const Policy both = tightened(own, *layer);
  EXPECT_EQ(both.max_tier, Tier::rag);
  EXPECT_EQ(both.budget_tokens, 1000);
  EXPECT_EQ(both.budget_tokens_per_call, 100);
  EXPECT_EQ(both.budget_usd, usd("0.10"));
  EXPECT_EQ(both.model, own.model);
  EXPECT_EQ(both.prices, own.prices);
  EXPECT_EQ(tightened(Policy(), *parse_layer("model: {max_tier: llm}")).max_tier, Tier::recipe)
      << "a repository cannot ask for a model";
  EXPECT_EQ(tightened(Policy(), *parse_layer("budget: {usd: \"999\"}")).budget_usd, usd("1.50"));
}

TEST(ModelPolicy, ARepositoryMayNameNeitherModelNorPrice) {
  for (const std::string bad :
       {"model: {name: cheap}",
        "model: {prices: {model-2: {input: \"0.00\", output: \"0.00\", cache_write: \"0.00\", "
        "cache_read: \"0.00\"}}}"}) {
    EXPECT_TRUE(parse_policy(bad)) << bad;
    const auto layer = parse_layer(bad);
    ASSERT_FALSE(layer) << bad;
    EXPECT_THAT(layer.error().what, HasSubstr("is the operator's to say"));
  }
}

TEST(ModelPolicy, AmountsAreTextInDecimals) {
  for (const std::string bad :
       {"budget: {usd: 1.50}",
        "budget: {usd: 1}",
        "budget: {usd: \"1e3\"}",
        "budget: {usd: \"-1\"}",
        "budget: {usd: \"\"}",
        "budget: {usd: \"1000000.01\"}",
        "budget: {tokens: -1}",
        "budget: {tokens: \"1\"}",
        "budget: {tokens: 100000001}",
        "budget: {tokens_per_call: 1.5}",
        "budget: {other: 1}",
        "budget: 1",
        "model: {max_tier: none}",
        "model: {max_tier: 3}",
        "model: {name: \"\"}",
        "model: {name: \"a b\"}",
        "model: {name: 7}",
        "model: {other: 1}",
        "model: {prices: []}",
        "model: {prices: {m: \"1.00\"}}",
        "model: {prices: {m: {input: \"1\", output: \"1\", cache_write: \"1\"}}}",
        "model: {prices: {m: {input: \"1\", output: \"1\", cache_write: \"1\", cache_read: 1}}}",
        "model: {prices: {m: {input: \"1\", output: \"1\", cache_write: \"1\", other: \"1\"}}}",
        "model: {prices: {\"m n\": {input: \"1\", output: \"1\", cache_write: \"1\", cache_read: "
        "\"1\"}}}"}) {
    EXPECT_FALSE(parse_policy(bad)) << bad;
  }
}

}  // namespace
}  // namespace cg::workspace
