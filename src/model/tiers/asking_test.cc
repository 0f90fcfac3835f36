#include "model/tiers/asking.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <regex>

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
    trace.usage = usage;
    trace.usage_known = usage_known;
    auto plan = proposal::parse(text);
    if (!plan) return {leaf::Violated{plan.error(), trace}, std::move(receipt)};
    return {leaf::Proposed{*std::move(plan), trace}, std::move(receipt)};
  }
  std::deque<std::string> script;
  budget::Usage usage{1000, 100, 0, 0};
  bool usage_known = true;
  std::vector<std::string> asked, systems;
};

class Kept final : public Journal {
 public:
  Result<Done, Problem> keep(const budget::Ledger& ledger) override {
    written.push_back(ledger.write());
    return Done{};
  }
  Result<Done, Problem> keep(const prompt::Kept& prompt) override {
    prompts.push_back(prompt);
    return Done{};
  }
  std::vector<std::string> written;
  std::vector<prompt::Kept> prompts;
};

class NoExamples final : public Retrieval {
 public:
  std::vector<Example> nearest(const Question&, unsigned, record::Events&) override { return {}; }
};
class OneExample final : public Retrieval {
 public:
  std::vector<Example> nearest(const Question&, unsigned, record::Events&) override {
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
                            [&](const proposal::Proposal&) -> std::optional<Rejected> {
                              if (broken == nullptr) return std::nullopt;
                              return Rejected{broken, "src/a.js:12", "what stands in line 12"};
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
  ASSERT_EQ(journal_.prompts.size(), 1U);
  EXPECT_EQ(journal_.prompts[0].user, leaf_.asked[0]);
  EXPECT_EQ(journal_.prompts[0].system, leaf_.systems[0]);
  const auto* invoked = events_[3].as<record::LeafInvoked>();
  ASSERT_NE(invoked, nullptr);
  EXPECT_EQ(invoked->digest,
            prompt::digest_of(journal_.prompts[0].system, journal_.prompts[0].user));
  EXPECT_EQ(asking.ledger().spent().tokens, 1100U);
}

/// Nonces are drawn anew for each prompt.
std::string same(const std::string& text) {
  static const std::regex nonce("(UNTRUSTED_INPUT id=)[0-9a-f]{32}");
  return std::regex_replace(text, nonce, "$1NONCE");
}

TEST_F(AskingTest, APreviewIsWhatIsThenAskedAndAsksNobody) {
  const std::vector<Text> failure = {{SourceKind::prior_attempt_summary, "tests fail now", ""}};
  Asking asking = make();
  const Preview shown = asking.preview(question_, 2, failure);
  EXPECT_TRUE(leaf_.asked.empty());
  EXPECT_TRUE(journal_.written.empty() && journal_.prompts.empty());
  EXPECT_EQ(asking.ledger().spent(), budget::Spent());
  EXPECT_THAT(kinds(), ElementsAre("fence_created", "fence_created"));
  EXPECT_EQ(shown.segments.size(), 2U);
  EXPECT_EQ(shown.over, "");
  leaf_.script = {kBump};
  EXPECT_TRUE(std::holds_alternative<Planned>(ask(asking, 2, failure)));
  EXPECT_EQ(same(shown.user), same(leaf_.asked[0]));
  EXPECT_EQ(shown.system, leaf_.systems[0]);
  const budget::Call& reserved = asking.ledger().calls()[0];
  EXPECT_EQ(shown.input + shown.output, reserved.reserved_tokens);
  EXPECT_EQ(shown.usd, reserved.reserved_usd);
}

TEST_F(AskingTest, APreviewSaysWhatTheBudgetWouldNotLetBeSent) {
  const Preview shown = make(Money::parse_or_die("0.001")).preview(question_, 1, {});
  EXPECT_THAT(shown.over, HasSubstr("0.001 USD"));
  EXPECT_GT(shown.usd, Money::parse_or_die("0.001"));
}

TEST_F(AskingTest, RecordedAnswersArePaidToNobody) {
  leaf_.script = {kBump, kBump};
  const Money one = Money::parse_or_die("1.00");
  const Price price{"model-a", one, one, one, one};
  for (const auto answers : {Tools::Answers::live, Tools::Answers::replayed}) {
    Asking asking({leaf_, *retrieval_, journal_, *skill_, nonces_, "model-a", answers},
                  budget::Ledger({}, price), 0, events_);
    EXPECT_TRUE(std::holds_alternative<Planned>(ask(asking)));
    const auto [paid, replayed] = asking.bill();
    const bool live = answers == Tools::Answers::live;
    EXPECT_EQ((live ? paid : replayed), asking.ledger().spent());
    EXPECT_EQ((live ? replayed : paid), budget::Spent());
  }
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
  const Asked asked = ask(asking, 1, {}, "not_published");
  ASSERT_TRUE(std::holds_alternative<NoPlan>(asked));
  EXPECT_EQ(std::get<NoPlan>(asked).reason,
            "what the model said was turned down: not_published (src/a.js:12)");
  EXPECT_EQ(std::get<NoPlan>(asked).told, "what stands in line 12");
  EXPECT_EQ(kinds().back(), "plan_proposal_rejected");
  const auto* rejected = events_.back().as<record::PlanProposalRejected>();
  EXPECT_EQ(rejected->reason, "not_published");
  EXPECT_EQ(rejected->where, "src/a.js:12");
}

std::string rewriting(const std::string& diff) {
  return R"({"kind":"callsite_rewrite","manifest_path":"package.json","files":["a.js"],"diff":")" +
         diff + R"(","rationale":"r"})";
}

/// Whoever keeps to the protocol is told what was wrong, and may go on being wrong.
TEST_F(AskingTest, ARejectionIsNoViolationHoweverOften) {
  const std::string created = rewriting(R"(--- /dev/null\n+++ b/a.js\n@@\n+x\n)");
  const std::string prose = rewriting("SECRETWORD in place of a diff");
  leaf_.script = {kBump, kBump, kBump, created, prose, kBump};
  Asking asking = make();
  for (unsigned attempt = 1; attempt <= 3; ++attempt) {
    EXPECT_TRUE(std::holds_alternative<NoPlan>(ask(asking, attempt, {}, "still_vulnerable")));
  }
  const Asked creation = ask(asking, 4);
  ASSERT_TRUE(std::holds_alternative<NoPlan>(creation));
  EXPECT_THAT(std::get<NoPlan>(creation).told, HasSubstr("creation: it creates a file"));
  EXPECT_THAT(std::get<NoPlan>(creation).told, HasSubstr("file 1 of your diff"));
  EXPECT_EQ(events_.back().as<record::PlanProposalRejected>()->where, "diff.creation file 1");
  const Asked unread = ask(asking, 5);
  ASSERT_TRUE(std::holds_alternative<NoPlan>(unread));
  EXPECT_THAT(std::get<NoPlan>(unread).told,
              AllOf(HasSubstr("line 1 of your diff"), Not(HasSubstr("SECRETWORD"))));
  EXPECT_EQ(asking.violations(), 0U);
  std::size_t rejections = 0;
  for (const record::Event& event : events_) {
    const auto* returned = event.as<record::LeafReturned>();
    EXPECT_TRUE(returned == nullptr || returned->outcome == "plan");
    const auto* rejected = event.as<record::PlanProposalRejected>();
    if (rejected == nullptr) continue;
    ++rejections;
    EXPECT_EQ(rejected->violations, 0U);
  }
  EXPECT_EQ(rejections, 5U);
  EXPECT_EQ(leaf_.asked.size(), 5U) << "what is turned down is no try at repair";
  // And goes on as if it had never been wrong.
  const std::vector<Text> failure = {
      {SourceKind::prior_attempt_summary, std::get<NoPlan>(creation).told, ""}};
  EXPECT_TRUE(std::holds_alternative<Planned>(ask(asking, 6, failure)));
  EXPECT_THAT(leaf_.asked.back(), HasSubstr("it creates a file"));
}

TEST_F(AskingTest, ViolationsAreCountedAmongRejections) {
  leaf_.script = {"[]", kBump, "{}", kBump, kBump, "no"};
  Asking asking = make();
  EXPECT_TRUE(std::holds_alternative<NoPlan>(ask(asking, 1, {}, "ambiguous")));
  EXPECT_TRUE(std::holds_alternative<NoPlan>(ask(asking, 2, {}, "ambiguous")));
  EXPECT_TRUE(std::holds_alternative<NoPlan>(ask(asking, 3, {}, "ambiguous")));
  EXPECT_EQ(asking.violations(), 2U);
  EXPECT_TRUE(std::holds_alternative<GivenUp>(ask(asking, 4)));
  std::vector<std::uint64_t> counts;
  for (const record::Event& event : events_) {
    const auto* one = event.as<record::PlanProposalRejected>();
    if (one != nullptr) counts.push_back(one->violations);
  }
  EXPECT_THAT(counts, ElementsAre(1U, 1U, 2U, 2U, 2U, 3U));
}

TEST_F(AskingTest, ARefusalOfTheModelIsItsLastWord) {
  leaf_.script = {kRefuse};
  Asking asking = make();
  const Asked asked = ask(asking);
  ASSERT_TRUE(std::holds_alternative<GivenUp>(asked));
  EXPECT_EQ(std::get<GivenUp>(asked).why, GivenUp::Why::refused_by_model);
  EXPECT_THAT(std::get<GivenUp>(asked).reason, Not(HasSubstr("cannot say more")));
  EXPECT_FALSE(std::get<GivenUp>(asked).ends_workflow());
  for (const auto why : {GivenUp::Why::budget, GivenUp::Why::violations, GivenUp::Why::leaf}) {
    EXPECT_TRUE((GivenUp{why, "", std::nullopt}.ends_workflow()));
  }
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
  ASSERT_EQ(asking.marked().size(), 2U) << "each once";
  EXPECT_EQ(asking.marked()[0].label, "src/a.js");
  EXPECT_EQ(asking.marked()[0].secrets, 2U);
  EXPECT_EQ(asking.marked()[1].kind, SourceKind::sandbox_stderr);
  EXPECT_EQ(asking.marked()[1].secrets, 1U);
  const std::vector<std::string> told = kinds();
  EXPECT_EQ(std::count(told.begin(), told.end(), "secrets_redacted"), 3);
}

TEST_F(AskingTest, ACallThatUsedMoreThanWasSetAsideIsTheLast) {
  leaf_.script = {kBump};
  leaf_.usage = {1'000'000, 100, 0, 0};
  Asking asking = make();
  EXPECT_TRUE(std::holds_alternative<Planned>(ask(asking))) << "it is paid for";
  const auto over = std::find_if(events_.begin(), events_.end(), [](const record::Event& event) {
    return event.as<record::BudgetReconciledOver>() != nullptr;
  });
  ASSERT_NE(over, events_.end());
  const auto& told = *over->as<record::BudgetReconciledOver>();
  EXPECT_EQ(told.call, 1U);
  EXPECT_EQ(told.tokens, 1'000'100U);
  EXPECT_LT(told.set_aside_tokens, told.tokens);
  EXPECT_TRUE(asking.ledger().overshot());
  const Asked next = ask(asking, 2);
  const auto* given_up = std::get_if<GivenUp>(&next);
  ASSERT_NE(given_up, nullptr);
  EXPECT_EQ(given_up->why, GivenUp::Why::budget);
  EXPECT_TRUE(given_up->ends_workflow());
  const auto* exceeded = events_.back().as<record::BudgetExceeded>();
  ASSERT_NE(exceeded, nullptr);
  EXPECT_EQ(exceeded->cap, "overshoot");
  EXPECT_EQ(leaf_.asked.size(), 1U);
}

TEST_F(AskingTest, ACallWithinWhatWasSetAsideIsNotOver) {
  leaf_.script = {kBump};
  Asking asking = make();
  EXPECT_TRUE(std::holds_alternative<Planned>(ask(asking)));
  EXPECT_THAT(kinds(), Not(testing::Contains("budget_reconciled_over")));
}

TEST_F(AskingTest, WhatNobodyCountedCostsAllThatWasSetAside) {
  leaf_.script = {kBump};
  leaf_.usage = {};
  leaf_.usage_known = false;
  Asking asking = make();
  EXPECT_TRUE(std::holds_alternative<Planned>(ask(asking)));
  const budget::Call& call = asking.ledger().calls().front();
  EXPECT_EQ(call.state, budget::Call::State::forfeited);
  EXPECT_EQ(asking.ledger().spent().tokens, call.reserved_tokens);
  const auto reconciled = std::find_if(events_.begin(), events_.end(), [](const auto& event) {
    return event.template as<record::BudgetReconciled>() != nullptr;
  });
  ASSERT_NE(reconciled, events_.end());
  EXPECT_EQ(reconciled->as<record::BudgetReconciled>()->known, "no");
}

}  // namespace
}  // namespace cg::tiers
