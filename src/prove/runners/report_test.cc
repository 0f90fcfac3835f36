// Reports as runners write them, and what is left of them when they are damaged.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/base/text.h"
#include "prove/runners/runner.h"
#include "prove/runners/type_errors.h"

namespace cg::runners {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr const char* kJest = R"({"numTotalTests":4,"success":false,"testResults":[
 {"name":"/r/a.test.js","status":"failed","assertionResults":[
  {"ancestorTitles":["outer","inner"],"title":"adds","status":"passed"},
  {"ancestorTitles":[],"title":"breaks","status":"failed"},
  {"ancestorTitles":[],"title":"later","status":"pending"},
  {"ancestorTitles":[],"title":"some day","status":"todo"}]},
 {"name":"/r/b.test.js","status":"failed","message":"no such module","assertionResults":[]}]})";

constexpr const char* kMocha = R"({"stats":{"tests":3,"passes":1,"pending":1,"failures":2},
 "tests":[],"pending":[{"fullTitle":"outer later","file":"/r/test/a.js"}],
 "failures":[{"fullTitle":"outer breaks","file":"/r/test/a.js"},
             {"fullTitle":"hooked \"before all\" hook","file":"/r/test/a.js"}],
 "passes":[{"fullTitle":"outer adds","file":"/r/test/a.js"}]})";

constexpr const char* kNode = R"(TAP version 13
# ok 1 - printed by a test
# Subtest: outer
    # Subtest: adds
    ok 1 - adds
      ---
      duration_ms: 1
      ...
    # Subtest: breaks
    not ok 2 - breaks
      ---
      stack: |-
        ok 9 - inside of a diagnostic
      ...
    1..2
not ok 1 - outer
  ---
  type: 'suite'
  ...
# Subtest: later
ok 2 - later # SKIP why
# Subtest: with \# hash
ok 3 - with \# hash
# Subtest: /r/test/c.js
not ok 4 - /r/test/c.js
1..4
# pass 2
)";

constexpr const char* kTap = R"(# Subtest: test/a.js
    # Subtest: outer
        ok 1 - fine
        not ok 2 - equals
          ---
          source: |
            ok 7 - inside
          ...

        1..2
    not ok 1 - outer # time=10.1ms

    ok 2 - some day # Todo
    1..2
not ok 1 - test/a.js # time=20ms

ok 2 - test/b.js # time=3ms {
    ok 1 - top
    1..1
}

# time=40ms
)";

TEST(Report, JestNamesEachTestAndFilesThatDoNotLoad) {
  const TestRun run = read_report(Runner::jest, kJest, "/r");
  EXPECT_TRUE(run.complete) << run.why_not;
  EXPECT_THAT(run.cases, ElementsAre(TestCase{"a.test.js > breaks", Outcome::failed},
                                     TestCase{"a.test.js > later", Outcome::skipped},
                                     TestCase{"a.test.js > outer > inner > adds", Outcome::passed},
                                     TestCase{"a.test.js > some day", Outcome::skipped},
                                     TestCase{"b.test.js", Outcome::failed}));
  EXPECT_EQ(run.totals, (Totals{1, 2, 2}));
}

TEST(Report, MochaNamesHooksThatFail) {
  const TestRun run = read_report(Runner::mocha, kMocha, "/r");
  EXPECT_TRUE(run.complete) << run.why_not;
  EXPECT_THAT(run.cases,
              ElementsAre(TestCase{"test/a.js > hooked \"before all\" hook", Outcome::failed},
                          TestCase{"test/a.js > outer adds", Outcome::passed},
                          TestCase{"test/a.js > outer breaks", Outcome::failed},
                          TestCase{"test/a.js > outer later", Outcome::skipped}));
}

TEST(Report, NodeSuitesAreSaidByTheirTestsAndWhatTestsPrintIsNotOne) {
  const TestRun run = read_report(Runner::node_test, kNode, "/r");
  EXPECT_TRUE(run.complete) << run.why_not;
  EXPECT_THAT(run.cases, ElementsAre(TestCase{"later", Outcome::skipped},
                                     TestCase{"outer > adds", Outcome::passed},
                                     TestCase{"outer > breaks", Outcome::failed},
                                     TestCase{"test/c.js", Outcome::failed},
                                     TestCase{"with # hash", Outcome::passed}));
}

TEST(Report, NodeTapMayLackItsPlanButNotItsEnd) {
  const TestRun run = read_report(Runner::tap, kTap, "");
  EXPECT_TRUE(run.complete) << run.why_not;
  EXPECT_THAT(run.cases, ElementsAre(TestCase{"test/a.js > outer > equals", Outcome::failed},
                                     TestCase{"test/a.js > outer > fine", Outcome::passed},
                                     TestCase{"test/a.js > some day", Outcome::skipped},
                                     TestCase{"test/b.js > top", Outcome::passed}));
  const std::string text = kTap;
  EXPECT_FALSE(read_report(Runner::tap, text.substr(0, text.rfind("# time")), "").complete);
  EXPECT_FALSE(read_report(Runner::ava, text, "").complete);
}

TEST(Report, AParentThatFailsThoughNoChildDidIsATestOfItsOwn) {
  const TestRun run = read_report(Runner::node_test,
                                  "# Subtest: s\n    ok 1 - a\n    1..1\nnot ok 1 - s\n1..1\n", "");
  EXPECT_THAT(run.cases,
              ElementsAre(TestCase{"s", Outcome::failed}, TestCase{"s > a", Outcome::passed}));
}

TEST(Report, AvaStartsAtItsVersionWhateverWasPrintedBefore) {
  const TestRun run = read_report(
      Runner::ava,
      "> pretest\n1..9\nok 1 - fake\nTAP version 13\nok 1 - a\nnot ok 2 - b # Todo\n\n1..2\n", "");
  EXPECT_TRUE(run.complete) << run.why_not;
  EXPECT_THAT(run.cases,
              ElementsAre(TestCase{"a", Outcome::passed}, TestCase{"b", Outcome::skipped}));
}

TEST(Report, NoStartOfOneIsWhole) {
  const struct {
    Runner runner;
    std::string text;
  } cases[] = {
      {Runner::jest, kJest}, {Runner::vitest, kJest}, {Runner::mocha, kMocha}, {Runner::tap, kTap}};
  for (const auto& c : cases) {
    const std::string_view body = trim(c.text);
    for (std::size_t n = 0; n < body.size() - 4; ++n) {
      const TestRun run = read_report(c.runner, body.substr(0, n), "/r");
      EXPECT_FALSE(run.complete) << name(c.runner) << " cut at " << n;
      EXPECT_FALSE(run.why_not.empty());
    }
  }
  const std::string node = kNode;
  for (std::size_t n = 0; n < node.find("1..4"); ++n) {
    EXPECT_FALSE(read_report(Runner::node_test, node.substr(0, n), "/r").complete) << n;
  }
}

TEST(Report, SaysWhatItLacks) {
  const struct {
    Runner runner;
    const char* text;
    const char* why;
  } cases[] = {
      {Runner::jest, "[]", "lacks its results"},
      {Runner::jest, "{}", "lacks its results"},
      {Runner::jest, R"({"numTotalTests":2,"testResults":[]})", "counts more tests"},
      {Runner::jest, R"({"numTotalTests":0,"testResults":[],"wasInterrupted":true})",
       "interrupted"},
      {Runner::jest, R"({"numTotalTests":0,"testResults":[1]})", "lacks its results"},
      {Runner::jest,
       R"({"numTotalTests":1,"testResults":[{"assertionResults":[{"status":"odd"}]}]})",
       "not known"},
      {Runner::mocha, "{}", "lacks its numbers"},
      {Runner::mocha,
       R"({"stats":{"passes":1,"failures":0,"pending":0},"passes":[],"failures":[],"pending":[]})",
       "counts more tests"},
      {Runner::node_test, "", "without a plan"},
      {Runner::node_test, "1..2\nok 1 - a\n", "another number"},
      {Runner::node_test, "ok 1\n1..1\n1..1\n", "two plans"},
      {Runner::node_test, "ok 1\nBail out! no more\n1..1\n", "bailed out"},
      {Runner::node_test, "1..1\nok 1\n  ---\n", "within a test"},
  };
  for (const auto& c : cases) {
    const TestRun run = read_report(c.runner, c.text, "");
    EXPECT_FALSE(run.complete) << c.text;
    EXPECT_THAT(run.why_not, testing::HasSubstr(c.why)) << c.text;
  }
}

TEST(Report, IsBoundedInSizeCasesNamesAndDepth) {
  EXPECT_THAT(read_report(Runner::tap, std::string(kMaxReportBytes, ' '), "").why_not,
              testing::HasSubstr("too large"));
  std::string many;
  for (std::size_t i = 0; i <= kMaxCases; ++i) many += "ok\n";
  const TestRun run =
      read_report(Runner::node_test, many + "1.." + std::to_string(kMaxCases + 1) + "\n", "");
  EXPECT_EQ(run.cases.size(), kMaxCases);
  EXPECT_FALSE(run.complete);
  const TestRun wide =
      read_report(Runner::node_test, "ok 1 - " + std::string(100'000, 'x') + "\x1b\n1..1\n", "");
  ASSERT_EQ(wide.cases.size(), 1U);
  EXPECT_LE(wide.cases[0].id.size(), kMaxIdBytes);
  std::string deep;
  for (std::size_t i = 0; i < 2000; ++i) deep += std::string(4 * i, ' ') + "# Subtest: x\n";
  EXPECT_FALSE(read_report(Runner::node_test, deep, "").complete);
}

TEST(Report, NamesAreMadePrintable) {
  const TestRun run = read_report(Runner::node_test, "ok 1 - a\x1b[31m\xff\n1..1\n", "");
  ASSERT_EQ(run.cases.size(), 1U);
  EXPECT_EQ(printable(run.cases[0].id), run.cases[0].id);
}

TEST(Summary, ReadsTheLastOfKnownRunners) {
  const struct {
    const char* text;
    Totals totals;
  } cases[] = {
      {"Tests:       1 failed, 2 skipped, 1 todo, 3 passed, 7 total\n", {3, 1, 3}},
      {"      Tests  1 failed | 4 passed | 1 skipped (6)\n", {4, 1, 1}},
      {"\n  12 passing (24ms)\n  2 pending\n  1 failing\n", {12, 1, 2}},
      {"# tests 8\n# pass 4\n# fail 2\n# cancelled 1\n# skipped 1\n# todo 1\n", {4, 3, 2}},
      {"# tests 5\n# pass  5\n\n# ok\n", {5, 0, 0}},
      {"\xE2\x84\xB9 pass 4\n\xE2\x84\xB9 fail 0\n", {4, 0, 0}},
      {"  1 passing (2ms)\n  3 passing (1s)\n", {3, 0, 0}},
  };
  for (const auto& c : cases) {
    const TestRun run = read_summary(c.text);
    EXPECT_EQ(run.detail, Detail::counts) << c.text;
    EXPECT_EQ(run.totals, c.totals) << c.text << describe(run.totals);
    EXPECT_FALSE(run.complete);
  }
  for (const char* text : {"", "all fine", "99999999999999999999 passing", "passing 3", "# ok"}) {
    EXPECT_EQ(read_summary(text).detail, Detail::none) << text;
  }
}

TEST(TypeErrors, AreCountedAndComparedWithoutTheirPlace) {
  const TypeErrors errors = read_type_errors(
      "src/a.ts(3,7): error TS2322: Type 'string' is not assignable to type 'number'.\n"
      "  Types of property 'x' are incompatible: error TS1 no.\n"
      "src/b(1).ts(10,1): error TS2304: Cannot find name 'x'.\r\n"
      "error TS18003: No inputs were found.\n"
      "note: error TSx\n");
  EXPECT_EQ(errors.count, 3U);
  EXPECT_THAT(
      errors.lines,
      ElementsAre("error TS18003: No inputs were found.",
                  "src/a.ts: error TS2322: Type 'string' is not assignable to type 'number'.",
                  "src/b(1).ts: error TS2304: Cannot find name 'x'."));
  EXPECT_EQ(read_type_errors("").count, 0U);
}

TEST(Compare, CountsTestsThatShareAName) {
  TestRun base;
  TestRun fix;
  base.cases = {{"dup", Outcome::passed}, {"dup", Outcome::passed}, {"dup", Outcome::failed}};
  fix.cases = {{"dup", Outcome::passed}, {"dup", Outcome::failed}, {"dup", Outcome::failed}};
  const TestDelta delta = compare(base, fix);
  EXPECT_THAT(delta.broken, ElementsAre("dup"));
  EXPECT_THAT(delta.known, ElementsAre("dup"));
  EXPECT_THAT(delta.missing, IsEmpty());
  EXPECT_THAT(delta.added, IsEmpty());
}

TEST(Compare, KnowsLostNewKnownAndMendedTests) {
  TestRun base;
  TestRun fix;
  base.cases = {{"gone", Outcome::passed},
                {"known", Outcome::failed},
                {"mended", Outcome::failed},
                {"off", Outcome::passed},
                {"was off", Outcome::skipped}};
  fix.cases = {{"known", Outcome::failed},   {"mended", Outcome::passed},
               {"new bad", Outcome::failed}, {"new good", Outcome::passed},
               {"off", Outcome::skipped},    {"was off", Outcome::failed}};
  const TestDelta delta = compare(base, fix);
  EXPECT_THAT(delta.missing, ElementsAre("gone", "off"));
  EXPECT_THAT(delta.added, ElementsAre("new bad", "was off"));
  EXPECT_THAT(delta.known, ElementsAre("known"));
  EXPECT_THAT(delta.mended, ElementsAre("mended"));
  EXPECT_THAT(delta.broken, IsEmpty());
  EXPECT_FALSE(delta.is_clean());
}

TEST(Report, NeedsBothItsResultsAndItsNumbers) {
  for (const char* text : {R"({"numTotalTests":0})", R"({"testResults":[]})"}) {
    EXPECT_THAT(read_report(Runner::jest, text, "").why_not,
                testing::HasSubstr("lacks its results"));
  }
  for (const char* text : {R"({"stats":{"passes":0,"failures":0,"pending":0}})",
                           R"({"stats":{},"passes":[],"failures":[],"pending":[]})"}) {
    EXPECT_THAT(read_report(Runner::mocha, text, "").why_not,
                testing::HasSubstr("lacks its results"));
  }
}

std::vector<std::string> ids(const std::string& tap, Runner runner = Runner::node_test) {
  const TestRun run = read_report(runner, tap, "");
  EXPECT_TRUE(run.complete) << run.why_not << tap;
  std::vector<std::string> out;
  for (const TestCase& one : run.cases) out.push_back(one.id);
  return out;
}

TEST(Report, TapNamesAreWhatIsLeftOfTheLine) {
  EXPECT_THAT(ids("ok 9 - nine\nok 10 - ten\nok 0 - zero\n1..3\n"),
              ElementsAre("nine", "ten", "zero"));
  EXPECT_THAT(ids("ok 1 - a\\q\n1..1\n"), ElementsAre("a\\q"));
  EXPECT_THAT(ids("ok 1 - a\\\\q\n1..1\n"), ElementsAre("a\\q"));
}

TEST(Report, TapLinesAtNoLevelAreNoPoints) {
  EXPECT_THAT(ids("ok 1 - a\n  ok 2 - odd\n1..1\n"), ElementsAre("a"));
  EXPECT_THAT(ids(std::string(31 * 4, ' ') + "ok 1 - deep\n1..0\n"), testing::SizeIs(1));
  EXPECT_THAT(ids(std::string(32 * 4, ' ') + "ok 1 - deep\n1..0\n"), IsEmpty());
}

TEST(Report, TapParentsWithoutPointsAreTestsThemselves) {
  EXPECT_THAT(ids("# Subtest: s\n    # Subtest: t\nok 1 - s\n1..1\n"), ElementsAre("s"));
  EXPECT_THAT(ids("ok 1 - b {\n}\n1..1\n"), ElementsAre("b"));
  EXPECT_THAT(ids("ok 1 - b {\n    # Subtest: x\n}\n1..1\n"), ElementsAre("b"));
}

TEST(Report, TapBracesMayComeBehindADiagnostic) {
  EXPECT_THAT(ids("ok 1 - outer\n  ---\n  time: 1\n  ...\n{\n    ok 1 - inner\n    1..1\n}\n"
                  "ok 2 - next\n1..2\n"),
              testing::IsSupersetOf({"outer > inner", "next"}));
  EXPECT_THAT(ids("}\n1..0\n"), IsEmpty());
}

TEST(Report, ATimeAloneIsNoRunOfTap) {
  EXPECT_FALSE(read_report(Runner::tap, "# time=1ms\n", "").complete);
}

TEST(Summary, CountsUpToABillion) {
  EXPECT_EQ(read_summary("1000000000 passing\n").totals.passed, 1'000'000'000U);
  EXPECT_EQ(read_summary("1000000001 passing\n").totals.passed, 0U);
}

TEST(TypeErrors, OnlyLoseAPlaceThatIsOne) {
  const TypeErrors errors = read_type_errors(
      "a.ts(9,19): error TS0001: x\nb(): error TS9001: x\nc(b): error TS2: x\n"
      "d(12x: error TS3: x\n");
  EXPECT_THAT(errors.lines, ElementsAre("a.ts: error TS0001: x", "b(): error TS9001: x",
                                        "c(b): error TS2: x", "d(12x: error TS3: x"));
}

}  // namespace
}  // namespace cg::runners
