#include "model/tiers/asking.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>

#include "fix/plugin/load.h"
#include "model/prompt/nonces.h"
#include "trust/record/event_codec.h"

namespace cg::tiers {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kBump =
    R"({"kind":"dep_bump","manifest_path":"package.json","package":"left","target_version":"2.0.0","rationale":"r"})";
constexpr const char* kRefuse =
    R"({"kind":"refuse","reason":"out_of_scope","rationale":"I cannot say more"})";

/// Says what it was told to say, and keeps what it was asked.
class ScriptedLeaf final : public leaf::Leaf {
 public:
  leaf::Reply invoke(const leaf::Call& call, budget::Token token) override {
    asked.push_back(call.body.text());
    systems.push_back(call.system.text());
    budget::Receipt receipt(std::move(token));
    if (script.empty()) {
      ADD_FAILURE() << "asked once too often";
      return {leaf::Failure{leaf::FailureKind::unexpected, "", 0, {}, false}, std::move(receipt)};
    }
    const std::string text = script.front();
    script.pop_front();
    if (text.starts_with("!")) {
      return {leaf::Failure{leaf::FailureKind::pin_mismatch, "another key", 0, {}, false},
              std::move(receipt)};
    }
    leaf::Trace trace;
    trace.usage = {1000, 100, 0, 0};
    auto plan = proposal::parse(text);
    if (!plan) return {leaf::Violated{plan.error(), trace}, std::move(receipt)};
    return {leaf::Proposed{*std::move(plan), trace}, std::move(receipt)};
  }
  std::deque<std::string> script;
  std::vector<std::string> asked, systems;
};

class Kept final : public Journal {
 public:
  Result<Done, Problem> keep(const budget::Ledger& ledger) override {
    written.push_back(ledger.write());
    return Done{};
  }
  std::vector<std::string> written;
};

class OneExample final : public Retrieval {
 public:
  std::vector<Example> nearest(const Question&) override {
    return {{"rec-1", "0.91", false, "an example of old"}};
  }
};

class AskingTest : public ::testing::Test {
 protected:
  AskingTest() : plugins_(*plugin::Plugins::load(std::string(CG_SOURCE_DIR) + "/plugins")) {
    for (const plugin::Plugin& plugin : plugins_.all()) {
      for (const plugin::Skill& skill : plugin.skills) skill_ = &skill;
    }
    question_.group = "g";
    question_.task.advisory = "GHSA-aaaa-bbbb-cccc";
    question_.task.package = "left";
    question_.texts = {{SourceKind::cve_description, "a hole in left", ""}};
  }

  Asking make(Money usd = Money::parse_or_die("1.50"), unsigned violations = 0) {
    budget::Caps caps;
    caps.usd = usd;
    const Money one = Money::parse_or_die("1.00");
    return Asking({leaf_, *retrieval_, journal_, *skill_, nonces_, "model-a"},
                  budget::Ledger(caps, Price{"model-a", one, one, one, one}), violations, events_);
  }
  std::vector<std::string> kinds() const {
    std::vector<std::string> out;
    for (const record::Event& event : events_) out.emplace_back(record::kind_of(event));
    return out;
  }
  Asked ask(Asking& asking, unsigned attempt = 1, const std::vector<Text>& failure = {},
            const char* broken = nullptr) {
    auto asked = asking.ask(question_, attempt, failure,
                            [&](const proposal::Proposal&) -> std::optional<std::string> {
                              if (broken == nullptr) return std::nullopt;
                              return std::string(broken);
                            });
    EXPECT_TRUE(asked);
    return *std::move(asked);
  }

  plugin::Plugins plugins_;
  const plugin::Skill* skill_ = nullptr;
  NoExamples none_;
  Retrieval* retrieval_ = &none_;
  ScriptedLeaf leaf_;
  Kept journal_;
  prompt::SeededNonces nonces_{std::array<Byte, 32>{}};
  record::Events events_;
  Question question_;
};

TEST_F(AskingTest, TellsEveryStepInItsOrder) {
  leaf_.script = {kBump};
  Asking asking = make();
  EXPECT_TRUE(std::holds_alternative<Planned>(ask(asking)));
  EXPECT_THAT(kinds(), ElementsAre("rag_miss", "fence_created", "budget_precharged", "leaf_invoked",
                                   "leaf_key_loaded", "leaf_returned", "budget_reconciled",
                                   "plan_proposal_accepted"));
  EXPECT_EQ(journal_.written.size(), 2U);  // before the call and after it
  EXPECT_EQ(asking.ledger().spent().tokens, 1100U);
}

TEST_F(AskingTest, AnExampleIsShownOnceAndOnARetryTheFailureIs) {
  OneExample one;
  retrieval_ = &one;
  leaf_.script = {kBump, kBump};
  Asking asking = make();
  EXPECT_TRUE(std::holds_alternative<Planned>(ask(asking)));
  EXPECT_EQ(kinds().front(), "rag_hit");
  EXPECT_THAT(leaf_.asked[0], HasSubstr("an example of old"));
  const std::vector<Text> failure = {{SourceKind::prior_attempt_summary, "tests fail now", ""}};
  EXPECT_TRUE(std::holds_alternative<Planned>(ask(asking, 2, failure)));
  EXPECT_THAT(leaf_.asked[1], AllOf(HasSubstr("tests fail now"), Not(HasSubstr("of old"))));
}

TEST_F(AskingTest, AnExampleIsShownBesideTheFailureOfWhatNobodyThoughtOf) {
  OneExample one;
  retrieval_ = &one;
  leaf_.script = {kBump, kBump};
  Asking asking = make();
  question_.before = 1;
  const std::vector<Text> failure = {{SourceKind::prior_attempt_summary, "tests fail now", ""}};
  EXPECT_TRUE(std::holds_alternative<Planned>(ask(asking, 2, failure)));
  EXPECT_THAT(leaf_.asked[0], AllOf(HasSubstr("tests fail now"), HasSubstr("of old")));
  EXPECT_TRUE(std::holds_alternative<Planned>(ask(asking, 3, failure)));
  EXPECT_THAT(leaf_.asked[1], AllOf(HasSubstr("tests fail now"), Not(HasSubstr("of old"))));
}

TEST_F(AskingTest, WhatIsTooMuchForACallIsCutAndNotRefused) {
  leaf_.script = {kBump};
  Asking asking = make();
  for (const SourceKind kind :
       {SourceKind::package_api, SourceKind::package_docs, SourceKind::source_snippet}) {
    question_.texts.push_back({kind, std::string(cap_of(kind), 'x'), ""});
  }
  const std::vector<Text> failure = {{SourceKind::sandbox_stderr, std::string(8000, 'e'), ""},
                                     {SourceKind::prior_diff, std::string(8000, 'd'), ""}};
  EXPECT_TRUE(std::holds_alternative<Planned>(ask(asking, 2, failure)));
  EXPECT_THAT(kinds(), ::testing::Contains("payload_truncated"));
  EXPECT_THAT(leaf_.asked[0], HasSubstr(std::string(16384, 'x')));
}

TEST_F(AskingTest, RepairsOnceAndNeverShowsTheModelItsOwnWords) {
  leaf_.script = {"Sure! Here is my plan: SECRETWORD", kBump};
  Asking asking = make();
  EXPECT_TRUE(std::holds_alternative<Planned>(ask(asking)));
  ASSERT_EQ(leaf_.asked.size(), 2U);
  EXPECT_NE(leaf_.systems[0] + leaf_.asked[0], leaf_.systems[1] + leaf_.asked[1]);
  EXPECT_THAT(leaf_.asked, Each(Not(HasSubstr("SECRETWORD"))));
  EXPECT_THAT(leaf_.systems, Each(Not(HasSubstr("SECRETWORD"))));
}

TEST_F(AskingTest, ThreeViolationsEndIt) {
  leaf_.script = {"[]", "{}", "no"};
  Asking asking = make();
  EXPECT_TRUE(std::holds_alternative<NoPlan>(ask(asking)));
  const Asked last = ask(asking, 2);
  ASSERT_TRUE(std::holds_alternative<GivenUp>(last));
  EXPECT_EQ(std::get<GivenUp>(last).why, GivenUp::Why::violations);
  EXPECT_EQ(asking.violations(), 3U);
}

TEST_F(AskingTest, WhatWasViolatedBeforeTheCrashCounts) {
  leaf_.script = {"[]"};
  Asking asking = make(Money::parse_or_die("1.50"), 2);
  EXPECT_TRUE(std::holds_alternative<GivenUp>(ask(asking)));
}

TEST_F(AskingTest, APlanThatMayNotBeTriedIsRejectedAloud) {
  leaf_.script = {kBump};
  Asking asking = make();
  EXPECT_TRUE(std::holds_alternative<NoPlan>(ask(asking, 1, {}, "not_published")));
  EXPECT_EQ(kinds().back(), "plan_proposal_rejected");
  EXPECT_EQ(events_.back().as<record::PlanProposalRejected>()->reason, "not_published");
}

TEST_F(AskingTest, ARefusalOfTheModelIsItsLastWord) {
  leaf_.script = {kRefuse};
  Asking asking = make();
  const Asked asked = ask(asking);
  ASSERT_TRUE(std::holds_alternative<GivenUp>(asked));
  EXPECT_EQ(std::get<GivenUp>(asked).why, GivenUp::Why::refused_by_model);
  EXPECT_THAT(std::get<GivenUp>(asked).reason, Not(HasSubstr("cannot say more")));
}

TEST_F(AskingTest, WithoutABudgetNobodyIsAsked) {
  Asking asking = make(Money::parse_or_die("0.000001"));
  const Asked asked = ask(asking);
  ASSERT_TRUE(std::holds_alternative<GivenUp>(asked));
  EXPECT_EQ(std::get<GivenUp>(asked).why, GivenUp::Why::budget);
  EXPECT_TRUE(leaf_.asked.empty());
  EXPECT_EQ(kinds().back(), "budget_exceeded");
}

TEST_F(AskingTest, APinThatDoesNotMatchIsAnEventOfItsOwnAndCostsNothing) {
  leaf_.script = {"!"};
  Asking asking = make();
  const Asked asked = ask(asking);
  EXPECT_EQ(std::get<GivenUp>(asked).failure, leaf::FailureKind::pin_mismatch);
  EXPECT_THAT(kinds(), ::testing::Contains("egress_cert_pin_failed"));
  EXPECT_EQ(asking.ledger().spent().tokens, 0U);
}

TEST_F(AskingTest, SecretsOfTheRepositoryAreKeptFromTheModelAndTold) {
  // From pieces, so that nobody who looks for keys stumbles over this file.
  const std::string key = std::string("ghp_") + "Zq7Xw2Vb9Lk4Tn6Rp1Hd8Gs3Fy5Jm0Cx";
  question_.texts.push_back(
      {SourceKind::source_snippet, "left('" + key + "', '" + key + "')", "src/a.js"});
  leaf_.script = {kBump, kBump};
  Asking asking = make();
  const std::vector<Text> failure = {{SourceKind::sandbox_stderr, "env: " + key, ""}};
  EXPECT_TRUE(std::holds_alternative<Planned>(ask(asking)));
  EXPECT_TRUE(std::holds_alternative<Planned>(ask(asking, 2, failure)));
  for (const std::string& asked : leaf_.asked) EXPECT_EQ(asked.find(key), std::string::npos);
  EXPECT_EQ(asking.withheld(),
            (std::vector<prompt::Withheld>{{SourceKind::source_snippet, "src/a.js", 2},
                                           {SourceKind::sandbox_stderr, "", 1}}));
  const std::vector<std::string> told = kinds();
  EXPECT_EQ(std::count(told.begin(), told.end(), "secrets_redacted"), 3);
}

}  // namespace
}  // namespace cg::tiers
