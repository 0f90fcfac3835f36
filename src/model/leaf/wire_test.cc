// The same question has the same bytes, and an answer is a plan to its last byte or none.
#include "model/leaf/wire.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json/json.h"
#include "model/leaf/key_frame.h"
#include "model/leaf/retry.h"

namespace cg::leaf {
namespace {

using json::Value;
using net::FailureKind;
using net::Wire;
using proposal::Fault;
using testing::HasSubstr;
using testing::Not;

const char* const kPlan =
    R"({"kind":"dep_bump","manifest_path":"package.json","package":"left-pad",)"
    R"("target_version":"2.0.0","rationale":"newest"})";

std::string messages_answer(const std::string& text, const std::string& reason = "end_turn") {
  return json::write_json(
      Value::Object{{"type", "message"},
                    {"role", "assistant"},
                    {"model", "claude-test-1"},
                    {"content", Value::Array{Value::Object{{"type", "text"}, {"text", text}}}},
                    {"stop_reason", reason},
                    {"usage", Value::Object{{"input_tokens", 3}, {"output_tokens", 4}}}});
}

Raw ok(std::string body) { return {200, "application/json; charset=utf-8", "", std::move(body)}; }

Fault fault_of(const Raw& raw) {
  const auto heard = read_answer(Wire::messages, raw);
  EXPECT_TRUE(heard.has_value()) << raw.body;
  const auto* violation = heard ? std::get_if<proposal::Violation>(&heard->said) : nullptr;
  EXPECT_NE(violation, nullptr) << raw.body;
  return violation != nullptr ? violation->fault : Fault::bad_text;
}

TEST(Question, HasTheDocumentedShape) {
  const std::string system(5000, 's');
  const auto value = json::parse_json(
      write_question(Wire::messages, {"claude-test-1", system, "do \"it\"\n", 1234}));
  ASSERT_TRUE(value.has_value());
  EXPECT_EQ(*value->find("max_tokens")->as_int(), 1234);
  const Value& block = value->find("system")->as_array()->front();
  EXPECT_EQ(*block.find("text")->as_string(), system);
  EXPECT_EQ(*block.find("cache_control")->find("type")->as_string(), "ephemeral");
  const Value* format = value->find("output_config")->find("format");
  EXPECT_EQ(*format->find("type")->as_string(), "json_schema");
  EXPECT_EQ(json::write_json(*format->find("schema")), proposal::json_schema());
  EXPECT_EQ(value->find("messages")->as_array()->size(), 1U);
  EXPECT_EQ(value->find("temperature"), nullptr);  // newer models refuse it
  EXPECT_EQ(value->find("stream"), nullptr);
}

TEST(Question, AShortSystemTextIsNotMarkedForCaching) {
  EXPECT_THAT(write_question(Wire::messages, {"m", "short", "b", 1}), Not(HasSubstr("cache")));
}

TEST(Question, TheSameQuestionHasTheSameBytes) {
  for (const Wire wire : {Wire::messages, Wire::chat}) {
    const Question question{"m", "s", "b", 9};
    EXPECT_EQ(write_question(wire, question), write_question(wire, question));
  }
}

TEST(Question, ChatAsksForTheSchemaAndNoChance) {
  const auto value = json::parse_json(write_question(Wire::chat, {"qwen:7b", "s", "b", 9}));
  EXPECT_EQ(*value->find("temperature")->as_int(), 0);
  EXPECT_EQ(*value->find("stream")->as_bool(), false);
  const Value* format = value->find("response_format");
  EXPECT_EQ(json::write_json(*format->find("json_schema")->find("schema")),
            proposal::json_schema());
}

TEST(Answer, IsAPlanWithItsCost) {
  const auto heard = read_answer(Wire::messages, ok(messages_answer(kPlan)));
  ASSERT_TRUE(heard.has_value());
  EXPECT_TRUE(std::holds_alternative<proposal::Proposal>(heard->said));
  EXPECT_EQ(heard->tokens.input, 3U);
  EXPECT_EQ(heard->tokens.output, 4U);
  EXPECT_EQ(heard->model, "claude-test-1");
}

TEST(Answer, WordsAroundAPlanMakeItNone) {
  const std::string plan = kPlan;
  for (const std::string& text :
       {"Here: " + plan, plan + " done", "```json\n" + plan + "\n```", plan + plan, std::string(),
        plan.substr(0, plan.size() - 1), "[" + plan + "]"}) {
    const auto heard = read_answer(Wire::messages, ok(messages_answer(text)));
    ASSERT_TRUE(heard.has_value()) << text;
    EXPECT_TRUE(std::holds_alternative<proposal::Violation>(heard->said)) << text;
  }
}

/// As messages_answer(), with these blocks.
std::string blocks_answer(Value::Array blocks) {
  auto value = *json::parse_json(messages_answer(kPlan));
  Value::Object members = *value.as_object();
  for (auto& [key, member] : members) {
    if (key == "content") member = Value(std::move(blocks));
  }
  return json::write_json(Value(std::move(members)));
}
Value text_block_of(const std::string& text) {
  return Value::Object{{"type", "text"}, {"text", text}};
}

TEST(Answer, WhatAModelThinksIsNoPartOfWhatItSays) {
  const std::string plan = kPlan;
  const Value thought =
      Value::Object{{"type", "thinking"}, {"thinking", "{\"kind\":"}, {"signature", "c2lnbmVk"}};
  const Value redacted = Value::Object{{"type", "redacted_thinking"}, {"data", "c2VhbGVk"}};
  const auto said = [](Value::Array blocks) {
    const auto heard = read_answer(Wire::messages, ok(blocks_answer(std::move(blocks))));
    return heard && std::holds_alternative<proposal::Proposal>(heard->said);
  };
  EXPECT_TRUE(said({thought, text_block_of(plan)}));
  EXPECT_TRUE(said({thought, redacted, text_block_of(plan), thought}));
  EXPECT_TRUE(said({text_block_of(plan.substr(0, 20)), redacted, text_block_of(plan.substr(20))}));
  // All text counts, so two plans are none.
  EXPECT_FALSE(said({text_block_of(plan), text_block_of(plan)}));
  EXPECT_FALSE(said({text_block_of("Here it is:"), text_block_of(plan)}));
  EXPECT_EQ(fault_of(ok(blocks_answer({}))), Fault::missing_key);
  EXPECT_EQ(fault_of(ok(blocks_answer({thought, redacted}))), Fault::missing_key);
  const Value tool = Value::Object{
      {"type", "tool_use"}, {"id", "1"}, {"name", "plan"}, {"input", Value::Object{}}};
  EXPECT_EQ(fault_of(ok(blocks_answer({tool, text_block_of(plan)}))), Fault::unknown_kind);
  EXPECT_EQ(fault_of(ok(blocks_answer({Value::Object{{"type", "text"}}}))), Fault::unknown_kind);
  EXPECT_EQ(fault_of(ok(blocks_answer({Value("text")}))), Fault::unknown_kind);
}

TEST(Answer, OnlyATurnThatEndedCounts) {
  EXPECT_EQ(fault_of(ok(messages_answer(kPlan, "max_tokens"))), Fault::too_large);
  EXPECT_EQ(fault_of(ok(messages_answer(kPlan, "tool_use"))), Fault::unknown_kind);
  EXPECT_EQ(fault_of(ok(messages_answer(kPlan, "pause_turn"))), Fault::unknown_kind);
}

TEST(Answer, AnEnvelopeThatIsNoneIsAProtocolFailure) {
  const std::string good = messages_answer(kPlan);
  const auto without = [&](const std::string& key) {
    std::string out = good;
    out.replace(out.find("\"" + key + "\""), key.size() + 2, "\"other\"");
    return ok(out);
  };
  std::vector<Raw> bad = {without("type"),
                          without("role"),
                          without("model"),
                          without("content"),
                          without("stop_reason"),
                          without("usage"),
                          without("input_tokens"),
                          without("output_tokens"),
                          ok(""),
                          ok("[]"),
                          ok(good + "x"),
                          ok("{\"type\":1," + good.substr(1)),
                          ok("\xef\xbb\xbf" + good),
                          {200, "text/html", "", good}};
  for (const Raw& raw : bad) {
    const auto heard = read_answer(Wire::messages, raw);
    ASSERT_FALSE(heard.has_value()) << raw.body;
    EXPECT_EQ(heard.error().kind, FailureKind::protocol);
  }
}

TEST(Answer, NoCutOfAGoodOneIsAPlan) {
  const std::string good = messages_answer(kPlan);
  for (std::size_t size = 0; size < good.size(); ++size) {
    EXPECT_FALSE(read_answer(Wire::messages, ok(good.substr(0, size))).has_value());
  }
}

TEST(Answer, AStatusIsToldWithTheServersNameForIt) {
  const auto heard = read_answer(
      Wire::messages, {529, "application/json", "30",
                       R"({"type":"error","error":{"type":"overloaded_error","message":"x"}})"});
  ASSERT_FALSE(heard.has_value());
  EXPECT_EQ(heard.error().kind, FailureKind::status);
  EXPECT_EQ(heard.error().detail, "status 529: overloaded_error");
  EXPECT_EQ(heard.error().retry_after_s, 30U);
  const auto odd =
      read_answer(Wire::messages, {404, "", "", R"({"error":{"type":"Look \u0007"}})"});
  EXPECT_EQ(odd.error().detail, "status 404");
}

TEST(RetryAfter, IsANumberOfSecondsUpToAnHour) {
  EXPECT_EQ(parse_retry_after("0"), 0U);
  EXPECT_EQ(parse_retry_after("120"), 120U);
  EXPECT_EQ(parse_retry_after("999999"), 3600U);
  for (const char* text : {"", "-1", "1.5", "07", "Wed, 21 Oct 2026 07:28:00 GMT", "99999999999"}) {
    EXPECT_EQ(parse_retry_after(text), std::nullopt) << text;
  }
}

TEST(Secrets, AreTakenOutOfWhatIsRecorded) {
  const std::string key = "abcdefghijklmnopqrstuvwxyz";
  EXPECT_EQ(without_secrets("x" + key + "y" + key, key), "xREDACTEDyREDACTED");
  EXPECT_EQ(without_secrets(R"({"a":"sk-ant-api03-AbC_d-9","b":"claude_x1"})", ""),
            R"({"a":"REDACTED","b":"REDACTED"})");
  EXPECT_EQ(without_secrets("claude-test-1", ""), "claude-test-1");
}

TEST(ModelName, IsAName) {
  for (const char* good : {"claude-opus-4-7", "qwen2.5-coder:7b", "org/model@1"}) {
    EXPECT_TRUE(is_model_name(good));
  }
  for (const std::string& bad : {std::string(), std::string("a b"), std::string("a\n"),
                                 std::string("a\"b"), std::string(129, 'a')}) {
    EXPECT_FALSE(is_model_name(bad));
  }
}

TEST(KeyFrame, ReadsBackAndNothingElseDoes) {
  const std::string head = write_key_head("kernel", 108);
  ASSERT_EQ(key_head_size(head[0]), head.size());
  const auto parsed = parse_key_head(head);
  ASSERT_TRUE(parsed.has_value());
  EXPECT_EQ(parsed->source, "kernel");
  EXPECT_EQ(parsed->key_size, 108U);
  EXPECT_EQ(parse_key_head(write_key_head(kKeyLocked, 0))->key_size, 0U);
  EXPECT_FALSE(parse_key_head(head + "x").has_value());
  for (std::size_t size = 0; size < head.size(); ++size) {
    EXPECT_FALSE(parse_key_head(head.substr(0, size)).has_value());
  }
  std::string large = head;
  large[large.size() - 2] = 5;
  EXPECT_FALSE(parse_key_head(large).has_value());
  std::string odd = head;
  odd[1] = ' ';
  EXPECT_FALSE(parse_key_head(odd).has_value());
  EXPECT_FALSE(key_head_size('\0').has_value());
  EXPECT_FALSE(key_head_size('\x21').has_value());
}

TEST(Key, IsSomethingThatCanStandInAHeader) {
  EXPECT_TRUE(is_key("sk-ant-0123456789"));
  EXPECT_FALSE(is_key("short"));
  EXPECT_FALSE(is_key("0123456789 0123456789"));
  EXPECT_FALSE(is_key("0123456789012345\r\nx: y"));
  EXPECT_FALSE(is_key(std::string(1025, 'a')));
}

Failure failing(leaf::FailureKind kind, std::optional<std::uint32_t> after = std::nullopt) {
  Failure out{};
  out.kind = kind;
  out.retry_after_s = after;
  return out;
}

TEST(Retry, OnlyBusyAndBrokenServersAreAskedAgain) {
  using std::chrono::milliseconds;
  for (int i = 0; i <= static_cast<int>(leaf::FailureKind::not_recorded); ++i) {
    const auto kind = static_cast<leaf::FailureKind>(i);
    const bool again = kind == leaf::FailureKind::rate_limited || kind == leaf::FailureKind::server;
    EXPECT_EQ(delay_before(1, failing(kind), 0).has_value(), again) << name(kind);
  }
  const Failure busy = failing(leaf::FailureKind::rate_limited);
  EXPECT_EQ(delay_before(1, busy, 0), milliseconds(1'000));
  EXPECT_EQ(delay_before(2, busy, 0), milliseconds(4'000));
  EXPECT_EQ(delay_before(3, busy, 0), milliseconds(16'000));
  EXPECT_EQ(delay_before(4, busy, 0), std::nullopt);
  EXPECT_EQ(delay_before(1, busy, 0xffffffff), milliseconds(1'249));
  EXPECT_EQ(delay_before(1, failing(leaf::FailureKind::server, 9), 0), milliseconds(9'000));
  EXPECT_EQ(delay_before(1, failing(leaf::FailureKind::server, 61), 0), std::nullopt);
}

}  // namespace
}  // namespace cg::leaf
