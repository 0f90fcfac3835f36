// What a model solved once: the same break elsewhere takes no question, or one that has the answer
// beside it; and what was tampered with is as good as not there.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ask/bench.h"

namespace cg::test {
namespace {

using testing::AllOf;
using testing::Each;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

class Learned : public testing::Test {
 protected:
  /// A first run of `press` that a model's rewrite has fixed, and that was learned from.
  void SetUp() override {
    bench_ = AskBench::open("press");
    if (bench_ == nullptr) GTEST_SKIP() << kNoPackages;
    bench_->answers({"press.right", "almanac.right", "almanac.right"});
    const Proven proven = bench_->ask();
    ASSERT_EQ(proven.ran.exit, 0) << proven.ran.out << proven.ran.err << bench_->tape();
    const json::Value::Array learned = list_of(proven.outcome, "learned");
    ASSERT_THAT(learned, SizeIs(1)) << proven.ran.err;
    record_ = *learned.front().as_string();
    ASSERT_EQ(asked(), 1U);
  }

  [[nodiscard]] std::size_t asked() const { return bench_->world().requests().size(); }
  /// Proven, with nobody asked, after the record.
  void expect_carried(const Proven& proven) const {
    ASSERT_EQ(proven.ran.exit, 0) << proven.ran.out << proven.ran.err << bench_->tape();
    EXPECT_EQ(text_of(proven.outcome, "outcome"), "fixed");
    EXPECT_EQ(text_of(proven.outcome, "tier"), "rag");
    EXPECT_EQ(asked(), 1U);
    EXPECT_EQ(number_of(member_of(proven.outcome, "spend"), "tokens"), 0);
    EXPECT_THAT(bench_->events("leaf_invoked"), IsEmpty());
    const auto hits = bench_->events("rag_hit");
    ASSERT_THAT(hits, SizeIs(1));
    EXPECT_EQ(text_of(hits[0], "record"), record_);
    EXPECT_EQ(text_of(hits[0], "status"), "carried");
    EXPECT_EQ(proven.state("tests"), "passed") << proven.reasons("tests");
    bench_->expect_sound();
  }

  std::unique_ptr<AskBench> bench_;
  std::string record_;
};

TEST_F(Learned, TheSameCaseAsksNobodyThoughItsBranchIsGone) {
  const std::string name = bench_->branches().begin()->first;
  const std::string was = bench_->git({"rev-parse", name + "^{tree}"}, "press");
  bench_->git({"branch", "-q", "-D", name}, "press");
  expect_carried(bench_->ask());
  EXPECT_EQ(bench_->git({"rev-parse", name + "^{tree}"}, "press"), was);
}

TEST_F(Learned, ASiblingWithOtherNamesInOtherFilesAsksNobody) {
  bench_->take("gazette");
  const Proven proven = bench_->ask();
  expect_carried(proven);
  EXPECT_EQ(bench_->changed_files(), "package-lock.json\npackage.json\nsrc/columns.js");
  const std::string diff =
      bench_->git({"diff", "main.." + bench_->branches().begin()->first, "--", "src"}, "gazette");
  EXPECT_THAT(diff, AllOf(HasSubstr("-const render = require(\"marked\");"),
                          HasSubstr("+const { marked: render } = require(\"marked\");")));
  EXPECT_THAT(list_of(proven.outcome, "learned"), IsEmpty()) << "it was known";
}

TEST_F(Learned, WithoutAModelAtHandItIsCarriedOverAllTheSame) {
  bench_->take("gazette");
  bench_->set_policy("max_tier: llm", "max_tier: rag");
  expect_carried(bench_->ask({"--max-tier", "rag"}));
}

TEST_F(Learned, AnotherShapeIsAskedAboutWithTheExampleInTheQuestion) {
  bench_->take("almanac");
  const Proven proven = bench_->ask();
  ASSERT_EQ(proven.ran.exit, 0) << proven.ran.out << proven.ran.err << bench_->tape();
  EXPECT_EQ(text_of(proven.outcome, "tier"), "llm");
  ASSERT_EQ(asked(), 2U);
  EXPECT_THAT(proven.ran.err, HasSubstr("a solved example was not carried over: " + record_ +
                                        ": src/days.js: line"));
  EXPECT_TRUE(bench_->prompt(1).only_fenced("const { title } = require('./article.js');\n"))
      << bench_->prompt(1).body;
  const auto hits = bench_->events("rag_hit");
  ASSERT_THAT(hits, SizeIs(1));
  EXPECT_THAT(text_of(hits[0], "status"), testing::AnyOf("hit", "degraded"));
  EXPECT_THAT(bench_->events("rag_query"), Not(IsEmpty()));
  EXPECT_THAT(list_of(proven.outcome, "learned"), SizeIs(1));
  bench_->expect_sound();
}

TEST_F(Learned, ARecordThatWasEditedIsNotUsedAndTheModelIsAsked) {
  const std::string file = bench_->home() + "/rag/records/" + record_ + ".json";
  std::string text = read(file);
  const std::size_t at = text.find("require('marked')");
  ASSERT_NE(at, text.npos);
  write(file, text.replace(at, 17, "require('mirked')"));
  bench_->take("almanac");
  const Proven proven = bench_->ask();
  ASSERT_EQ(proven.ran.exit, 0) << proven.ran.out << proven.ran.err << bench_->tape();
  EXPECT_EQ(text_of(proven.outcome, "tier"), "llm");
  EXPECT_EQ(asked(), 2U);
  EXPECT_THAT(bench_->events("rag_hit"), IsEmpty());
  const auto excluded = bench_->events("rag_record_chain_orphan");
  ASSERT_THAT(excluded, Not(IsEmpty()));
  EXPECT_EQ(text_of(excluded[0], "record"), record_);
  EXPECT_EQ(text_of(excluded[0], "status"), "edited");
  EXPECT_FALSE(bench_->prompt(1).only_fenced("mirked"));
}

TEST_F(Learned, WhereRecipesAreAllThatIsWantedNothingIsLookedFor) {
  bench_->take("gazette");
  const Proven proven = bench_->ask({"--max-tier", "recipe"});
  EXPECT_EQ(proven.ran.exit, 7) << proven.ran.err;
  EXPECT_THAT(bench_->events("rag_hit"), IsEmpty());
  EXPECT_EQ(asked(), 1U);
}

}  // namespace
}  // namespace cg::test
