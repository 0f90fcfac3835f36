// A second run: what a model was paid for is found again, if the log vouches for it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "ask/bench.h"
#include "base/base/text.h"

namespace cg::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

class Again : public testing::Test {
 protected:
  /// A first run of `press` that a model's rewrite has fixed; there are answers for more.
  void SetUp() override {
    bench_ = AskBench::open("press");
    if (bench_ == nullptr) GTEST_SKIP() << kNoPackages;
    bench_->answers({"press.right", "press.right", "press.right"});
    const Proven proven = bench_->ask();
    ASSERT_EQ(proven.ran.exit, 0) << proven.ran.out << proven.ran.err << bench_->tape();
    made_ = bench_->branches();
    ASSERT_THAT(made_, SizeIs(1));
    ASSERT_EQ(asked(), 1U);
    EXPECT_THAT(recalled(proven), IsEmpty());
    // What was learned would do without the branch (learned_test.cc).
    for (const json::Value& record : list_of(proven.outcome, "learned")) {
      const Ran aside = bench_->codegenie(
          {"rag", "quarantine", *record.as_string(), "--reason", "branches alone"});
      EXPECT_EQ(aside.exit, 0) << aside.err;
    }
  }

  [[nodiscard]] std::size_t asked() const { return bench_->world().requests().size(); }
  [[nodiscard]] const std::string& name() const { return made_.begin()->first; }
  [[nodiscard]] const std::string& commit() const { return made_.begin()->second; }
  static std::vector<std::string> recalled(const Proven& proven) {
    std::vector<std::string> out;
    for (const json::Value& one : list_of(proven.outcome, "recalled")) {
      out.push_back(*one.as_string());
    }
    return out;
  }
  /// Moves the branch to a commit that has its message and its parent, and changes nothing.
  [[nodiscard]] std::string forge() const {
    bench_->write("message", bench_->git({"log", "-1", "--format=%B", commit()}, "press"));
    const std::string forged = bench_->git(
        {"commit-tree", "main^{tree}", "-p", "main", "-F", bench_->path("message")}, "press");
    bench_->git({"branch", "-q", "-f", name(), forged}, "press");
    return forged;
  }

  std::unique_ptr<AskBench> bench_;
  Files made_;
};

TEST_F(Again, TheSecondRunAsksNobodyAndSaysSo) {
  // Nor does it take a key.
  const Proven second = bench_->ask({}, {"CREDENTIALS_DIRECTORY"});
  ASSERT_EQ(second.ran.exit, 0) << second.ran.out << second.ran.err << bench_->tape();
  EXPECT_EQ(text_of(second.outcome, "outcome"), "fixed");
  EXPECT_EQ(text_of(second.outcome, "tier"), "llm");
  EXPECT_EQ(asked(), 1U);
  EXPECT_EQ(bench_->branches(), made_);
  EXPECT_THAT(recalled(second), ElementsAre(name()));
  EXPECT_EQ(number_of(member_of(second.outcome, "spend"), "tokens"), 0);
  EXPECT_THAT(bench_->events("leaf_invoked"), IsEmpty());
  const auto events = bench_->events("plan_recalled");
  ASSERT_THAT(events, SizeIs(1));
  EXPECT_EQ(text_of(events[0], "commit"), commit());
  EXPECT_EQ(text_of(events[0], "kind"), "callsite_rewrite");
  const auto ended = bench_->events("attempt_ended");
  ASSERT_THAT(ended, SizeIs(1));
  EXPECT_EQ(text_of(ended[0], "failing"), "");
  bench_->expect_sound();

  auto command = bench_->command({});
  command[std::size_t(std::find(command.begin(), command.end(), "json") - command.begin())] =
      "table";
  const Ran third = bench_->inside(command, {});
  EXPECT_EQ(third.exit, 0) << third.out << third.err;
  EXPECT_THAT(third.out, HasSubstr("No model was asked about " + name()));
  EXPECT_THAT(third.out, HasSubstr("Found 1 branch of an earlier run"));
  EXPECT_THAT(third.out, Not(HasSubstr("Spent ")));
  EXPECT_EQ(asked(), 1U);
}

TEST_F(Again, ABranchOfAnotherBaseIsStaleAndLeftAlone) {
  const std::string old_base = bench_->git({"rev-parse", "main"}, "press");
  bench_->write("press/NOTES.md", "Nothing that a package needs.\n");
  bench_->commit("notes", "press");
  const std::string base = bench_->git({"rev-parse", "main"}, "press");
  const Proven second = bench_->ask();
  ASSERT_EQ(second.ran.exit, 0) << second.ran.out << second.ran.err << bench_->tape();
  EXPECT_EQ(asked(), 2U);
  EXPECT_THAT(second.ran.err, AllOf(HasSubstr(name() + " is stale"),
                                    HasSubstr("starts from " + old_base.substr(0, 12)),
                                    HasSubstr("the base is " + base.substr(0, 12))));
  EXPECT_THAT(recalled(second), IsEmpty());
  const auto stale = bench_->events("branch_stale");
  ASSERT_THAT(stale, SizeIs(1));
  EXPECT_EQ(text_of(stale[0], "base"), old_base);
  const std::string other = name() + "-on-" + base.substr(0, 12);
  const Files both = bench_->branches();
  ASSERT_THAT(both, SizeIs(2));
  EXPECT_EQ(both.at(name()), commit());
  ASSERT_TRUE(both.contains(other));
  EXPECT_EQ(bench_->git({"rev-parse", other + "^"}, "press"), base);
  bench_->expect_sound();

  // The next run finds the new one, and says again that the other is stale.
  const Proven third = bench_->ask();
  ASSERT_EQ(third.ran.exit, 0) << third.ran.out << third.ran.err << bench_->tape();
  EXPECT_EQ(asked(), 2U);
  EXPECT_THAT(recalled(third), ElementsAre(other));
  EXPECT_EQ(bench_->branches(), both);
  EXPECT_THAT(third.ran.err, HasSubstr(name() + " is stale"));
}

TEST_F(Again, ANameAloneIsNotBelieved) {
  const std::string forged = forge();
  const Proven second = bench_->ask();
  ASSERT_EQ(second.ran.exit, 0) << second.ran.out << second.ran.err << bench_->tape();
  EXPECT_EQ(asked(), 2U);
  EXPECT_THAT(bench_->events("plan_recalled"), IsEmpty());
  EXPECT_THAT(recalled(second), IsEmpty());
  EXPECT_EQ(bench_->branches(), made_) << "the same plan makes the same commit";
  // What stood there is kept under a name of its own.
  EXPECT_THAT(bench_->git({"for-each-ref", "--format=%(objectname)", "refs/codegenie"}, "press"),
              HasSubstr(forged));
  bench_->expect_sound();
}

TEST_F(Again, ABranchThatNoLogKnowsIsNotBelieved) {
  const auto other = AskBench::open("press");
  ASSERT_NE(other, nullptr);
  other->answers({"press.right"});
  // The very branch of the other workspace, in a repository with the same base.
  other->git({"fetch", "-q", bench_->path("press"), commit()}, "press");
  other->git({"branch", "-q", name(), commit()}, "press");
  ASSERT_EQ(other->git({"rev-parse", "main"}, "press"),
            bench_->git({"rev-parse", "main"}, "press"));
  const Proven proven = other->ask();
  ASSERT_EQ(proven.ran.exit, 0) << proven.ran.out << proven.ran.err << other->tape();
  EXPECT_THAT(other->world().requests(), SizeIs(1));
  EXPECT_THAT(recalled(proven), IsEmpty());
}

TEST_F(Again, WithoutItsEvidenceItIsAskedAboutAgain) {
  const std::string evidence = bench_->home() + "/evidence/" + bench_->last_workflow();
  write(evidence + "/case.json", read(evidence + "/case.json") + " ");
  const Proven second = bench_->ask();
  ASSERT_EQ(second.ran.exit, 0) << second.ran.out << second.ran.err << bench_->tape();
  EXPECT_EQ(asked(), 2U);
  EXPECT_THAT(second.ran.err,
              HasSubstr(name() + " of an earlier run is not taken for a fix: the evidence"));
  EXPECT_EQ(bench_->branches(), made_);
}

TEST_F(Again, ABranchThatWasDeletedIsAskedAboutAgain) {
  bench_->git({"branch", "-q", "-D", name()}, "press");
  const Proven second = bench_->ask();
  ASSERT_EQ(second.ran.exit, 0) << second.ran.out << second.ran.err << bench_->tape();
  EXPECT_EQ(asked(), 2U);
  EXPECT_EQ(bench_->branches(), made_);
}

}  // namespace
}  // namespace cg::test
