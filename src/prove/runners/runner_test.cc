#include "prove/runners/runner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cg::runners {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

using Files = std::map<std::string, std::string>;

std::string mocha(const std::string& file, int passes) {
  std::string list;
  for (int i = 0; i < passes; ++i) {
    list += std::string(list.empty() ? "" : ",") + R"({"file":"/w/)" + file +
            R"(","fullTitle":"t)" + std::to_string(i) + R"("})";
  }
  return R"({"stats":{"passes":)" + std::to_string(passes) +
         R"(,"failures":1,"pending":0},"passes":[)" + list + R"(],"failures":[{"file":"/w/)" +
         file + R"(","fullTitle":"bad"}],"pending":[]})";
}

constexpr const char* kTwoOfTap = "TAP version 13\nok 1 - n\nok 2 - m # SKIP\n1..2\n";

TEST(Reports, OfOneRunAddUp) {
  const TestRun run = read_reports({{"7-1-1.mocha", ""},
                                    {"7-1-1.mocha.report", mocha("b.js", 1)},
                                    {"9-2-1.mocha", ""},
                                    {"9-2-1.mocha.report", mocha("a.js", 2)},
                                    {"9-3-1.node:test", ""},
                                    {"9-3-1.node:test.report", kTwoOfTap}},
                                   "/w");
  EXPECT_TRUE(run.complete) << run.why_not;
  EXPECT_TRUE(run.asked);
  EXPECT_EQ(run.detail, Detail::cases);
  EXPECT_EQ(run.runner, "mocha, node:test");
  EXPECT_EQ(run.why_not, "");
  EXPECT_EQ(run.totals, (Totals{4, 2, 1}));
  EXPECT_THAT(
      run.cases,
      ElementsAre(TestCase{"a.js > bad", Outcome::failed}, TestCase{"a.js > t0", Outcome::passed},
                  TestCase{"a.js > t1", Outcome::passed}, TestCase{"b.js > bad", Outcome::failed},
                  TestCase{"b.js > t0", Outcome::passed}, TestCase{"m", Outcome::skipped},
                  TestCase{"n", Outcome::passed}));
}

TEST(Reports, ARunnerThatStartedAndLeftNoneIsNotForgotten) {
  const TestRun run = read_reports(
      {{"1-1-1.jest", ""}, {"2-1-1.mocha", ""}, {"2-1-1.mocha.report", mocha("a.js", 1)}}, "/w");
  EXPECT_FALSE(run.complete);
  EXPECT_EQ(run.why_not, "a jest that was started left no report");
  EXPECT_EQ(run.runner, "jest, mocha");
  EXPECT_EQ(run.totals, (Totals{1, 1, 0}));
  const TestRun none = read_reports({{"1-1-1.jest", ""}}, "/w");
  EXPECT_TRUE(none.asked);
  EXPECT_FALSE(none.complete);
  EXPECT_EQ(none.detail, Detail::none);
}

TEST(Reports, OneThatIsNotWholeMakesAllOfThemNotWhole) {
  const TestRun run = read_reports({{"1-1-1.ava", ""},
                                    {"1-1-1.ava.report", "TAP version 13\nok 1 - a\n"},
                                    {"2-1-1.mocha", ""},
                                    {"2-1-1.mocha.report", mocha("a.js", 1)}},
                                   "/w");
  EXPECT_FALSE(run.complete);
  EXPECT_EQ(run.why_not, "the report ends without a plan");
  EXPECT_THAT(run.cases, SizeIs(3));
}

TEST(Reports, AReportOfNobodyIsNoReport) {
  const TestRun alone = read_reports({{"1-1-1.mocha.report", mocha("a.js", 1)}}, "/w");
  EXPECT_FALSE(alone.asked);
  EXPECT_FALSE(alone.complete);
  EXPECT_THAT(alone.cases, IsEmpty());
  const TestRun beside = read_reports({{"1-1-1.mocha", ""},
                                       {"1-1-1.mocha.report", mocha("a.js", 1)},
                                       {"2-1-1.mocha.report", mocha("b.js", 9)}},
                                      "/w");
  EXPECT_FALSE(beside.complete);
  EXPECT_EQ(beside.why_not, "a report is of no runner that was seen to start");
  EXPECT_EQ(beside.totals.passed, 1U);
}

TEST(Reports, NothingIsKnownWhereNoRunnerWasSeen) {
  for (const Files& files : {Files{}, Files{{"notes", "x"}}, Files{{"1-1-1.tape", ""}}}) {
    const TestRun run = read_reports(files, "/w");
    EXPECT_FALSE(run.asked);
    EXPECT_FALSE(run.complete);
    EXPECT_EQ(run.detail, Detail::none);
    EXPECT_EQ(run.runner, "unknown");
    EXPECT_EQ(run.why_not, "no test runner that is known left a report");
  }
}

TEST(Reports, AreBoundedAllTogether) {
  Files many;
  for (std::size_t i = 0; i < kMaxReportFiles / 2; ++i) {
    many[std::to_string(i) + ".mocha"] = "";
    many[std::to_string(i) + ".mocha.report"] = mocha("a.js", 0);
  }
  EXPECT_EQ(read_reports(many, "/w").why_not, "more reports than are read");
  many.erase(many.begin());
  many.erase(many.begin());
  EXPECT_TRUE(read_reports(many, "/w").complete);

  Files large = {{"1.mocha", ""}, {"1.mocha.report", mocha("a.js", 1)}};
  large["0"] = std::string(kMaxReportBytes - large["1.mocha.report"].size(), ' ');
  EXPECT_EQ(read_reports(large, "/w").why_not, "the reports are too large");
  large["0"].pop_back();
  EXPECT_TRUE(read_reports(large, "/w").complete);
}

TEST(Reports, NameNoMoreTestsThanOneMay) {
  const std::string half = mocha("a.js", static_cast<int>(kMaxCases / 2));
  const TestRun run = read_reports(
      {{"1.mocha", ""}, {"1.mocha.report", half}, {"2.mocha", ""}, {"2.mocha.report", half}}, "/w");
  EXPECT_FALSE(run.complete);
  EXPECT_EQ(run.why_not, "more than 100 000 tests");
  EXPECT_THAT(run.cases, SizeIs(kMaxCases));
}

}  // namespace
}  // namespace cg::runners
