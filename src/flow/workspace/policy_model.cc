#include "flow/workspace/policy_model.h"

#include <algorithm>
#include <array>

#include "base/base/text.h"

namespace cg::workspace {

Failure<PolicyError> wrong(const std::string& what, const json::Value& at) {
  return fail(PolicyError{what, at.position().line});
}

namespace {

using json::Value;

constexpr std::size_t kMaxPrices = 100;
constexpr Money kDearest = Money::parse_or_die("1000000");

struct PriceRow {
  std::string_view key;
  Money Price::*member;
};
constexpr std::array<PriceRow, 4> kPrice = {{{"input", &Price::input},
                                             {"output", &Price::output},
                                             {"cache_write", &Price::cache_write},
                                             {"cache_read", &Price::cache_read}}};

/// Names go into a request, the log and the terminal.
bool is_model_name(std::string_view name) {
  return !name.empty() && name.size() <= 100 &&
         name.find_first_not_of(
             "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._:/-") ==
             std::string_view::npos;
}

Result<Money, PolicyError> read_money(const std::string& key, const Value& value) {
  const auto money = value.is_string() ? Money::parse(*value.as_string()) : std::nullopt;
  if (money && *money <= kDearest) return *money;
  return wrong(key + " must be an amount of USD in quotes, as \"1.50\", of at most 1000000", value);
}

Result<Price, PolicyError> read_price(const std::string& model, const Value& value) {
  Price price;
  price.model = model;
  if (!is_model_name(model)) return wrong("not the name of a model", value);
  if (!value.is_object() || value.as_object()->size() != kPrice.size()) {
    return wrong("a price is input, output, cache_write and cache_read", value);
  }
  for (const PriceRow& row : kPrice) {
    const Value* amount = value.find(row.key);
    if (amount == nullptr) return wrong("the price has no " + std::string(row.key), value);
    CG_TRY_ASSIGN(price.*row.member, read_money(std::string(row.key), *amount));
  }
  return price;
}

Result<Done, PolicyError> read_prices(Policy& policy, const Value& value) {
  if (!value.is_object() || value.as_object()->size() > kMaxPrices) {
    return wrong("model.prices must be a mapping of models to prices", value);
  }
  std::vector<Price> prices;
  for (const auto& [model, amounts] : *value.as_object()) {
    CG_TRY_ASSIGN(Price price, read_price(model, amounts));
    prices.push_back(std::move(price));
  }
  std::sort(prices.begin(), prices.end(),
            [](const Price& a, const Price& b) { return a.model < b.model; });
  policy.prices = std::move(prices);
  return Done{};
}

}  // namespace

bool is_model_key(std::string_view key) { return key.starts_with("model.") || key == "budget.usd"; }

Result<Done, PolicyError> read_model_key(Policy& policy, const std::string& key,
                                         const Value& value) {
  const std::string word = value.is_string() ? *value.as_string() : std::string();
  if (key == "budget.usd") {
    CG_TRY_ASSIGN(policy.budget_usd, read_money(key, value));
    return Done{};
  }
  if (key == "model.prices") return read_prices(policy, value);
  if (key == "model.name") {
    if (!is_model_name(word)) return wrong("model.name must be the name of a model", value);
    policy.model = word;
    return Done{};
  }
  if (key == "model.port") {
    const auto port = value.as_int();
    if (!port || *port < 1 || *port > 65'535) {
      return wrong("model.port must be a port of this machine", value);
    }
    policy.model_port = static_cast<int>(*port);
    return Done{};
  }
  if (key == "model.max_tier") {
    const auto tier = parse_tier(word);
    if (!tier) return wrong("model.max_tier must be recipe, rag or llm", value);
    policy.max_tier = *tier;
    return Done{};
  }
  return wrong("unknown key " + printable(cut_utf8(key, 40)), value);
}

std::optional<Price> price_of_model(const Policy& policy) {
  for (const Price& price : policy.prices) {
    if (policy.model && price.model == *policy.model) return price;
  }
  return std::nullopt;
}

std::string model_text(Preset preset) {
  const bool strict = preset == Preset::strict;
  return "model:\n"
         "  # How far a fix may go: recipe asks nobody, rag looks at what solved the like\n"
         "  # before, llm asks a model. A model also needs `name`, and under `prices` what it\n"
         "  # costs in USD for a million tokens:\n"
         "  #   NAME: {input: \"0.00\", output: \"0.00\", cache_write: \"0.00\", cache_read: "
         "\"0.00\"}\n"
         "  # With `port` a model server on this machine is asked, and nobody else.\n"
         "  max_tier: recipe\n"
         "budget:\n"
         "  # What one workflow may spend on a model, and one call of it.\n"
         "  tokens: " +
         std::string(strict ? "100000" : "250000") +
         "\n"
         "  usd: " +
         (strict ? "\"0.50\"" : "\"1.50\"") +
         "\n"
         "  tokens_per_call: 32000\n";
}

}  // namespace cg::workspace
