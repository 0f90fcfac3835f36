// The port as the rest of codegenie sees it: a built prompt and a minted token in, a plan out;
// again after a server that is busy; and the same through the spawner.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "fix/plugin/skill.h"
#include "jail/spawn/host.h"
#include "leaf/world.h"
#include "model/leaf/process_leaf.h"
#include "model/prompt/nonces.h"

namespace cg::leaf::test {
namespace {

using std::chrono::milliseconds;
using testing::ElementsAre;
using testing::HasSubstr;

std::string messages_answer() {
  std::string plan;
  for (const char c : plan_json()) {
    if (c == '"') plan += '\\';
    plan += c;
  }
  return R"({"type":"message","role":"assistant","model":"claude-test-1","content":[{"type":)"
         R"("text","text":")" +
         plan + R"("}],"stop_reason":"end_turn","usage":{"input_tokens":11,"output_tokens":12}})";
}

class FixedRandom final : public os::Random {
 public:
  void fill(std::span<Byte> bytes) override {
    for (Byte& byte : bytes) byte = 0;
  }
};

class NotedPause final : public Pause {
 public:
  void wait(milliseconds time) override { waited.push_back(time); }
  std::vector<milliseconds> waited;
};

/// Plays these, one after the other, to whatever is asked.
class ListedTape final : public Tape {
 public:
  explicit ListedTape(std::vector<net::Play> answers) : answers_(std::move(answers)) {}
  std::optional<net::Play> find(std::string_view request) override {
    requests.emplace_back(request);
    if (requests.size() > answers_.size()) return std::nullopt;
    return answers_[requests.size() - 1];
  }
  bool keep(const net::Recorded& exchange) override {
    kept.push_back(exchange);
    return true;
  }
  std::vector<std::string> requests;
  std::vector<net::Recorded> kept;

 private:
  std::vector<net::Play> answers_;
};

prompt::Prompt a_prompt() {
  static const auto skill = plugin::SkillReader::read({"skills/x.md", "Answer with a plan.\n"});
  EXPECT_TRUE(skill.has_value());
  prompt::SeededNonces nonces({});
  prompt::PromptBuilder builder(*skill, nonces);
  builder.task({.advisory = "GHSA-aaaa-bbbb-cccc",
                .package = "left-pad",
                .installed = "1.0.0",
                .target = "2.0.0",
                .manifest = "package.json"});
  builder.add(SourceKind::cve_description, "A \"flaw\" in left-pad.");
  return std::move(builder).build();
}

struct Invoked {
  Reply reply;
  unsigned retries;
};

Invoked invoke(Settings settings, Tape* tape, NotedPause& pause) {
  const Money one = Money::parse_or_die("1.00");
  budget::Ledger ledger({}, Price{"claude-test-1", one, one, one, one});
  auto token = ledger.precharge(4000, 4096);
  EXPECT_TRUE(token.has_value());
  const prompt::Prompt prompt = a_prompt();
  FixedRandom random;
  ProcessLeaf leaf(World::programs(), std::move(settings), random, pause, tape);
  Reply reply = leaf.invoke({prompt.system, prompt.body, "claude-test-1"}, *std::move(token));
  return {std::move(reply), leaf.retries()};
}

const net::Play kPlanned{200, "application/json", "", messages_answer()};

TEST(Port, AReplayedAnswerIsAProposalWithItsTrace) {
  NotedPause pause;
  ListedTape tape({kPlanned});
  const Invoked invoked = invoke({}, &tape, pause);
  const auto* proposed = std::get_if<Proposed>(&invoked.reply.answer);
  ASSERT_NE(proposed, nullptr);
  EXPECT_EQ(proposal::kind_of(proposed->plan), "dep_bump");
  EXPECT_EQ(proposed->trace.usage, (budget::Usage{11, 12, 0, 0}));
  EXPECT_EQ(proposed->trace.key_source, "none");
  EXPECT_EQ(proposed->trace.key_memory, "none");
  EXPECT_THAT(proposed->trace.isolation, HasSubstr("seccomp"));
  EXPECT_EQ(invoked.reply.receipt.call(), 1U);
  ASSERT_EQ(tape.requests.size(), 1U);
  EXPECT_THAT(tape.requests[0], HasSubstr("UNTRUSTED_INPUT id="));
  EXPECT_TRUE(pause.waited.empty());
}

TEST(Port, ABusyServerIsAskedAgainThreeTimesAtMost) {
  const net::Play busy{429, "application/json", "", "{}"};
  const net::Play broken{500, "application/json", "2", "{}"};
  NotedPause pause;
  ListedTape recovers({busy, broken, kPlanned});
  const Invoked recovered = invoke({}, &recovers, pause);
  EXPECT_TRUE(std::holds_alternative<Proposed>(recovered.reply.answer));
  EXPECT_EQ(recovered.retries, 2U);
  EXPECT_THAT(pause.waited, ElementsAre(milliseconds(1'000), milliseconds(4'000)));
  EXPECT_EQ(recovers.requests[0], recovers.requests[2]);

  NotedPause longer;
  ListedTape never({broken, broken, broken, broken, kPlanned});
  const Invoked invoked = invoke({}, &never, longer);
  const auto* failure = std::get_if<Failure>(&invoked.reply.answer);
  ASSERT_NE(failure, nullptr);
  EXPECT_EQ(failure->status, 500);
  EXPECT_THAT(longer.waited,
              ElementsAre(milliseconds(2'000), milliseconds(4'000), milliseconds(16'000)));
  EXPECT_EQ(never.requests.size(), 4U);
}

TEST(Port, WhatWasNotRecordedIsNotAsked) {
  NotedPause pause;
  ListedTape empty({});
  const Invoked invoked = invoke({}, &empty, pause);
  const auto* failure = std::get_if<Failure>(&invoked.reply.answer);
  ASSERT_NE(failure, nullptr);
  EXPECT_EQ(failure->kind, FailureKind::not_recorded);
  EXPECT_FALSE(failure->sent);
}

/// As codegenie has it: the programs are started by another process, which knows where they are.
class Spawned {
 public:
  explicit Spawned(std::vector<std::string> key_env) {
    spawn::Places places;
    places.folders = {std::filesystem::path(CG_LEAF).parent_path()};
    places.key_env = std::move(key_env);
    auto host = spawn::Host::start(places);
    EXPECT_TRUE(host.has_value());
    host_ = *std::move(host);
    spawn::set_current(host_.get());
  }
  ~Spawned() { spawn::set_current(nullptr); }

 private:
  std::unique_ptr<spawn::Host> host_;
};

TEST(Port, TheSpawnerStartsTheSamePrograms) {
  const auto world = World::make();
  if (world == nullptr) GTEST_SKIP() << cg::test::kNoNamespaces;
  Server server("plan", world->identity("good"), kAddress);
  Settings settings = world->settings({world->pin("server")});
  const Spawned spawned(std::exchange(settings.key_env, {}));
  settings.record = true;
  NotedPause pause;
  ListedTape tape({});
  const Invoked invoked = invoke(settings, &tape, pause);
  const auto* proposed = std::get_if<Proposed>(&invoked.reply.answer);
  const auto* failure = std::get_if<Failure>(&invoked.reply.answer);
  ASSERT_NE(proposed, nullptr) << (failure != nullptr ? failure->detail : "violated");
  EXPECT_EQ(proposed->trace.key_source, "systemd");
  EXPECT_THAT(proposed->trace.key_memory, testing::AnyOf("memfd_secret", "locked"));
  ASSERT_EQ(tape.kept.size(), 1U);
  EXPECT_EQ(server.seen().streams, 1);
}

}  // namespace
}  // namespace cg::leaf::test
