// The real host name, a server of ours behind it, and the programs as they ship.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include "leaf/world.h"

namespace cg::leaf::test {
namespace {

using testing::HasSubstr;
using testing::Not;

const Failure* failure_in(const Outcome& outcome) { return std::get_if<Failure>(&outcome.said); }

std::string told(const Outcome& outcome) {
  if (const auto* failure = failure_in(outcome)) {
    return std::string(name(failure->kind)) + ": " + failure->detail;
  }
  if (const auto* violated = std::get_if<net::Violated>(&outcome.said)) {
    return "violation " + std::to_string(violated->fault) + " " + violated->where;
  }
  return "plan";
}

TEST(Leaf, ThePinnedServerAnswersOverHttp2) {
  const auto world = World::make();
  if (world == nullptr) GTEST_SKIP() << cg::test::kNoNamespaces;
  for (const char* pinned : {"server", "intermediate"}) {
    SCOPED_TRACE(pinned);
    Server server("plan", world->identity("good"), kAddress);
    ASSERT_TRUE(server.listens());
    const Outcome outcome =
        converse(World::programs(), world->settings({world->pin("stranger"), world->pin(pinned)}),
                 question());
    const Seen seen = server.seen();
    const auto* plan = std::get_if<net::Told>(&outcome.said);
    ASSERT_NE(plan, nullptr) << told(outcome) << seen.text;
    EXPECT_THAT(plan->plan, HasSubstr("left-pad"));
    EXPECT_EQ(plan->exchange.tokens.input, 1200U);
    EXPECT_EQ(plan->exchange.tokens.output, 80U);
    EXPECT_EQ(plan->exchange.tokens.cache_write, 30U);
    EXPECT_EQ(plan->exchange.tokens.cache_read, 7U);
    EXPECT_EQ(plan->exchange.model, "claude-test-1");
    EXPECT_EQ(plan->exchange.key_source, "systemd");
    EXPECT_NE(plan->exchange.key_memory, net::KeyMemory::none);
    EXPECT_THAT(outcome.isolation, HasSubstr("seccomp"));
    EXPECT_EQ(seen.streams, 1);
    EXPECT_THAT(seen.text, HasSubstr(R"("alpn":"h2")"));
    EXPECT_THAT(seen.text, HasSubstr(std::string(R"("x-api-key":")") + kKey));
    EXPECT_THAT(seen.text, HasSubstr(R"("anthropic-version":"2023-06-01")"));
    EXPECT_THAT(seen.text, HasSubstr(R"(":path":"/v1/messages")"));
    EXPECT_THAT(seen.text, HasSubstr(R"(\"output_config\":{\"format\":{\"type\":\"json_schema\")"));
    EXPECT_THAT(seen.text, HasSubstr(R"(\"cache_control\":{\"type\":\"ephemeral\"})"));
    EXPECT_FALSE(outcome.recorded.has_value());
  }
}

/// Who does not prove to be the server hears nothing: no Finished where the certificate is
/// wrong, and in no case a request.
TEST(Leaf, WhoIsNotThePinnedServerHearsNoRequest) {
  const auto world = World::make();
  if (world == nullptr) GTEST_SKIP() << cg::test::kNoNamespaces;
  const struct {
    const char* mode;
    const char* identity;
    const char* pin;
    FailureKind kind;
    const char* detail;
  } cases[] = {
      {"plan", "good", "stranger", FailureKind::pin_mismatch, "pinned"},
      {"plan", "good", "root", FailureKind::pin_mismatch, "pinned"},
      {"plan", "expired", "intermediate", FailureKind::tls, "expired"},
      {"plan", "other_host", "intermediate", FailureKind::tls, "mismatch"},
      {"plan", "untrusted", "stranger", FailureKind::tls, "certificate"},
      {"tls12", "good", "server", FailureKind::tls, ""},
      {"http1", "good", "server", FailureKind::tls, ""},
      {"no_alpn", "good", "server", FailureKind::tls, "HTTP/2"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(std::string(c.mode) + " " + c.identity + " " + c.pin);
    Server server(c.mode, world->identity(c.identity), kAddress);
    ASSERT_TRUE(server.listens());
    const Outcome outcome =
        converse(World::programs(), world->settings({world->pin(c.pin)}), question());
    const Seen seen = server.seen();
    const auto* failure = failure_in(outcome);
    ASSERT_NE(failure, nullptr) << told(outcome);
    EXPECT_EQ(name(failure->kind), name(c.kind)) << failure->detail;
    EXPECT_THAT(failure->detail, HasSubstr(c.detail));
    EXPECT_FALSE(failure->sent);
    EXPECT_EQ(seen.tcp, 1);
    EXPECT_EQ(seen.secure, 0);  // no handshake was completed
    EXPECT_EQ(seen.streams, 0) << seen.text;
    EXPECT_THAT(seen.text, Not(HasSubstr(R"("what":"bytes")")));
    EXPECT_THAT(seen.text, Not(HasSubstr(kKey)));
  }
}

TEST(Leaf, WithoutAPinThatCountsNobodyIsDialled) {
  const auto world = World::make();
  if (world == nullptr) GTEST_SKIP() << cg::test::kNoNamespaces;
  Server server("plan", world->identity("good"), kAddress);
  net::Pin old = world->pin("server");
  old.last_day = 20'000;  // 2024-10-04
  for (const auto& pins : {std::vector<net::Pin>{}, std::vector<net::Pin>{old}}) {
    const Outcome outcome = converse(World::programs(), world->settings(pins), question());
    ASSERT_NE(failure_in(outcome), nullptr) << told(outcome);
    EXPECT_EQ(failure_in(outcome)->kind, FailureKind::no_pin);
  }
  EXPECT_EQ(server.seen().tcp, 0);
}

TEST(Leaf, WithoutAKeyNobodyIsDialled) {
  const auto world = World::make();
  if (world == nullptr) GTEST_SKIP() << cg::test::kNoNamespaces;
  Server server("plan", world->identity("good"), kAddress);
  Settings settings = world->settings({world->pin("server")});
  settings.key_env = {"CREDENTIALS_DIRECTORY=/nonexistent"};
  const Outcome outcome = converse(World::programs(), settings, question());
  ASSERT_NE(failure_in(outcome), nullptr) << told(outcome);
  EXPECT_EQ(failure_in(outcome)->kind, FailureKind::no_key) << told(outcome);
  EXPECT_EQ(server.seen().tcp, 0);
}

TEST(Leaf, AResolverThatLiesIsNotFollowed) {
  const auto world = World::make();
  if (world == nullptr) GTEST_SKIP() << cg::test::kNoNamespaces;
  Server server("plan", world->identity("good"), "0.0.0.0");
  for (const char* address : {"127.0.0.1", "10.1.2.3", "192.168.1.1", "169.254.169.254", "::1",
                              "::ffff:127.0.0.1", "fd00::1"}) {
    SCOPED_TRACE(address);
    world->set_hosts(std::string(address) + " api.anthropic.com");
    const Outcome outcome =
        converse(World::programs(), world->settings({world->pin("server")}), question());
    ASSERT_NE(failure_in(outcome), nullptr) << told(outcome);
    EXPECT_EQ(failure_in(outcome)->kind, FailureKind::unresolved) << told(outcome);
  }
  EXPECT_EQ(server.seen().tcp, 0);
}

TEST(Leaf, ProxiesInTheEnvironmentAreNotAsked) {
  const auto world = World::make();
  if (world == nullptr) GTEST_SKIP() << cg::test::kNoNamespaces;
  for (const char* variable : {"https_proxy", "HTTPS_PROXY", "ALL_PROXY", "http_proxy"}) {
    setenv(variable, "http://127.0.0.1:9", 1);
  }
  setenv("SSL_CERT_FILE", "/dev/null", 1);
  setenv("SSLKEYLOGFILE", "/dev/null", 1);
  Server server("plan", world->identity("good"), kAddress);
  Settings settings = world->settings({world->pin("server")});
  for (const char* more : {"https_proxy=http://127.0.0.1:9", "SSL_CERT_FILE=/dev/null"}) {
    settings.key_env.emplace_back(more);
  }
  const Outcome outcome = converse(World::programs(), settings, question());
  EXPECT_EQ(told(outcome), "plan");
  EXPECT_EQ(server.seen().streams, 1);
}

TEST(Leaf, AnAnswerThatSaysNoIsAFailureOfItsKind) {
  const auto world = World::make();
  if (world == nullptr) GTEST_SKIP() << cg::test::kNoNamespaces;
  const struct {
    const char* mode;
    FailureKind kind;
    const char* detail;
  } cases[] = {
      {"redirect", FailureKind::refused, "redirect"},
      {"too_many", FailureKind::rate_limited, "rate_limit_error"},
      {"overloaded", FailureKind::server, "overloaded_error"},
      {"broken", FailureKind::server, "api_error"},
      {"forbidden", FailureKind::refused, "authentication_error"},
      {"absurd", FailureKind::server, "overloaded_error"},
      {"someday", FailureKind::rate_limited, "status 429"},
      {"gateway", FailureKind::server, "status 502"},
      {"late_error", FailureKind::protocol, "an error: overloaded_error"},
      {"events", FailureKind::protocol, "application/json"},
      {"html", FailureKind::protocol, "application/json"},
      {"not_json", FailureKind::protocol, "not JSON"},
      {"outer_duplicate", FailureKind::protocol, "duplicate"},
      {"outer_cut", FailureKind::protocol, "not JSON"},
      {"no_usage", FailureKind::protocol, "usage"},
      {"negative_usage", FailureKind::protocol, "usage"},
      {"echo_key", FailureKind::protocol, "the key back"},
      {"echo_escaped", FailureKind::protocol, "the key back"},
      {"huge", FailureKind::protocol, "1 MiB"},
      {"reset", FailureKind::protocol, "reset"},
      {"hangs_up", FailureKind::protocol, "closed"},
      {"goaway", FailureKind::protocol, "HTTP/2"},
      {"goaway_late", FailureKind::protocol, "closed"},
      {"many_headers", FailureKind::protocol, "headers"},
      {"garbage", FailureKind::protocol, "HTTP/2"},
      {"noise", FailureKind::protocol, "HTTP/2"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.mode);
    Server server(c.mode, world->identity("good"), kAddress);
    ASSERT_TRUE(server.listens());
    Settings settings = world->settings({world->pin("server")});
    settings.record = true;
    const Outcome outcome = converse(World::programs(), settings, question());
    const auto* failure = failure_in(outcome);
    ASSERT_NE(failure, nullptr) << told(outcome);
    EXPECT_EQ(name(failure->kind), name(c.kind)) << failure->detail;
    EXPECT_THAT(failure->detail, HasSubstr(c.detail));
    EXPECT_THAT(failure->detail, Not(HasSubstr("sk-test")));
    EXPECT_TRUE(failure->sent);
    if (std::string(c.mode) == "too_many") {
      EXPECT_EQ(failure->retry_after_s, 7U);
    }
    if (std::string(c.mode) == "absurd") {
      EXPECT_EQ(failure->retry_after_s, 3600U) << "more than anybody waits for, and bounded";
    }
    if (std::string(c.mode) == "someday") {
      EXPECT_EQ(failure->retry_after_s, std::nullopt);
    }
    if (outcome.recorded) {
      EXPECT_THAT(outcome.recorded->request + outcome.recorded->response,
                  Not(HasSubstr("sk-test")));
    }
    const Seen seen = server.seen();
    EXPECT_EQ(seen.tcp, 1) << "followed, or tried again";
  }
}

TEST(Leaf, WhatIsNoPlanIsAViolationWithItsCost) {
  const auto world = World::make();
  if (world == nullptr) GTEST_SKIP() << cg::test::kNoNamespaces;
  const struct {
    const char* mode;
    proposal::Fault fault;
  } cases[] = {
      {"prose", proposal::Fault::not_json},
      {"prose_after", proposal::Fault::trailing_bytes},
      {"extra_key", proposal::Fault::unknown_key},
      {"duplicate_key", proposal::Fault::duplicate_key},
      {"cut", proposal::Fault::too_large},
      {"full", proposal::Fault::too_large},
      {"paused", proposal::Fault::unknown_kind},
      {"tool", proposal::Fault::unknown_kind},
      {"two_blocks", proposal::Fault::trailing_bytes},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.mode);
    Server server(c.mode, world->identity("good"), kAddress);
    const Outcome outcome =
        converse(World::programs(), world->settings({world->pin("server")}), question());
    const auto* violated = std::get_if<net::Violated>(&outcome.said);
    ASSERT_NE(violated, nullptr) << told(outcome);
    EXPECT_EQ(name(static_cast<proposal::Fault>(violated->fault)), name(c.fault));
    EXPECT_EQ(violated->exchange.tokens.output, 80U);
  }
}

TEST(Leaf, ThinkingIsPassedOverAndARefusalIsOne) {
  const auto world = World::make();
  if (world == nullptr) GTEST_SKIP() << cg::test::kNoNamespaces;
  const auto plan_of = [&](const char* mode) {
    Server server(mode, world->identity("good"), kAddress);
    const Outcome outcome =
        converse(World::programs(), world->settings({world->pin("server")}), question());
    const auto* plan = std::get_if<net::Told>(&outcome.said);
    return plan != nullptr ? plan->plan : told(outcome);
  };
  EXPECT_THAT(plan_of("thinking"), HasSubstr("dep_bump"));
  EXPECT_THAT(plan_of("refusal"), HasSubstr("policy_block"));
}

TEST(Leaf, AServerThatIsSilentOrDripsMeetsTheDeadline) {
  const auto world = World::make();
  if (world == nullptr) GTEST_SKIP() << cg::test::kNoNamespaces;
  for (const char* mode : {"silent", "drip"}) {
    SCOPED_TRACE(mode);
    Server server(mode, world->identity("good"), kAddress);
    Settings settings = world->settings({world->pin("server")});
    settings.limit = std::chrono::milliseconds(1'500);
    const Outcome outcome = converse(World::programs(), settings, question());
    ASSERT_NE(failure_in(outcome), nullptr) << told(outcome);
    EXPECT_EQ(failure_in(outcome)->kind, FailureKind::timeout) << told(outcome);
    EXPECT_TRUE(failure_in(outcome)->sent);
    EXPECT_EQ(server.seen().streams, 1);
  }
}

TEST(Leaf, InterimAnswersArePassedOver) {
  const auto world = World::make();
  if (world == nullptr) GTEST_SKIP() << cg::test::kNoNamespaces;
  Server server("interim", world->identity("good"), kAddress);
  EXPECT_EQ(told(converse(World::programs(), world->settings({world->pin("server")}), question())),
            "plan");
}

TEST(Leaf, WhatIsRecordedPlaysBackTheSameWithoutServerOrKey) {
  const auto world = World::make();
  if (world == nullptr) GTEST_SKIP() << cg::test::kNoNamespaces;
  Outcome first;
  {
    Server server("plan", world->identity("good"), kAddress);
    Settings settings = world->settings({world->pin("server")});
    settings.record = true;
    first = converse(World::programs(), settings, question());
    static_cast<void>(server.seen());
  }
  ASSERT_TRUE(first.recorded.has_value()) << told(first);
  EXPECT_THAT(first.recorded->request, Not(HasSubstr(kKey)));
  const net::Recorded& tape = *first.recorded;
  Settings settings;
  const Outcome again = converse({"", "", CG_LEAF}, settings, question(),
                                 {tape.status, tape.content_type, tape.retry_after, tape.response});
  const auto* plan = std::get_if<net::Told>(&again.said);
  ASSERT_NE(plan, nullptr) << told(again);
  const net::Told& before = std::get<net::Told>(first.said);
  EXPECT_EQ(plan->plan, before.plan);
  EXPECT_EQ(plan->exchange.request, before.exchange.request);
  EXPECT_EQ(plan->exchange.response, before.exchange.response);
  EXPECT_EQ(plan->exchange.key_memory, net::KeyMemory::none);
}

}  // namespace
}  // namespace cg::leaf::test
