// Layers of policy: whatever a repository says, nothing gets looser than the operator has it.
//
// Every member of Policy is taken apart by name below, so that a new one does not compile until
// it is judged here, and every member must be seen to move, so that its key is drawn too.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <random>
#include <set>

#include "flow/workspace/policy.h"

namespace cg::workspace {
namespace {

using Random = std::mt19937;

std::string one_of(Random& random, const std::vector<std::string>& words) {
  return words[random() % words.size()];
}

std::string number(Random& random, int least, int most) {
  // The ends are where mistakes are.
  switch (random() % 4) {
    case 0:
      return std::to_string(least);
    case 1:
      return std::to_string(most);
    default:
      return std::to_string(least +
                            static_cast<int>(random() % static_cast<unsigned>(most - least + 1)));
  }
}

std::string packages(Random& random) {
  std::string out;
  for (const char* name : {"a", "b", "@s/c", "d-e"}) {
    if (random() % 2 == 0) out += (out.empty() ? "" : ", ") + ("\"" + std::string(name) + "\"");
  }
  return "[" + out + "]";
}

std::string hosts(Random& random) {
  std::string out;
  for (const char* name : {"files.example", "files.example:8443", "127.0.0.1:9"}) {
    if (random() % 2 == 0) out += (out.empty() ? "" : ", ") + ("\"" + std::string(name) + "\"");
  }
  return "[" + out + "]";
}

std::string prices(Random& random) {
  const std::string amount = "\"" + number(random, 0, 9) + "\"";
  return "{m: {input: " + amount + ", output: " + amount + ", cache_write: " + amount +
         ", cache_read: " + amount + "}}";
}

std::string limits(Random& random) {
  std::string out;
  for (const char* name : {"install_s", "load_s", "build_s", "tests_s", "typecheck_s"}) {
    if (random() % 2 == 0) out += std::string(name) + ": " + number(random, 10, 7'200) + ", ";
  }
  return "{" + out + "memory_mb: " + number(random, 256, 262'144) +
         ", processes: " + number(random, 64, 32'768) + "}";
}

struct Key {
  std::string section;
  std::string name;
  std::function<std::string(Random&)> value;
  bool operators_alone = false;
};

const std::vector<Key>& keys() {
  const auto numbers = [](int least, int most) {
    return [=](Random& random) { return number(random, least, most); };
  };
  const auto words = [](std::vector<std::string> all) {
    return [=](Random& random) { return one_of(random, all); };
  };
  static const std::vector<Key> kAll = {
      {"audit", "anchor_within_days", numbers(1, 365)},
      {"index", "max_age_days", numbers(1, 365)},
      {"index", "max_shrink_percent", numbers(0, 100)},
      {"scan", "fail_on", words({"low", "moderate", "high", "critical"})},
      {"ignores", "from_repo", words({"allow", "report-only"})},
      {"ignores", "max_days", numbers(1, 3650)},
      {"fix", "cooldown_days", numbers(0, 365)},
      {"fix", "install_scripts", words({"allow", "refuse"})},
      {"fix", "override_across_major", words({"allow", "refuse"})},
      {"fix", "unproven", words({"allow", "refuse"})},
      {"gates", "run_scripts", packages},
      {"gates", "fetch_urls", hosts},
      {"gates", "isolation", words({"namespaces", "microvm_emulated", "microvm"})},
      {"gates", "weak_tests", words({"allow", "handoff", "refuse"})},
      {"gates", "limits", limits},
      {"model", "max_tier", words({"recipe", "rag", "llm"})},
      {"model", "name", words({"m", "n"}), true},
      {"model", "prices", prices, true},
      {"model", "port", numbers(1, 65'535), true},
      {"model", "server", words({"llama.cpp", "vllm", "ollama", "other"}), true},
      {"budget", "tokens", numbers(0, 100'000'000)},
      {"budget", "tokens_per_call", numbers(0, 1'000'000)},
      {"budget", "usd", [](Random& random) { return "\"" + number(random, 0, 999'999) + ".5\""; }},
      {"learn", "weak", words({"allow", "refuse"})},
  };
  return kAll;
}

enum class Author { operator_of_workspace, repository };

/// Some of the keys; a section stands there only if it has one.
std::string document(Random& random, Author author) {
  std::map<std::string, std::string> sections;
  for (const Key& key : keys()) {
    if (random() % 2 == 0) continue;
    if (key.operators_alone && author == Author::repository) continue;
    sections[key.section] += "  " + key.name + ": " + key.value(random) + "\n";
  }
  std::string out = sections.empty() ? "{}\n" : "";
  for (const auto& [name, body] : sections) out += name + ":\n" + body;
  return out;
}

struct Judged {
  const char* member;
  bool looser;
  bool tighter;
};

template <class T>
Judged smaller(const char* member, const T& own, const T& now) {
  return {member, own < now, now < own};
}
template <class T>
Judged greater(const char* member, const T& own, const T& now) {
  return {member, now < own, own < now};
}
template <class T>
Judged same(const char* member, const T& own, const T& now) {
  return {member, own != now, false};
}

Judged subset(const char* member, const std::vector<std::string>& own,
              const std::vector<std::string>& now) {
  const std::set<std::string> had(own.begin(), own.end());
  const bool all =
      std::all_of(now.begin(), now.end(), [&](const auto& n) { return had.contains(n); });
  return {member, !all, all && now.size() < own.size()};
}

/// Without a level no finding fails a scan.
Judged earlier(const char* member, std::optional<advisory::Level> own,
               std::optional<advisory::Level> now) {
  const int never = static_cast<int>(advisory::Level::unknown) + 1;
  const auto rank = [&](auto level) { return level ? static_cast<int>(*level) : never; };
  return smaller(member, rank(own), rank(now));
}

std::vector<Judged> judge(const Policy& own, const Policy& now) {
  const auto& [anchor, age, shrink, fail_on, ignores, ignore_days, cooldown, scripts, major,
               unproven, run, urls, isolation, weak, limits, tier, model, price, port, server,
               tokens, per_call, usd, learn] = own;
  const auto& [anchor2, age2, shrink2, fail_on2, ignores2, ignore_days2, cooldown2, scripts2,
               major2, unproven2, run2, urls2, isolation2, weak2, limits2, tier2, model2, price2,
               port2, server2, tokens2, per_call2, usd2, learn2] = now;
  return {smaller("anchor_within_days", anchor, anchor2),
          smaller("index_max_age_days", age, age2),
          smaller("index_max_shrink_percent", shrink, shrink2),
          earlier("fail_on", fail_on, fail_on2),
          smaller("repo_ignores", ignores, ignores2),
          smaller("ignore_max_days", ignore_days, ignore_days2),
          greater("cooldown_days", cooldown, cooldown2),
          greater("install_scripts", scripts, scripts2),
          greater("forced_major", major, major2),
          greater("unproven", unproven, unproven2),
          subset("run_scripts", run, run2),
          subset("fetch_urls", urls, urls2),
          greater("isolation", isolation, isolation2),
          greater("weak_tests", weak, weak2),
          smaller("install_s", limits.install_s, limits2.install_s),
          smaller("load_s", limits.load_s, limits2.load_s),
          smaller("build_s", limits.build_s, limits2.build_s),
          smaller("tests_s", limits.tests_s, limits2.tests_s),
          smaller("typecheck_s", limits.typecheck_s, limits2.typecheck_s),
          smaller("memory_mb", limits.memory_mb, limits2.memory_mb),
          smaller("processes", limits.processes, limits2.processes),
          smaller("max_tier", tier, tier2),
          same("model", model, model2),
          same("prices", price, price2),
          same("model_port", port, port2),
          same("model_server", server, server2),
          smaller("budget_tokens", tokens, tokens2),
          smaller("budget_tokens_per_call", per_call, per_call2),
          smaller("budget_usd", usd, usd2),
          greater("learn_weak", learn, learn2)};
}

constexpr int kTrials = 4'000;
/// What has no order is the operator's alone.
const std::set<std::string> kUnordered = {"model", "prices", "model_port", "model_server"};

TEST(PolicyLayers, NoLayerLoosensAnything) {
  Random random(13);  // NOLINT(cert-msc32-c,cert-msc51-cpp): the same layers every time
  std::set<std::string> set;
  std::set<std::string> tighter;
  for (int i = 0; i < kTrials; ++i) {
    const std::string mine = document(random, Author::operator_of_workspace);
    const std::string theirs = document(random, Author::repository);
    SCOPED_TRACE(mine + "---\n" + theirs);
    const auto own = parse_policy(mine);
    const auto layer = parse_layer(theirs);
    ASSERT_TRUE(own) << own.error().what;
    ASSERT_TRUE(layer) << layer.error().what;
    const Policy both = tightened(*own, *layer);
    for (const Judged& one : judge(Policy(), *own)) {
      if (one.looser || one.tighter) set.insert(one.member);
    }
    for (const Judged& one : judge(*own, both)) {
      EXPECT_FALSE(one.looser) << one.member;
      if (one.tighter) tighter.insert(one.member);
    }
    EXPECT_EQ(tightened(both, *layer), both) << "said twice it is the same";
  }
  for (const Judged& one : judge(Policy(), Policy())) {
    EXPECT_TRUE(set.contains(one.member)) << one.member << ": no key above sets it";
    EXPECT_NE(tighter.contains(one.member), kUnordered.contains(one.member)) << one.member;
  }
}

TEST(PolicyLayers, NorDoesALayerThatNoFileCouldHold) {
  Random random(14);  // NOLINT(cert-msc32-c,cert-msc51-cpp)
  for (int i = 0; i < kTrials; ++i) {
    const auto own = parse_policy(document(random, Author::operator_of_workspace));
    const auto other = parse_policy(document(random, Author::operator_of_workspace));
    ASSERT_TRUE(own && other);
    const Policy both = tightened(*own, Layer{*other, random() % 2 == 0, random() % 2 == 0});
    for (const Judged& one : judge(*own, both)) EXPECT_FALSE(one.looser) << one.member;
  }
}

TEST(PolicyLayers, LimitsHaveRangesAndNoOthersAreKnown) {
  const auto own = parse_policy("gates: {limits: {tests_s: 900, memory_mb: 4096}}");
  ASSERT_TRUE(own) << own.error().what;
  EXPECT_EQ(own->limits.tests_s, 900);
  EXPECT_EQ(own->limits.memory_mb, 4'096);
  EXPECT_EQ(own->limits.install_s, 300);
  const auto layer = parse_layer("gates: {limits: {tests_s: 7200, install_s: 30}}");
  ASSERT_TRUE(layer) << layer.error().what;
  EXPECT_EQ(tightened(*own, *layer).limits.tests_s, 900) << "a repository only lowers";
  EXPECT_EQ(tightened(*own, *layer).limits.install_s, 30);
  const auto refused = [](const std::string& text) {
    const auto policy = parse_policy(text);
    return policy ? std::string("taken") : policy.error().what;
  };
  EXPECT_EQ(refused("gates: {limits: 5}"), "gates.limits must be a mapping of limits");
  EXPECT_EQ(refused("gates: {limits: {tests: 5}}"), "unknown key gates.limits.tests");
  EXPECT_EQ(refused("gates: {limits: {tests_s: 9}}"),
            "gates.limits.tests_s must be a number from 10 to 7200");
  EXPECT_EQ(refused("gates: {limits: {processes: many}}"),
            "gates.limits.processes must be a number from 64 to 32768");
}

TEST(PolicyLayers, ScriptsThatTheOperatorDoesNotNameAreNeverRun) {
  const auto run = [](std::string_view own, std::string_view layer) {
    return tightened(*parse_policy(own), *parse_layer(layer)).run_scripts;
  };
  using Names = std::vector<std::string>;
  const std::string both = "gates: {run_scripts: [b, a]}";
  EXPECT_EQ(run("{}", both), Names());
  EXPECT_EQ(run("gates: {isolation: microvm}", both), Names());
  EXPECT_EQ(run("gates: {run_scripts: []}", both), Names());
  EXPECT_EQ(run(both, "{}"), Names({"a", "b"}));
  EXPECT_EQ(run(both, "gates: {isolation: microvm}"), Names({"a", "b"}));
  EXPECT_EQ(run(both, "gates: {run_scripts: []}"), Names());
  EXPECT_EQ(run(both, "gates: {run_scripts: [b, c]}"), Names({"b"}));
}

TEST(PolicyLayers, HostsThatTheOperatorDoesNotNameAreNeverAsked) {
  const auto fetch = [](std::string_view own, std::string_view layer) {
    return tightened(*parse_policy(own), *parse_layer(layer)).fetch_urls;
  };
  using Names = std::vector<std::string>;
  const std::string both = "gates: {fetch_urls: [b.example, a.example]}";
  EXPECT_EQ(fetch("{}", both), Names());
  EXPECT_EQ(fetch(both, "{}"), Names({"a.example", "b.example"}));
  EXPECT_EQ(fetch(both, "gates: {fetch_urls: []}"), Names());
  EXPECT_EQ(fetch(both, "gates: {fetch_urls: [b.example, c.example]}"), Names({"b.example"}));
}

TEST(PolicyLayers, AHostIsItsNameAndNothingElse) {
  for (const char* host : {"files.example", "\"files.example:8443\"", "127.0.0.1", "\"[::1]:9\""}) {
    EXPECT_TRUE(parse_policy("gates: {fetch_urls: [" + std::string(host) + "]}").has_value())
        << host;
  }
  for (const char* host : {"https://files.example", "files.example/a", "\"*.example\"", "\"\"",
                           "Files.example", "\"files.example:443\"", ".example", "3"}) {
    EXPECT_FALSE(parse_policy("gates: {fetch_urls: [" + std::string(host) + "]}").has_value())
        << host;
  }
  EXPECT_FALSE(parse_policy("gates: {fetch_urls: files.example}").has_value());
}

}  // namespace
}  // namespace cg::workspace
