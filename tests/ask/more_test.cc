// More is asked about than what recipes give up: fixes of theirs that the gates turned down, and
// copies that only a breaking version of what brings them in frees.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ask/bench.h"

namespace cg::test {
namespace {

using testing::AllOf;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

json::Value rewrite_of(const std::string& file, const std::string& diff) {
  return say(json::write_json(
      json::Value::Object{{"kind", "callsite_rewrite"},
                          {"manifest_path", "package.json"},
                          {"files", json::Value::Array{json::Value(file)}},
                          {"diff", "--- a/" + file + "\n+++ b/" + file + "\n@@\n" + diff},
                          {"rationale", "It is called in another way now."}}));
}

json::Value label_by(const std::string& call) {
  return rewrite_of("src/label.js",
                    " function label(box) {\n-  return tag('size', box.size).toUpperCase();\n"
                    "+  return " +
                        call + ".toUpperCase();\n }\n");
}

json::Value right_label() { return label_by("tag({ name: 'size', value: box.size })"); }

json::Value right_quotes() {
  return rewrite_of("src/say.js",
                    " 'use strict';\n \n-const { quote, star } = require('@proof/shell');\n"
                    "+const { marks } = require('@proof/shell');\n \n function say(name, words) {\n"
                    "-  return star(name) + ': ' + quote(words);\n"
                    "+  return marks.star(name) + ': ' + marks.quote(words);\n }\n");
}

std::vector<std::string> attempts_of(const AskBench& bench) {
  std::vector<std::string> out;
  for (const json::Value& one : bench.events("attempt_ended")) {
    out.push_back(std::to_string(number_of(one, "attempt")) + " " + text_of(one, "failing"));
  }
  return out;
}

std::vector<std::string> recalled_in(const Proven& proven) {
  std::vector<std::string> out;
  for (const json::Value& one : list_of(proven.outcome, "recalled")) {
    out.push_back(*one.as_string());
  }
  return out;
}

/// Nobody pays for it again.
void expect_found_again(const AskBench& bench) {
  const std::size_t asked = bench.world().requests().size();
  const Files made = bench.branches();
  const Proven second = bench.ask();
  EXPECT_EQ(second.ran.exit, 0) << second.ran.out << second.ran.err << bench.tape();
  EXPECT_THAT(bench.world().requests(), SizeIs(asked));
  EXPECT_EQ(bench.branches(), made);
  EXPECT_THAT(recalled_in(second), ElementsAre(made.begin()->first));
  bench.expect_sound();
}

TEST(TurnedDownRecipe, IsAskedAboutWithItsFailureAndFixed) {
  const auto bench = AskBench::open("labels");
  if (bench == nullptr) GTEST_SKIP() << kNoPackages;
  bench->world().answer({right_label()});
  const Proven proven = bench->ask();
  ASSERT_EQ(proven.ran.exit, 0) << proven.ran.out << proven.ran.err << bench->tape();
  EXPECT_EQ(text_of(proven.outcome, "outcome"), "fixed");
  EXPECT_EQ(text_of(proven.outcome, "tier"), "llm");
  EXPECT_THAT(attempts_of(*bench), ElementsAre("1 tests", "2 "));
  // What recipes planned is inside the range: the manifest stays.
  EXPECT_EQ(bench->changed_files(), "package-lock.json\nsrc/label.js");
  ASSERT_THAT(bench->world().requests(), SizeIs(1));
  const Prompt prompt = bench->prompt(0);
  EXPECT_THAT(prompt.ours, AllOf(HasSubstr("package: @proof/tag\n"), HasSubstr("target: 1.0.1\n"),
                                 Not(HasSubstr("brought in"))));
  EXPECT_TRUE(prompt.only_fenced("Turned down by: tests"));
  EXPECT_TRUE(prompt.only_fenced("tag('size', box.size)"));
  // A failed recipe is no retry: solved examples are looked for.
  EXPECT_THAT(bench->events("rag_miss"), SizeIs(1));
  bench->expect_sound();
  expect_found_again(*bench);
}

TEST(TurnedDownRecipe, LeavesAModelThreeAttempts) {
  const auto bench = AskBench::open("labels");
  if (bench == nullptr) GTEST_SKIP() << kNoPackages;
  bench->world().answer({label_by("tag({ name: box.size, value: 'size' })"),
                         label_by("tag({ name: 'SIZE', value: 'xl' + box.size })"), right_label()});
  const Proven proven = bench->ask();
  ASSERT_EQ(proven.ran.exit, 0) << proven.ran.out << proven.ran.err << bench->tape();
  EXPECT_THAT(attempts_of(*bench), ElementsAre("1 tests", "2 tests", "3 tests", "4 "));
  EXPECT_THAT(bench->world().requests(), SizeIs(3));
  EXPECT_THAT(bench->events("rag_miss"), SizeIs(1));
  bench->expect_sound();
}

TEST(TurnedDownRecipe, StaysTurnedDownIfNothingElsePasses) {
  const auto bench = AskBench::open("labels");
  if (bench == nullptr) GTEST_SKIP() << kNoPackages;
  bench->world().answer({say(
      R"({"kind":"refuse","reason":"insufficient_context","rationale":"It is not shown enough."})")});
  const Proven proven = bench->ask();
  EXPECT_EQ(text_of(proven.outcome, "outcome"), "not_fixed");
  EXPECT_NE(proven.ran.exit, 0);
  EXPECT_THAT(verdicts(proven.outcome, "@proof/tag"), ElementsAre("blocked gates"));
  EXPECT_EQ(proven.state("tests"), "failed");
  EXPECT_THAT(bench->world().requests(), SizeIs(1));
  EXPECT_THAT(bench->branches(), IsEmpty());
  bench->expect_sound();
}

TEST(TurnedDownRecipe, IsAPersonsWithoutTheTier) {
  const auto bench = AskBench::open("labels");
  if (bench == nullptr) GTEST_SKIP() << kNoPackages;
  const Proven proven = bench->ask({"--max-tier", "recipe"});
  EXPECT_EQ(text_of(proven.outcome, "outcome"), "not_fixed");
  EXPECT_EQ(proven.ran.exit, 5) << proven.ran.out << proven.ran.err;
  EXPECT_EQ(bench->world().connections(), 0U);
}

/// Its recipes' branches are there by then: that nobody can be asked is no reason to end it badly.
TEST(TurnedDownRecipe, EndsAsItWouldWhereNoModelCanBeSetUp) {
  const auto bench = AskBench::open("labels");
  if (bench == nullptr) GTEST_SKIP() << kNoPackages;
  bench->set_policy("name: " + std::string(kModel), "");
  const Proven proven = bench->ask();
  EXPECT_EQ(proven.ran.exit, 5) << proven.ran.out << proven.ran.err;
  EXPECT_EQ(text_of(proven.outcome, "outcome"), "not_fixed");
  EXPECT_THAT(proven.ran.err, HasSubstr("no model was asked: policy names no model"));
  EXPECT_EQ(bench->world().connections(), 0U);
  bench->expect_sound();
}

void expect_parents_question(const Prompt& prompt) {
  EXPECT_THAT(prompt.ours,
              AllOf(HasSubstr("advisory: CGEX-2026-1102\n"), HasSubstr("package: @proof/shell\n"),
                    HasSubstr("vulnerable, brought in by the package: @proof/core\n"),
                    HasSubstr("installed: 1.0.0\n"), HasSubstr("target: 2.0.0\n"),
                    HasSubstr("- src/say.js\n"), Not(HasSubstr("safe versions:"))));
  EXPECT_TRUE(prompt.only_fenced("const { quote, star } = require('@proof/shell');"));
  EXPECT_TRUE(prompt.only_fenced("Turned down by: load tests"));
  // What changed in the parent, and nothing of the vulnerable one's own API.
  EXPECT_TRUE(prompt.only_fenced("@proof/shell 1.0.0 -> 2.0.0"));
  EXPECT_TRUE(prompt.only_fenced("marks"));
  EXPECT_THAT(prompt.fenced, Each(Not(HasSubstr("@proof/core 1.0.0 -> 2.0.0"))));
}

/// Where no rule may force the version, only a breaking version of the parent is left.
TEST(ParentsMajor, IsAskedAboutByTheParentsApi) {
  const auto bench = AskBench::open("quotes");
  if (bench == nullptr) GTEST_SKIP() << kNoPackages;
  bench->world().answer({right_quotes()});
  bench->set_policy("override_across_major: allow", "override_across_major: refuse");
  const Proven proven = bench->ask();
  ASSERT_EQ(proven.ran.exit, 0) << proven.ran.out << proven.ran.err << bench->tape();
  EXPECT_EQ(text_of(proven.outcome, "outcome"), "fixed");
  EXPECT_THAT(attempts_of(*bench), ElementsAre("1 load, tests", "2 "));
  EXPECT_EQ(bench->changed_files(), "package-lock.json\npackage.json\nsrc/say.js");
  const std::string branch = bench->branches().begin()->first;
  EXPECT_THAT(bench->git({"show", branch + ":package.json"}, "quotes"),
              HasSubstr("\"@proof/shell\": \"^2.0.0\""));
  ASSERT_THAT(bench->world().requests(), SizeIs(1));
  expect_parents_question(bench->prompt(0));
  bench->expect_sound();
  expect_found_again(*bench);
}

/// Where one may, and the parent cannot live with it, the gates say so first.
TEST(ParentsMajor, IsAskedAboutAfterAnOverrideWasTurnedDown) {
  const auto bench = AskBench::open("quotes");
  if (bench == nullptr) GTEST_SKIP() << kNoPackages;
  bench->world().answer({right_quotes()});
  const Proven proven = bench->ask();
  ASSERT_EQ(proven.ran.exit, 0) << proven.ran.out << proven.ran.err << bench->tape();
  EXPECT_EQ(text_of(proven.outcome, "outcome"), "fixed");
  // The override, the version alone, the rewrite.
  EXPECT_THAT(attempts_of(*bench), ElementsAre("1 load, tests", "2 load, tests", "3 "));
  EXPECT_EQ(bench->changed_files(), "package-lock.json\npackage.json\nsrc/say.js");
  ASSERT_THAT(bench->world().requests(), SizeIs(1));
  expect_parents_question(bench->prompt(0));
  bench->expect_sound();
  expect_found_again(*bench);
}

}  // namespace
}  // namespace cg::test
