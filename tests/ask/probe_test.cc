// self-check model: one question, by the way of every other, and a row for each thing that works;
// and self-check keyring, which shows nothing of a key.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "ask/bench.h"

namespace cg::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

constexpr const char* kNoFlaw =
    R"({"kind":"refuse","reason":"insufficient_context","rationale":"there is no flaw"})";

struct Checked {
  Ran ran;
  std::string workflow;
  std::map<std::string, std::string> status;  // of each row
  std::map<std::string, std::string> detail;
};

Checked check(const AskBench& bench, const std::string& which, bool with_key = true) {
  Checked out{bench.inside({"self-check", which, "--json"},
                           with_key ? std::vector<std::string>{bench.key_store()}
                                    : std::vector<std::string>{}),
              {},
              {},
              {}};
  const auto parsed = json::parse_json(out.ran.out, {.max_bytes = out.ran.out.size() + 1});
  if (!parsed) {
    ADD_FAILURE() << out.ran.out << out.ran.err;
    return out;
  }
  out.workflow = text_of(*parsed, "workflow");
  for (const json::Value& row : list_of(*parsed, "checks")) {
    out.status[text_of(row, "what")] = text_of(row, "status");
    out.detail[text_of(row, "what")] = text_of(row, "detail");
  }
  return out;
}

TEST(ModelCheck, AsksOnceAndSaysWhatWorks) {
  const auto bench = AskBench::open("press");
  if (bench == nullptr) GTEST_SKIP() << kNoPackages;
  bench->world().answer({say(kNoFlaw)});
  const Checked checked = check(*bench, "model");
  EXPECT_EQ(checked.ran.exit, 0) << checked.ran.out << checked.ran.err;
  for (const char* what : {"reached", "tls", "pin", "key", "model", "structured output",
                           "stop reason", "usage", "latency", "cost"}) {
    ASSERT_TRUE(checked.status.contains(what)) << what << checked.ran.out;
    EXPECT_EQ(checked.status.at(what), "ok") << what << ": " << checked.detail.at(what);
  }
  EXPECT_EQ(checked.status.at("pins"), "warn") << "there is one alone, for a day";
  EXPECT_EQ(checked.status.size(), 11U) << checked.ran.out;
  EXPECT_THAT(checked.detail.at("key"), HasSubstr("systemd"));
  EXPECT_THAT(checked.detail.at("usage"), HasSubstr(" in, 300 out"));
  EXPECT_THAT(checked.ran.err, HasSubstr("tokens, $"));
  EXPECT_THAT(checked.ran.err, HasSubstr("at most"));
  ASSERT_THAT(bench->world().requests(), SizeIs(1));
  EXPECT_TRUE(bench->prompt(0).only_fenced("There is no flaw."));
  bench->expect_no_key({checked.ran});
  ASSERT_FALSE(checked.workflow.empty()) << "it is recorded without --record";
  const Ran log = bench->codegenie({"audit", "log", "--workflow", checked.workflow});
  for (const char* kind : {"fence_created", "budget_precharged", "leaf_invoked", "leaf_returned",
                           "budget_reconciled", "check_ran"}) {
    EXPECT_THAT(log.out, HasSubstr(kind));
  }
  EXPECT_EQ(bench->codegenie({"audit", "verify"}).exit, 0);
}

TEST(ModelCheck, NobodyIsAskedWherePolicyLetsNobodyBeAsked) {
  const auto bench = AskBench::open("press");
  if (bench == nullptr) GTEST_SKIP() << kNoPackages;
  const Ran offline =
      bench->inside({"self-check", "model", "--offline", "--json"}, {bench->key_store()});
  EXPECT_EQ(offline.exit, 0) << offline.out << offline.err;
  EXPECT_THAT(offline.out, HasSubstr("nobody was asked: --offline"));
  bench->set_policy("max_tier: llm", "max_tier: recipe");
  const Checked checked = check(*bench, "model");
  EXPECT_EQ(checked.ran.exit, 0) << checked.ran.out;
  EXPECT_EQ(checked.status.at("policy"), "warn");
  EXPECT_THAT(bench->world().seen(), IsEmpty());
  const Checked all = check(*bench, "all");
  EXPECT_FALSE(all.status.contains("cost")) << "what costs is asked for by name";
  EXPECT_THAT(bench->world().seen(), IsEmpty());
}

TEST(ModelCheck, WhatDoesNotWorkIsNamed) {
  const auto bench = AskBench::open("press", Shown::other);
  if (bench == nullptr) GTEST_SKIP() << kNoPackages;
  const Checked other = check(*bench, "model");
  EXPECT_EQ(other.ran.exit, 6) << other.ran.out;
  EXPECT_EQ(other.status.at("tls"), "ok");
  EXPECT_EQ(other.status.at("pin"), "fail") << other.detail.at("pin");
  EXPECT_THAT(bench->world().requests(), IsEmpty());
  const Checked locked = check(*bench, "model", false);
  EXPECT_EQ(locked.ran.exit, 6);
  EXPECT_EQ(locked.status.at("key"), "fail");
  EXPECT_FALSE(locked.status.contains("reached"));
}

TEST(ModelCheck, AServerThatTurnsASchemaDownIsTold) {
  const auto bench = AskBench::open("press");
  if (bench == nullptr) GTEST_SKIP() << kNoPackages;
  bench->set_policy("max_tier: llm", "max_tier: llm\n  port: " + bench->world().own_port());
  const std::string no = R"({"error":{"code":400,"type":"invalid_request_error"}})";
  bench->world().answer({json::Value::Object{{"status", 400}, {"body", no}}, say(kNoFlaw)});
  const Checked turned_down = check(*bench, "model", false);
  EXPECT_EQ(turned_down.ran.exit, 6);
  EXPECT_EQ(turned_down.status.at("answer"), "fail");
  EXPECT_THAT(turned_down.detail.at("answer"), HasSubstr("model.server: other"));
  bench->set_policy("max_tier: llm", "max_tier: llm\n  server: other");
  const Checked plain = check(*bench, "model", false);
  EXPECT_EQ(plain.ran.exit, 0) << plain.ran.out << plain.ran.err;
  EXPECT_EQ(plain.status.at("structured output"), "ok");
  const auto requests = bench->world().requests();
  ASSERT_THAT(requests, SizeIs(2));
  EXPECT_THAT(text_of(requests[0], "body"), HasSubstr("response_format"));
  EXPECT_THAT(text_of(requests[1], "body"), Not(HasSubstr("response_format")));
}

TEST(ModelCheck, WordsAroundAPlanAreAWarning) {
  const auto bench = AskBench::open("press");
  if (bench == nullptr) GTEST_SKIP() << kNoPackages;
  bench->world().answer({say("Sure! " + std::string(kNoFlaw))});
  const Checked checked = check(*bench, "model");
  EXPECT_EQ(checked.ran.exit, 0) << checked.ran.out;
  EXPECT_EQ(checked.status.at("structured output"), "warn");
  EXPECT_EQ(checked.status.at("cost"), "ok");
  EXPECT_THAT(bench->world().requests(), SizeIs(1)) << "no repair: it was harmless";
}

TEST(KeyringCheck, SaysWhereAKeyIsAndShowsNothingOfIt) {
  const auto bench = AskBench::open("press");
  if (bench == nullptr) GTEST_SKIP() << kNoPackages;
  const Checked held = check(*bench, "keyring");
  EXPECT_EQ(held.ran.exit, 0) << held.ran.out << held.ran.err;
  EXPECT_EQ(held.status.at("key"), "ok");
  EXPECT_THAT(held.detail.at("key"), HasSubstr("systemd"));
  EXPECT_EQ(held.status.at("memory"), "ok");
  for (const char* store : {"systemd", "kernel", "secret-service"}) {
    EXPECT_TRUE(held.status.contains(store)) << store;
  }
  const Ran status = bench->inside({"key", "status", "anthropic", "--json"}, {bench->key_store()});
  const auto parsed = json::parse_json(status.out);
  ASSERT_TRUE(parsed.has_value()) << status.out << status.err;
  bool shown = false;
  for (const json::Value& place : list_of(*parsed, "stores")) {
    const std::string fingerprint = text_of(place, "fingerprint");
    if (fingerprint.empty()) continue;
    shown = true;
    EXPECT_THAT(held.ran.out, Not(HasSubstr(fingerprint.substr(fingerprint.find(':') + 1))));
  }
  EXPECT_TRUE(shown) << status.out;
  bench->expect_no_key({held.ran});
  const Checked none = check(*bench, "keyring", false);
  EXPECT_EQ(none.ran.exit, 0) << none.ran.out;
  EXPECT_EQ(none.status.at("key"), "warn");
  EXPECT_THAT(bench->world().seen(), IsEmpty());
}

}  // namespace
}  // namespace cg::test
