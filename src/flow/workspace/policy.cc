#include "flow/workspace/policy.h"

#include <algorithm>
#include <array>

#include "base/base/text.h"
#include "base/yaml/yaml.h"

namespace cg::workspace {

namespace {

using json::Value;

/// Where a number of the file goes, and what it may be.
struct NumberRow {
  std::string_view key;
  int Policy::*member;
  int least;
  int most;
  enum class Stricter { less, more } stricter = Stricter::less;
};
constexpr NumberRow kNumbers[] = {
    {"audit.anchor_within_days", &Policy::anchor_within_days, 1, 365},
    {"index.max_age_days", &Policy::index_max_age_days, 1, 365},
    {"index.max_shrink_percent", &Policy::index_max_shrink_percent, 0, 100},
    {"ignores.max_days", &Policy::ignore_max_days, 1, 3650},
    {"fix.cooldown_days", &Policy::cooldown_days, 0, 365, NumberRow::Stricter::more},
    {"budget.tokens", &Policy::budget_tokens, 0, 100'000'000},
    {"budget.tokens_per_call", &Policy::budget_tokens_per_call, 0, 1'000'000},
};

/// The same for gates.limits, where less is stricter.
struct LimitRow {
  std::string_view key;
  int StepLimits::*member;
  int least;
  int most;
};
constexpr LimitRow kLimits[] = {
    {"install_s", &StepLimits::install_s, 10, 7'200},
    {"load_s", &StepLimits::load_s, 10, 7'200},
    {"build_s", &StepLimits::build_s, 10, 7'200},
    {"tests_s", &StepLimits::tests_s, 10, 7'200},
    {"typecheck_s", &StepLimits::typecheck_s, 10, 7'200},
    {"memory_mb", &StepLimits::memory_mb, 256, 262'144},
    {"processes", &StepLimits::processes, 64, 32'768},
};

/// "<what>", with the line where `at` stands.
Failure<PolicyError> wrong(const std::string& what, const Value& at) {
  return fail(PolicyError{what, at.position().line});
}

std::string word_of(const Value& value) {
  return value.is_string() ? *value.as_string() : std::string();
}

constexpr std::pair<std::string_view, DemandedIsolation> kIsolations[] = {
    {"namespaces", DemandedIsolation::namespaces},
    {"microvm_emulated", DemandedIsolation::microvm_emulated},
    {"microvm", DemandedIsolation::microvm},
};
constexpr std::pair<std::string_view, WeakTests> kWeakTests[] = {
    {"allow", WeakTests::allow}, {"handoff", WeakTests::handoff}, {"refuse", WeakTests::refuse}};
constexpr std::size_t kMaxRunScripts = 200;

/// Names go to a package manager's command line.
bool is_package_word(std::string_view name) {
  return !name.empty() && name.size() <= 214 && name.front() != '-' && name.front() != '.' &&
         name.find_first_not_of(
             "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
             "@/._-") == std::string_view::npos;
}

Result<Done, PolicyError> read_packages(Policy& policy, const Value& value) {
  if (!value.is_array() || value.as_array()->size() > kMaxRunScripts) {
    return wrong("gates.run_scripts must be a list of package names", value);
  }
  std::vector<std::string> names;
  for (const Value& item : *value.as_array()) {
    if (!is_package_word(word_of(item))) return wrong("not the name of a package", item);
    names.push_back(word_of(item));
  }
  std::sort(names.begin(), names.end());
  policy.run_scripts = std::move(names);
  return Done{};
}

Result<int, PolicyError> read_number(const std::string& key, const Value& value, int least,
                                     int most) {
  const auto number = value.as_int();
  if (number && *number >= least && *number <= most) return static_cast<int>(*number);
  return wrong(
      key + " must be a number from " + std::to_string(least) + " to " + std::to_string(most),
      value);
}

Result<Done, PolicyError> read_limits(Policy& policy, const Value& value) {
  if (!value.is_object()) return wrong("gates.limits must be a mapping of limits", value);
  for (const auto& limit : *value.as_object()) {
    const std::string key = "gates.limits." + limit.first;
    const auto row = std::find_if(std::begin(kLimits), std::end(kLimits),
                                  [&](const LimitRow& r) { return r.key == limit.first; });
    if (row == std::end(kLimits)) {
      return wrong("unknown key " + printable(cut_utf8(key, 60)), limit.second);
    }
    CG_TRY_ASSIGN(policy.limits.*row->member,
                  read_number(key, limit.second, row->least, row->most));
  }
  return Done{};
}

constexpr std::size_t kMaxHosts = 100;

/// "files.example", "files.example:8443", "[::1]:8443"; in lower case, as addresses are compared.
bool is_host_word(std::string_view host) {
  return !host.empty() && host.size() <= 260 && host.front() != '-' && host.front() != '.' &&
         host.front() != ':' && !host.ends_with(":443") &&
         host.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789.-_:[]") ==
             std::string_view::npos;
}

Result<Done, PolicyError> read_hosts(Policy& policy, const Value& value) {
  if (!value.is_array() || value.as_array()->size() > kMaxHosts) {
    return wrong("gates.fetch_urls must be a list of hosts", value);
  }
  std::vector<std::string> hosts;
  for (const Value& item : *value.as_array()) {
    if (!is_host_word(word_of(item))) {
      return wrong("not a host: its name in lower case, and a port if it is not 443", item);
    }
    hosts.push_back(word_of(item));
  }
  std::sort(hosts.begin(), hosts.end());
  policy.fetch_urls = std::move(hosts);
  return Done{};
}

/// What of `own` the layer names too.
void keep_common(std::vector<std::string>& own, const std::vector<std::string>& layer) {
  std::erase_if(own, [&](const std::string& name) {
    return !std::binary_search(layer.begin(), layer.end(), name);
  });
}

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

bool is_model_key(std::string_view key) { return key.starts_with("model.") || key == "budget.usd"; }

/// `model.*` and `budget.usd`. Amounts are text, because a number of YAML is a binary fraction in
/// most readers.
Result<Done, PolicyError> read_model_key(Policy& policy, const std::string& key,
                                         const Value& value) {
  const std::string word = word_of(value);
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
  if (key == "model.server") {
    if (word != "llama.cpp" && word != "vllm" && word != "ollama" && word != "other") {
      return wrong("model.server must be llama.cpp, vllm, ollama or other", value);
    }
    policy.model_server = word;
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

Result<Done, PolicyError> read_gate_key(Policy& policy, const std::string& key,
                                        const Value& value) {
  const std::string word = word_of(value);
  if (key == "gates.run_scripts") return read_packages(policy, value);
  if (key == "gates.limits") return read_limits(policy, value);
  if (key == "gates.fetch_urls") return read_hosts(policy, value);
  if (key == "gates.isolation") {
    for (const auto& [name, isolation] : kIsolations) {
      if (word != name) continue;
      policy.isolation = isolation;
      return Done{};
    }
    return wrong("gates.isolation must be namespaces, microvm_emulated or microvm", value);
  }
  if (key == "gates.weak_tests") {
    for (const auto& [name, weak] : kWeakTests) {
      if (word != name) continue;
      policy.weak_tests = weak;
      return Done{};
    }
    return wrong("gates.weak_tests must be allow, handoff or refuse", value);
  }
  return wrong("unknown key " + printable(cut_utf8(key, 40)), value);
}

Result<Done, PolicyError> apply(Policy& policy, const std::string& key, const Value& value) {
  for (const NumberRow& row : kNumbers) {
    if (row.key != key) continue;
    CG_TRY_ASSIGN(policy.*row.member, read_number(key, value, row.least, row.most));
    return Done{};
  }
  if (is_model_key(key)) return read_model_key(policy, key, value);
  if (key.starts_with("gates.")) return read_gate_key(policy, key, value);
  const std::string word = word_of(value);
  if (key == "scan.fail_on") {
    policy.fail_on = advisory::parse_level(word);
    const bool level = policy.fail_on && *policy.fail_on != advisory::Level::none &&
                       *policy.fail_on != advisory::Level::unknown;
    if (!level) return wrong("scan.fail_on must be low, moderate, high or critical", value);
    return Done{};
  }
  if (key == "ignores.from_repo") {
    if (word != "allow" && word != "report-only") {
      return wrong("ignores.from_repo must be allow or report-only", value);
    }
    policy.repo_ignores = word == "allow" ? RepoIgnores::allow : RepoIgnores::report_only;
    return Done{};
  }
  if (key == "learn.weak") {
    if (word != "allow" && word != "refuse") return wrong(key + " must be allow or refuse", value);
    policy.learn_weak = word == "allow" ? LearnWeak::allow : LearnWeak::refuse;
    return Done{};
  }
  if (key == "fix.install_scripts" || key == "fix.override_across_major" || key == "fix.unproven") {
    if (word != "allow" && word != "refuse") return wrong(key + " must be allow or refuse", value);
    if (key == "fix.install_scripts") {
      policy.install_scripts = word == "allow" ? InstallScripts::allow : InstallScripts::refuse;
    } else if (key == "fix.unproven") {
      policy.unproven = word == "allow" ? UnprovenBranches::allow : UnprovenBranches::refuse;
    } else {
      policy.forced_major = word == "allow" ? ForcedMajor::allow : ForcedMajor::refuse;
    }
    return Done{};
  }
  return wrong("unknown key " + printable(cut_utf8(key, 40)), value);
}

/// Where nobody restricts anything. What has no order (models, prices) is not here.
Policy loosest() {
  Policy out;
  for (const NumberRow& row : kNumbers) {
    out.*row.member = row.stricter == NumberRow::Stricter::less ? row.most : row.least;
  }
  for (const LimitRow& row : kLimits) out.limits.*row.member = row.most;
  out.repo_ignores = RepoIgnores::allow;
  out.weak_tests = WeakTests::allow;
  out.max_tier = Tier::llm;
  out.budget_usd = Money::most();
  out.learn_weak = LearnWeak::allow;
  return out;
}

enum class Author { operator_of_workspace, repository };

/// `layer.policy` holds what is not mentioned.
Result<Layer, PolicyError> parse_onto(Layer layer, Author author, std::string_view yaml) {
  const auto parsed = yaml::parse_yaml(yaml);
  if (!parsed) return fail(PolicyError{json::describe(parsed.error()), parsed.error().at.line});
  if (!parsed->is_object()) return fail(PolicyError{"not a mapping", 1});
  for (const auto& [key, value] : *parsed->as_object()) {
    if (key == "schema") {
      if (word_of(value) != kPolicySchema)
        return wrong("schema must be " + std::string(kPolicySchema), value);
    } else if (value.is_object()) {
      for (const auto& [inner, setting] : *value.as_object()) {
        const std::string name = key + "." + inner;
        const bool is_operators = name == "model.name" || name == "model.prices" ||
                                  name == "model.port" || name == "model.server";
        if (is_operators && author == Author::repository) {
          return wrong(name + " is the operator's to say", setting);
        }
        CG_TRY(apply(layer.policy, name, setting));
        layer.limits_scripts = layer.limits_scripts || name == "gates.run_scripts";
        layer.limits_urls = layer.limits_urls || name == "gates.fetch_urls";
      }
    } else {
      return wrong("unknown key " + printable(cut_utf8(key, 40)), value);
    }
  }
  return layer;
}

}  // namespace

Result<Policy, PolicyError> parse_policy(std::string_view yaml) {
  CG_TRY_ASSIGN(Layer own, parse_onto({}, Author::operator_of_workspace, yaml));
  return std::move(own.policy);
}

Result<Layer, PolicyError> parse_layer(std::string_view yaml) {
  return parse_onto({loosest(), false, false}, Author::repository, yaml);
}

Policy tightened(const Policy& own, const Layer& layer) {
  const Policy& other = layer.policy;
  // What is not named below stays the operator's, also what has no order: model, prices, port.
  Policy out = own;
  for (const NumberRow& row : kNumbers) {
    const auto [low, high] = std::minmax(own.*row.member, other.*row.member);
    out.*row.member = row.stricter == NumberRow::Stricter::less ? low : high;
  }
  for (const LimitRow& row : kLimits) {
    out.limits.*row.member = std::min(own.limits.*row.member, other.limits.*row.member);
  }
  if (!own.fail_on || (other.fail_on && *other.fail_on < *own.fail_on)) out.fail_on = other.fail_on;
  if (other.repo_ignores == RepoIgnores::report_only) out.repo_ignores = RepoIgnores::report_only;
  out.install_scripts = std::max(own.install_scripts, other.install_scripts);
  out.forced_major = std::max(own.forced_major, other.forced_major);
  out.unproven = std::max(own.unproven, other.unproven);
  out.isolation = std::max(own.isolation, other.isolation);
  out.weak_tests = std::max(own.weak_tests, other.weak_tests);
  out.max_tier = std::min(own.max_tier, other.max_tier);
  out.budget_usd = std::min(own.budget_usd, other.budget_usd);
  out.learn_weak = std::max(own.learn_weak, other.learn_weak);
  if (layer.limits_scripts) keep_common(out.run_scripts, other.run_scripts);
  if (layer.limits_urls) keep_common(out.fetch_urls, other.fetch_urls);
  return out;
}

std::optional<Price> price_of_model(const Policy& policy) {
  for (const Price& price : policy.prices) {
    if (policy.model && price.model == *policy.model) return price;
  }
  return std::nullopt;
}

}  // namespace cg::workspace
