// What a run that was killed left in the log, and who goes on with it.
#include "flow/history/interrupted.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flow/workspace/recording.h"
#include "support/new_workspace.h"

namespace cg::history {
namespace {

using workspace::Recording;

TEST(Lists, ComeBackAsTheyWere) {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{}, {"tests"}, {"install", "tests"}, {"a 1", "b 2", "c 3"}}) {
    EXPECT_EQ(parted(joined(words)), words);
  }
}

const record::RemediationStarted kAbout{std::string(40, 'a'), "shop", "all"};

class InterruptedRuns : public testing::Test {
 protected:
  Recording begin(const record::RemediationStarted& about = kAbout) {
    auto out = Recording::start(access_, "remediate");
    EXPECT_TRUE(out.has_value());
    out->events().emplace_back(about);
    return *std::move(out);
  }
  Interrupted left(const Recording& own) const {
    auto found = interrupted(access_, own.id(), kAbout);
    EXPECT_TRUE(found.has_value());
    return *std::move(found);
  }
  test::ScratchDir scratch_;
  workspace::Access access_ = test::new_workspace(scratch_);
};

TEST_F(InterruptedRuns, NobodyBeforeLeavesNothing) {
  const Recording own = begin();
  const Interrupted found = left(own);
  EXPECT_EQ(found.workflow, "");
  EXPECT_TRUE(found.attempts.empty());
}

TEST_F(InterruptedRuns, FailedAttemptsAndSpendingAreGoneOnWith) {
  std::string killed;
  {
    Recording run = begin();
    killed = run.id();
    run.events().emplace_back(
        record::AttemptEnded{1, "build, tests", "group", "namespaces", "qs 6.7.3, a 1.0.1"});
    run.events().emplace_back(record::AttemptEnded{1, "", "other", "namespaces", "b 2"});
    ASSERT_TRUE(run.write().has_value());
  }
  const Recording own = begin();
  const Interrupted found = left(own);
  EXPECT_EQ(found.workflow, killed);
  ASSERT_EQ(found.attempts.size(), 1U);  // what passed is found as a branch
  const auto& attempts = found.attempts.at("group");
  ASSERT_EQ(attempts.size(), 1U);
  EXPECT_THAT(attempts[0].failing, testing::ElementsAre("build", "tests"));
  EXPECT_THAT(attempts[0].tried, testing::ElementsAre("qs 6.7.3", "a 1.0.1"));
}

TEST_F(InterruptedRuns, OneThatEndedIsNone) {
  Recording run = begin();
  run.events().emplace_back(record::AttemptEnded{1, "tests", "group", "namespaces", "qs 6.7.3"});
  ASSERT_TRUE(run.end("not_fixed").has_value());
  EXPECT_EQ(left(begin()).workflow, "");
}

TEST_F(InterruptedRuns, OneOfAnotherBaseOrRequestIsNot) {
  for (record::RemediationStarted other : {kAbout, kAbout, kAbout}) {
    static int which = 0;
    ++which;
    if (which == 1) other.head = std::string(40, 'b');
    if (which == 2) other.repo = "other";
    if (which == 3) other.request = "CVE-1";
    Recording run = begin(other);
    ASSERT_TRUE(run.write().has_value());
  }
  EXPECT_EQ(left(begin()).workflow, "");
}

}  // namespace
}  // namespace cg::history
