// What is not done: not asked, not paid for, not believed. Each is an event, and nothing of the
// repository changes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ask/bench.h"

namespace cg::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr const char* kGivesUp =
    R"({"kind":"refuse","reason":"insufficient_context","rationale":"too little is shown"})";

class Refusing : public testing::Test {
 protected:
  void SetUp() override {
    bench_ = AskBench::open("press");
    if (bench_ != nullptr) before_ = bench_->everything("press");
  }
  void TearDown() override {
    if (bench_ == nullptr || before_.empty()) return;
    EXPECT_EQ(bench_->everything("press"), before_);
    EXPECT_THAT(bench_->branches(), IsEmpty());
    const Ran verified = bench_->codegenie({"audit", "verify"});
    EXPECT_EQ(verified.exit, 0) << verified.out << verified.err;
  }

  std::unique_ptr<AskBench> bench_;
  Files before_;
};

TEST_F(Refusing, WhatTheBaseImageBringsIsNobodysToAskAbout) {
  if (bench_ == nullptr) GTEST_SKIP() << kNoPackages;
  bench_->answers({"press.right"});
  bench_->write("press/Dockerfile", "FROM node:20\nCOPY . .\n");
  bench_->commit("an image", "press");
  before_ = bench_->everything("press");
  bench_->write("image.json", R"({"bomFormat": "CycloneDX", "specVersion": "1.5",
    "metadata": {"component": {"type": "container", "name": "node", "version": "20"}},
    "components": [{"type": "library", "name": "tinyshop-text", "version": "1.0.0",
      "purl": "pkg:npm/tinyshop-text@1.0.0",
      "evidence": {"occurrences": [{"location": "/opt/tool/node_modules/tinyshop-text/package.json"}]}}]})");
  const Proven proven =
      bench_->ask({"--cve", "CGEX-2026-0001", "--sbom", bench_->path("image.json")});
  EXPECT_EQ(proven.ran.exit, 7) << proven.ran.out << proven.ran.err;
  const auto classified = bench_->events("provenance_classified");
  ASSERT_THAT(classified, SizeIs(1));
  EXPECT_EQ(text_of(classified[0], "kind"), "base_image");
  EXPECT_THAT(bench_->events("remediation_refused"), SizeIs(1));
  for (const char* kind : {"rag_miss", "budget_precharged", "leaf_invoked", "fence_created"}) {
    EXPECT_THAT(bench_->events(kind), IsEmpty()) << kind;
  }
  EXPECT_THAT(bench_->world().seen(), IsEmpty());
  expect_tape("base_image", bench_->tape());
}

TEST_F(Refusing, ACallThatCouldCostMoreThanTheBudgetIsNotMade) {
  if (bench_ == nullptr) GTEST_SKIP() << kNoPackages;
  bench_->answers({"press.right"});
  const Proven proven = bench_->ask({"--budget-usd", "0.0001"});
  EXPECT_EQ(proven.ran.exit, 7) << proven.ran.out << proven.ran.err;
  const auto exceeded = bench_->events("budget_exceeded");
  ASSERT_THAT(exceeded, SizeIs(1));
  EXPECT_EQ(text_of(exceeded[0], "cap"), "usd");
  EXPECT_THAT(bench_->events("leaf_invoked"), IsEmpty());
  EXPECT_THAT(bench_->world().seen(), IsEmpty());
  expect_tape("budget", bench_->tape());
}

TEST_F(Refusing, TokensAndOneCallHaveTheirCapsToo) {
  if (bench_ == nullptr) GTEST_SKIP() << kNoPackages;
  bench_->answers({"press.right"});
  const Proven tokens = bench_->ask({"--budget-tokens", "100"});
  EXPECT_EQ(tokens.ran.exit, 7) << tokens.ran.out << tokens.ran.err;
  ASSERT_THAT(bench_->events("budget_exceeded"), SizeIs(1));
  EXPECT_EQ(text_of(bench_->events("budget_exceeded")[0], "cap"), "tokens");
  bench_->set_policy("tokens_per_call: 32000", "tokens_per_call: 100");
  const Proven one = bench_->ask();
  EXPECT_EQ(one.ran.exit, 7) << one.ran.out << one.ran.err;
  ASSERT_THAT(bench_->events("budget_exceeded"), SizeIs(1));
  EXPECT_EQ(text_of(bench_->events("budget_exceeded")[0], "cap"), "per_call");
  EXPECT_THAT(bench_->world().seen(), IsEmpty());
}

TEST_F(Refusing, WithoutAPriceThereIsNoCall) {
  if (bench_ == nullptr) GTEST_SKIP() << kNoPackages;
  bench_->answers({"press.right"});
  bench_->set_policy("name: " + std::string(kModel), "name: another-model");
  const Proven proven = bench_->ask();
  EXPECT_NE(proven.ran.exit, 0);
  EXPECT_THAT(proven.ran.out + proven.ran.err, HasSubstr("price"));
  EXPECT_THAT(bench_->world().seen(), IsEmpty());
}

TEST_F(Refusing, RetriesDrawOnTheSameBudget) {
  if (bench_ == nullptr) GTEST_SKIP() << kNoPackages;
  bench_->world().answer(
      {say(kGivesUp), say(answer_text("press.wrong")), say(answer_text("press.right"))});
  EXPECT_EQ(bench_->ask().ran.exit, 7);
  const auto first = bench_->events("budget_precharged");
  ASSERT_THAT(first, SizeIs(1));
  // Enough for one call with all that it may cost; not for what it did cost and a second.
  const std::int64_t enough = number_of(first[0], "tokens") + 100;
  const Proven proven = bench_->ask({"--budget-tokens", std::to_string(enough)});
  EXPECT_EQ(proven.ran.exit, 7) << proven.ran.out << proven.ran.err;
  EXPECT_THAT(bench_->events("leaf_returned"), SizeIs(1)) << bench_->tape();
  EXPECT_THAT(bench_->events("budget_exceeded"), SizeIs(1)) << bench_->tape();
  EXPECT_THAT(bench_->world().requests(), SizeIs(2));
}

TEST_F(Refusing, AModelThatIsWrongThreeTimesIsNotAskedAgain) {
  if (bench_ == nullptr) GTEST_SKIP() << kNoPackages;
  bench_->answers({"press.wrong", "press.wrong", "press.wrong", "press.right"});
  const Proven proven = bench_->ask();
  EXPECT_EQ(proven.ran.exit, 5) << proven.ran.out << proven.ran.err;
  EXPECT_THAT(bench_->events("attempt_ended"), SizeIs(4));
  EXPECT_THAT(bench_->world().requests(), SizeIs(3));
  expect_tape("wrong_thrice", bench_->tape());
}

TEST_F(Refusing, ThreeAnswersThatAreNoPlansAreTheEnd) {
  if (bench_ == nullptr) GTEST_SKIP() << kNoPackages;
  bench_->world().answer({say("I would gladly help."), say("{\"kind\":\"dep_bump\"}"), say("{} {}"),
                          say(answer_text("press.right"))});
  const Proven proven = bench_->ask();
  EXPECT_EQ(proven.ran.exit, 7) << proven.ran.out << proven.ran.err;
  const auto rejected = bench_->events("plan_proposal_rejected");
  ASSERT_THAT(rejected, SizeIs(3));
  EXPECT_EQ(number_of(rejected[2], "violations"), 3);
  EXPECT_THAT(bench_->world().requests(), SizeIs(3)) << "nobody is asked a fourth time";
  EXPECT_THAT(bench_->events("signal_judged"), SizeIs(8)) << "of the breaking version alone";
  expect_tape("violations", bench_->tape());
}

TEST_F(Refusing, AModelThatGivesUpIsBelieved) {
  if (bench_ == nullptr) GTEST_SKIP() << kNoPackages;
  bench_->world().answer({say(kGivesUp)});
  const Proven proven = bench_->ask();
  EXPECT_EQ(proven.ran.exit, 7) << proven.ran.out << proven.ran.err;
  EXPECT_THAT(bench_->world().requests(), SizeIs(1));
  // Why, in a word of ours and in its own.
  EXPECT_THAT(proven.ran.err, HasSubstr("the model gave up: insufficient_context"));
  EXPECT_THAT(proven.ran.err, HasSubstr("\"too little is shown\""));
  const std::string workflow = bench_->last_workflow();
  EXPECT_THAT(read(bench_->home() + "/handoff/" + workflow + ".md"),
              HasSubstr("the model gave up: insufficient"));
  expect_tape("gives_up", bench_->tape());
}

TEST(GivingUp, EndsOneQuestionAndNotTheRun) {
  const auto bench = AskBench::open("desk");
  if (bench == nullptr) GTEST_SKIP() << kNoPackages;
  bench->world().answer({say(kGivesUp), say(answer_text("desk.right"))});
  const Proven proven = bench->ask();
  EXPECT_THAT(bench->world().requests(), SizeIs(2)) << bench->tape();
  const auto accepted = bench->events("plan_proposal_accepted");
  ASSERT_THAT(accepted, SizeIs(2)) << bench->tape();
  EXPECT_EQ(text_of(accepted[0], "kind"), "refuse");
  EXPECT_EQ(text_of(accepted[1], "kind"), "callsite_rewrite");
  EXPECT_NE(text_of(accepted[0], "group"), text_of(accepted[1], "group"));
  EXPECT_EQ(text_of(proven.outcome, "outcome"), "partly_fixed") << proven.ran.out << proven.ran.err;
  EXPECT_THAT(bench->events("remediation_refused"), IsEmpty());
  EXPECT_EQ(bench->changed_files(), "package-lock.json\npackage.json\nsrc/ticket.js");
  bench->expect_sound();
}

struct Hostile {
  std::string name;
  std::string answer;
  std::string reason;  // of the event
  bool breaks_protocol = false;
};

void PrintTo(const Hostile& one, std::ostream* out) { *out << one.name; }

std::string rewrite(const std::string& file, const std::string& diff) {
  return json::write_json(json::Value::Object{{"kind", "callsite_rewrite"},
                                              {"manifest_path", "package.json"},
                                              {"files", json::Value::Array{file}},
                                              {"diff", diff},
                                              {"rationale", "as asked"}});
}
std::string one_line(const std::string& file, const std::string& from, const std::string& to) {
  return rewrite(file, "--- a/" + file + "\n+++ b/" + file +
                           "\n@@ -1,3 +1,3 @@\n 'use strict';\n \n-" + from + "\n+" + to + "\n");
}
std::string bump(const std::string& package, const std::string& version) {
  return json::write_json(json::Value::Object{{"kind", "dep_bump"},
                                              {"manifest_path", "package.json"},
                                              {"package", package},
                                              {"target_version", version},
                                              {"rationale", "as asked"}});
}

std::vector<Hostile> hostile_answers() {
  const std::string line = "const marked = require('marked');";
  return {
      {"PathOutside", one_line("../escape.js", line, "1"), "bad_path", true},
      {"AbsolutePath", one_line("/etc/escape.js", line, "1"), "bad_path", true},
      {"GitFolder", one_line(".git/hooks/escape.js", line, "1"), "bad_path", true},
      {"OwnTests", one_line("test/article.test.js", line, "1"), "bad_diff"},
      {"Manifest", one_line("package.json", line, "1"), "bad_diff"},
      {"Workflow", one_line(".github/escape.js", line, "1"), "bad_diff"},
      {"Creation",
       rewrite("src/escape.js", "--- /dev/null\n+++ b/src/escape.js\n@@ -0,0 +1 @@\n+escape\n"),
       "bad_diff"},
      {"OtherFile",
       rewrite("src/article.js",
               "--- a/src/feed.js\n+++ b/src/feed.js\n@@ -1,3 +1,3 @@\n"
               " 'use strict';\n \n-" +
                   line + "\n+1\n"),
       "bad_diff"},
      {"FileNotShown", one_line("src/unseen.js", line, "1"), "file_not_shown"},
      {"DoesNotApply", one_line("src/article.js", "const other = 1;", "1"), "does_not_apply"},
      {"StartsPrograms",
       one_line("src/article.js", line, "const marked = require('child_process').execSync;"),
       "new_import"},
      {"StillVulnerable", bump("marked", "4.0.9"), "still_vulnerable"},
      {"NotPublished", bump("marked", "4.0.99"), "not_published"},
      {"AnotherPackage", bump("escape", "1.0.0"), "wrong_package"},
      {"Prose", "Here is the plan: " + answer_text("press.right"), "not_json", true},
      {"TwicePlanned", answer_text("press.right") + answer_text("press.right"), "trailing_bytes",
       true},
      {"DuplicateKey", R"({"kind":"refuse","kind":"dep_bump"})", "duplicate_key", true},
      {"ExtraKey", R"({"kind":"refuse","reason":"out_of_scope","rationale":"x","run":"escape"})",
       "unknown_key", true},
  };
}

class HostileAnswer : public testing::TestWithParam<Hostile> {};

TEST_P(HostileAnswer, IsAnEventAndNothingElse) {
  const auto bench = AskBench::open("press");
  if (bench == nullptr) GTEST_SKIP() << kNoPackages;
  const Files before = bench->everything("press");
  bench->world().answer(std::vector<json::Value>(4, say(GetParam().answer)));
  const Proven proven = bench->ask();
  EXPECT_EQ(proven.ran.exit, 7) << proven.ran.out << proven.ran.err;
  const auto rejected = bench->events("plan_proposal_rejected");
  ASSERT_THAT(rejected, SizeIs(3)) << bench->tape();
  for (const json::Value& one : rejected) EXPECT_EQ(text_of(one, "reason"), GetParam().reason);
  // Who keeps to the protocol is told what is wrong with the plan, and was just wrong.
  EXPECT_EQ(number_of(rejected[2], "violations"), GetParam().breaks_protocol ? 3 : 0);
  // The breaking version alone is the first.
  EXPECT_THAT(bench->events("attempt_ended"), SizeIs(GetParam().breaks_protocol ? 2 : 4));
  EXPECT_THAT(bench->events("signal_judged"), SizeIs(8)) << "nothing of it was ever run";
  EXPECT_EQ(bench->everything("press"), before);
  EXPECT_THAT(proven.ran.out + proven.ran.err, testing::Not(HasSubstr("escape")))
      << "no word of the model's is shown";
  bench->expect_no_key({proven.ran});
}

INSTANTIATE_TEST_SUITE_P(Answers, HostileAnswer, testing::ValuesIn(hostile_answers()),
                         [](const auto& one) { return one.param.name; });

}  // namespace
}  // namespace cg::test
