// A model server on loopback, recorded answers, and leaves that do not keep to the order.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "leaf/world.h"
#include "support/loopback_server.h"

namespace cg::leaf::test {
namespace {

using cg::test::LoopbackServer;
using cg::test::Peer;
using cg::test::response;
using testing::HasSubstr;
using testing::Not;

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string chat_answer(const std::string& text, const std::string& finish = "stop") {
  return R"({"object":"chat.completion","model":"qwen","choices":[{"index":0,"finish_reason":")" +
         finish + R"(","message":{"role":"assistant","content":")" + escaped(text) +
         R"("}}],"usage":{"prompt_tokens":10,"completion_tokens":5}})";
}

const char* const kJson = "Content-Type: application/json\r\n";

/// What comes of asking a server on loopback that answers with `bytes`.
struct Asked {
  Outcome outcome;
  std::string request;
  int connections = 0;
};
Asked ask(const std::string& bytes) {
  Asked out;
  LoopbackServer server([&](Peer& peer) {
    out.request = peer.request().value_or("");
    peer.send(bytes);
  });
  Settings settings;
  settings.adapter = net::Adapter::loopback;
  settings.port = server.port();
  settings.limit = std::chrono::milliseconds(10'000);
  out.outcome = converse(World::programs(), settings, question());
  out.connections = server.connections();
  return out;
}

Failure failure_of(const Outcome& outcome) {
  const auto* failure = std::get_if<Failure>(&outcome.said);
  EXPECT_NE(failure, nullptr);
  return failure != nullptr ? *failure : Failure{};
}

TEST(Loopback, AServerOfOnesOwnAnswersWithoutAKey) {
  const Asked asked = ask(response("200 OK", chat_answer(plan_json()), kJson));
  const auto* plan = std::get_if<net::Told>(&asked.outcome.said);
  ASSERT_NE(plan, nullptr) << failure_of(asked.outcome).detail;
  EXPECT_EQ(plan->exchange.tokens.input, 10U);
  EXPECT_EQ(plan->exchange.model, "qwen");
  EXPECT_EQ(plan->exchange.key_source, "");
  EXPECT_EQ(plan->exchange.key_memory, net::KeyMemory::none);
  EXPECT_THAT(asked.request, HasSubstr("POST /v1/chat/completions HTTP/1.1"));
  EXPECT_THAT(asked.request, HasSubstr("Host: 127.0.0.1:"));
  EXPECT_THAT(asked.request, Not(HasSubstr("uthorization")));
  EXPECT_THAT(asked.request, Not(HasSubstr("x-api-key")));
}

TEST(Loopback, BadAnswersAreFailuresOrViolations) {
  const struct {
    std::string bytes;
    FailureKind kind;
  } failures[] = {
      {response("200 OK", "{", kJson), FailureKind::protocol},
      {response("200 OK", chat_answer(plan_json())), FailureKind::protocol},
      {response("307 Temporary Redirect", "", "Location: http://127.0.0.1:1/\r\n"),
       FailureKind::refused},
      {response("400 Bad", R"({"error":{"type":"invalid_request_error"}})"), FailureKind::refused},
      {response("502 Bad Gateway", "<html>", "Content-Type: text/html\r\n"), FailureKind::server},
      {response("200 OK", "data: {}\n\n", "Content-Type: text/event-stream\r\n"),
       FailureKind::protocol},
      {response("200 OK", R"({"error":{"type":"x"}})", kJson), FailureKind::protocol},
      {response("429 Too Many", "{}", "Retry-After: 3\r\n"), FailureKind::rate_limited},
      {response("503 No", "{}"), FailureKind::server},
      {"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{", FailureKind::protocol},
      {"HTTP/1.1 200 OK\r\nContent-Length: 2000000\r\n\r\n{", FailureKind::protocol},
      {"SSH-2.0-x\r\n", FailureKind::protocol},
      {"", FailureKind::unreachable},
      {response("200 OK", R"({"model":"m","choices":[]})", kJson), FailureKind::protocol},
  };
  for (const auto& c : failures) {
    SCOPED_TRACE(c.bytes.substr(0, 60));
    const Asked asked = ask(c.bytes);
    EXPECT_EQ(name(failure_of(asked.outcome).kind), name(c.kind));
    EXPECT_EQ(asked.connections, 1);
  }
  for (const std::string& body :
       {chat_answer("Sure! " + plan_json()), chat_answer(plan_json(), "length"),
        chat_answer(plan_json(), "tool_calls"), chat_answer("")}) {
    const Asked asked = ask(response("200 OK", body, kJson));
    EXPECT_TRUE(std::holds_alternative<net::Violated>(asked.outcome.said)) << body;
  }
}

TEST(Loopback, AServerOfWhichNothingIsKnownIsAskedPlainly) {
  LoopbackServer server([&](Peer& peer) {
    static_cast<void>(peer.request());
    peer.send(response("200 OK", chat_answer(plan_json()), kJson));
  });
  Settings settings;
  settings.adapter = net::Adapter::loopback;
  settings.wire = net::Wire::plain_chat;
  settings.record = true;
  settings.port = server.port();
  settings.limit = std::chrono::milliseconds(10'000);
  const Outcome outcome = converse(World::programs(), settings, question());
  EXPECT_TRUE(std::holds_alternative<net::Told>(outcome.said));
  ASSERT_TRUE(outcome.recorded.has_value());
  EXPECT_THAT(outcome.recorded->request, Not(HasSubstr("response_format")));
  EXPECT_THAT(outcome.recorded->request, HasSubstr("\"max_tokens\""));
}

TEST(Loopback, AFilterRefusesAndACostThatNobodyCountedIsUnknown) {
  const Asked filtered = ask(response("200 OK", chat_answer(plan_json(), "content_filter"), kJson));
  const auto* refused = std::get_if<net::Told>(&filtered.outcome.said);
  ASSERT_NE(refused, nullptr);
  EXPECT_THAT(refused->plan, HasSubstr("policy_block"));
  EXPECT_TRUE(refused->exchange.tokens.known);
  std::string uncounted = chat_answer(plan_json());
  uncounted = uncounted.substr(0, uncounted.find(",\"usage\"")) + "}";
  const Asked silent = ask(response("200 OK", uncounted, kJson));
  const auto* plan = std::get_if<net::Told>(&silent.outcome.said);
  ASSERT_NE(plan, nullptr) << failure_of(silent.outcome).detail;
  EXPECT_FALSE(plan->exchange.tokens.known);
}

TEST(Loopback, NobodyThereIsUnreachable) {
  Settings settings;
  settings.adapter = net::Adapter::loopback;
  settings.port = 9;
  const Outcome outcome = converse(World::programs(), settings, question());
  EXPECT_EQ(name(failure_of(outcome).kind), name(FailureKind::unreachable));
  EXPECT_FALSE(failure_of(outcome).sent);
}

TEST(Replay, AnswersOfEveryKindTakeTheSameWay) {
  const auto play = [](net::Play answer, net::Wire wire) {
    Settings settings;
    settings.wire = wire;
    return converse({"", "", CG_LEAF}, settings, question(), answer);
  };
  const Outcome plan =
      play({200, "application/json", "", chat_answer(plan_json())}, net::Wire::chat);
  EXPECT_TRUE(std::holds_alternative<net::Told>(plan.said));
  const Outcome busy = play({429, "", "12", ""}, net::Wire::messages);
  EXPECT_EQ(name(failure_of(busy).kind), name(FailureKind::rate_limited));
  EXPECT_EQ(failure_of(busy).retry_after_s, 12U);
  const Outcome wrong =
      play({200, "application/json", "", chat_answer(plan_json())}, net::Wire::messages);
  EXPECT_EQ(name(failure_of(wrong).kind), name(FailureKind::protocol));
}

TEST(Rogue, WhatALeafMustNotSayEndsItAndIsTold) {
  const cg::test::ScratchDir scratch;
  const struct {
    const char* mode;
    FailureKind kind;
  } cases[] = {
      {"early", FailureKind::unexpected},   {"twice_ready", FailureKind::unexpected},
      {"garbage", FailureKind::unexpected}, {"recorded", FailureKind::unexpected},
      {"piece", FailureKind::unexpected},   {"large", FailureKind::unexpected},
      {"quits", FailureKind::setup},        {"cut", FailureKind::setup},
      {"dies", FailureKind::setup},         {"mute", FailureKind::timeout},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.mode);
    const std::string path = scratch / c.mode;
    std::filesystem::create_symlink(CG_ROGUE, path);
    Settings settings;
    settings.limit = std::chrono::milliseconds(100);
    const Outcome outcome = converse({"", "", path}, settings, question(), {200, "", "", ""});
    EXPECT_EQ(name(failure_of(outcome).kind), name(c.kind)) << failure_of(outcome).detail;
  }
}

TEST(Conversation, AMissingProgramAndAPromptThatCannotBeSentAreSetup) {
  const Outcome missing = converse({"", "", "/nonexistent/leaf"}, Settings{}, question());
  EXPECT_EQ(name(failure_of(missing).kind), name(FailureKind::setup));
  const std::string large(net::kMaxBody + 1, 'x');
  for (const Question& bad :
       {Question{"m\n", "s", "b", 1}, Question{"m", "\xff", "b", 1}, Question{"m", "s", large, 1},
        Question{"m", "s", "b", 0}, Question{"m", "s", "b", kMaxTokens + 1}}) {
    EXPECT_EQ(name(failure_of(converse({"", "", CG_LEAF}, Settings{}, bad)).kind),
              name(FailureKind::setup));
  }
}

}  // namespace
}  // namespace cg::leaf::test
