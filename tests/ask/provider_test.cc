// What a model's server does beside answering, and what of it a user sees. Shapes as in
// src/model/leaf/provider_test.cc.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ask/bench.h"

namespace cg::test {
namespace {

using json::Value;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

Value block(const std::string& type, const std::string& key, const std::string& text) {
  return Value::Object{{"type", type}, {key, text}};
}

/// An answer of the hosted server as it is.
Value message(Value::Array content, const std::string& stop, std::int64_t input = 1200) {
  const Value body =
      Value::Object{{"id", "msg_1"},
                    {"type", "message"},
                    {"role", "assistant"},
                    {"model", kModel},
                    {"content", std::move(content)},
                    {"stop_reason", stop},
                    {"stop_sequence", Value()},
                    {"usage", Value::Object{{"input_tokens", input}, {"output_tokens", 300}}}};
  return Value::Object{{"body", json::write_json(body)}};
}

/// One of a server on loopback. Without `usage` it does not say what it took.
Value completion(const std::string& text, const std::string& finish, bool usage) {
  Value::Object body = {
      {"model", kModel},
      {"choices", Value::Array{Value::Object{
                      {"index", 0},
                      {"finish_reason", finish},
                      {"message", Value::Object{{"role", "assistant"}, {"content", text}}}}}}};
  if (usage) {
    body.emplace_back("usage", Value::Object{{"prompt_tokens", 1200},
                                             {"completion_tokens", 300},
                                             {"prompt_tokens_details", Value()}});
  }
  return Value::Object{{"body", json::write_json(Value(std::move(body)))}};
}

void ask_own_server(const AskBench& bench) {
  bench.set_policy("max_tier: llm", "max_tier: llm\n  port: " + bench.world().own_port());
}

TEST(Provider, AnOverloadedServerIsAskedAgain) {
  const auto bench = AskBench::open("press");
  if (bench == nullptr) GTEST_SKIP() << kNoPackages;
  const std::string overloaded = R"({"type":"error","error":{"type":"overloaded_error"}})";
  bench->world().answer(
      {Value::Object{{"status", 529}, {"body", overloaded}}, say(answer_text("press.right"))});
  const Proven proven = bench->ask();
  ASSERT_EQ(proven.ran.exit, 0) << proven.ran.out << proven.ran.err << bench->tape();
  EXPECT_EQ(text_of(proven.outcome, "outcome"), "fixed");
  EXPECT_THAT(bench->world().requests(), SizeIs(2));
  const auto returned = bench->events("leaf_returned");
  ASSERT_THAT(returned, SizeIs(1));
  EXPECT_EQ(number_of(returned[0], "retries"), 1);
  EXPECT_THAT(bench->events("budget_precharged"), SizeIs(1)) << "the same call";
}

TEST(Provider, AnAnswerThatWasCutOffIsAskedForOnceMore) {
  const auto bench = AskBench::open("press");
  if (bench == nullptr) GTEST_SKIP() << kNoPackages;
  const std::string right = answer_text("press.right");
  bench->world().answer(
      {message({block("text", "text", right.substr(0, right.size() / 2))}, "max_tokens"),
       say(right)});
  const Proven proven = bench->ask();
  ASSERT_EQ(proven.ran.exit, 0) << proven.ran.out << proven.ran.err << bench->tape();
  const auto rejected = bench->events("plan_proposal_rejected");
  ASSERT_THAT(rejected, SizeIs(1)) << bench->tape();
  EXPECT_EQ(text_of(rejected[0], "reason"), "too_large");
  EXPECT_EQ(text_of(rejected[0], "where"), "cut off at max_tokens");
  EXPECT_THAT(bench->world().requests(), SizeIs(2));
}

TEST(Provider, WhatAModelThinksFirstIsNoPartOfItsAnswer) {
  const auto bench = AskBench::open("press");
  if (bench == nullptr) GTEST_SKIP() << kNoPackages;
  Value thought = Value::Object{
      {"type", "thinking"}, {"thinking", "{\"kind\":\"refuse\"}"}, {"signature", "c2ln"}};
  bench->world().answer({message({std::move(thought), block("redacted_thinking", "data", "c2Vh"),
                                  block("text", "text", answer_text("press.right"))},
                                 "end_turn")});
  const Proven proven = bench->ask();
  ASSERT_EQ(proven.ran.exit, 0) << proven.ran.out << proven.ran.err << bench->tape();
  EXPECT_EQ(text_of(proven.outcome, "outcome"), "fixed");
  EXPECT_THAT(bench->world().requests(), SizeIs(1));
  EXPECT_THAT(bench->events("plan_proposal_rejected"), IsEmpty());
}

TEST(Provider, AFilterThatEndsAnAnswerEndsTheQuestionAndBreaksNoProtocol) {
  for (const bool hosted : {true, false}) {
    SCOPED_TRACE(hosted ? "hosted" : "loopback");
    const auto bench = AskBench::open("press");
    if (bench == nullptr) GTEST_SKIP() << kNoPackages;
    if (!hosted) ask_own_server(*bench);
    bench->world().answer(
        {hosted ? message({}, "refusal") : completion("{\"ki", "content_filter", true),
         say(answer_text("press.right"))});
    const Proven proven = bench->ask();
    EXPECT_EQ(proven.ran.exit, 7) << proven.ran.out << proven.ran.err;
    EXPECT_THAT(bench->world().requests(), SizeIs(1))
        << "nobody is paid for the same refusal twice";
    const auto accepted = bench->events("plan_proposal_accepted");
    ASSERT_THAT(accepted, SizeIs(1)) << bench->tape();
    EXPECT_EQ(text_of(accepted[0], "kind"), "refuse");
    EXPECT_THAT(bench->events("plan_proposal_rejected"), IsEmpty());
    EXPECT_THAT(proven.ran.out + proven.ran.err, HasSubstr("policy_block"));
  }
}

TEST(Provider, ACostThatNobodyCountedIsAllThatWasSetAside) {
  const auto bench = AskBench::open("press");
  if (bench == nullptr) GTEST_SKIP() << kNoPackages;
  ask_own_server(*bench);
  bench->world().answer({completion(answer_text("press.right"), "stop", false)});
  const Proven proven = bench->ask();
  ASSERT_EQ(proven.ran.exit, 0) << proven.ran.out << proven.ran.err << bench->tape();
  const auto settled = bench->events("budget_reconciled");
  ASSERT_THAT(settled, SizeIs(1));
  EXPECT_EQ(text_of(settled[0], "known"), "no");
  bench->expect_sound();
}

TEST(Provider, ACallThatUsedMoreThanWasSetAsideIsTheLast) {
  const auto bench = AskBench::open("press");
  if (bench == nullptr) GTEST_SKIP() << kNoPackages;
  bench->world().answer(
      {message({block("text", "text", answer_text("press.wrong"))}, "end_turn", 90'000),
       say(answer_text("press.right"))});
  const Proven proven = bench->ask();
  EXPECT_EQ(proven.ran.exit, 7) << proven.ran.out << proven.ran.err << bench->tape();
  EXPECT_THAT(bench->world().requests(), SizeIs(1));
  const auto over = bench->events("budget_reconciled_over");
  ASSERT_THAT(over, SizeIs(1)) << bench->tape();
  EXPECT_EQ(number_of(over[0], "tokens"), 90'300);
  const auto exceeded = bench->events("budget_exceeded");
  ASSERT_THAT(exceeded, SizeIs(1));
  EXPECT_EQ(text_of(exceeded[0], "cap"), "overshoot");
  EXPECT_EQ(bench->codegenie({"audit", "verify"}).exit, 0);
}

}  // namespace
}  // namespace cg::test
