// The same failure is the same text, whatever changes from run to run and from node to node.
#include "prove/runners/failure.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "prove/runners/reports.h"
#include "prove/runners/runner.h"

namespace cg::runners {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string told_all(std::string_view output) { return told(output, "/tree", 4096); }

TEST(Told, TakesOutWhatChangesFromRunToRun) {
  const std::string one = told_all(
      "2026-11-19T01:50:00.123Z failed after 1.25 s (12ms)\n"
      "(node:4711) Warning: late\n"
      "connect ECONNREFUSED 127.0.0.1:43211, pid 312\n"
      "cannot open /tmp/abc-Xy12/a.txt at 0x7ffee3c0aa10\n");
  const std::string other = told_all(
      "2025-01-02T11:22:33Z failed after 40 s (7 ms)\n"
      "(node:9) Warning: late\n"
      "connect ECONNREFUSED 127.0.0.1:5000, pid 99312\n"
      "cannot open /tmp/q/a.txt at 0x55aa00ff1234\n");
  EXPECT_EQ(one,
            "TIME failed after N s (Nms)\n"
            "(node:PID) Warning: late\n"
            "connect ECONNREFUSED 127.0.0.1:PORT, pid PID\n"
            "cannot open /tmp/NAME at 0xN\n");
  EXPECT_EQ(one.substr(0, 20), other.substr(0, 20));
  EXPECT_EQ(one.substr(one.find("(node")), other.substr(other.find("(node")));
}

TEST(Told, KeepsVersionsLinesAndNumbersThatSaySomething) {
  for (const char* text : {"marked 4.0.10 is not 4.0.9\n", "Expected 3 to be 4\n",
                           "src/a.ts: error TS2322: no\n", "HTTP 404 of 12 pages\n"}) {
    EXPECT_EQ(told_all(text), text);
  }
}

/// As node 18 and node 22 print the same failure.
TEST(Told, OfAStackKeepsWhereItWasInTheRepository) {
  const std::string old = told_all(
      "TypeError: session.open is not a function\n"
      "    at Object.exports.answer (/tree/lib/requests.js:11:20)\n"
      "    at TestContext.<anonymous> (/tree/test/shop.test.js:31:18)\n"
      "    at Test.runInAsyncScope (node:async_hooks:203:9)\n"
      "    at async startSubtest (node:internal/test_runner/harness:202:3)\n"
      "\n"
      "Node.js v18.20.4\n");
  const std::string young = told_all(
      "\x1b[31mTypeError: session.open is not a function\x1b[39m\n"
      "    at exports.answer (file:///tree/lib/requests.js:11:20)\n"
      "    at TestContext.<anonymous> (file:///tree/test/shop.test.js:31:18)\n"
      "    at new Promise (<anonymous>)\n"
      "    at Test.runInAsyncScope (node:async_hooks:214:14)\n"
      "Node.js v22.3.0\n");
  EXPECT_EQ(old, young);
  EXPECT_EQ(old,
            "TypeError: session.open is not a function\n"
            "    at lib/requests.js:11:20\n"
            "    at test/shop.test.js:31:18\n");
}

TEST(Told, OfAPackageOnlyTheFirstLineOfAStackCounts) {
  std::string text = "Error: no\n";
  for (int i = 0; i < 9; ++i) {
    text += "    at f (/tree/node_modules/a/index.js:" + std::to_string(i) + ":1)\n";
    text += "    at g (/tree/lib/" + std::to_string(i) + ".js:1:1)\n";
  }
  EXPECT_EQ(told_all(text),
            "Error: no\n    at node_modules/a/index.js:0:1\n    at lib/0.js:1:1\n"
            "    at lib/1.js:1:1\n    at lib/2.js:1:1\n    at lib/3.js:1:1\n");
}

TEST(Told, IsBoundedAndTakesAnything) {
  EXPECT_EQ(told_all(""), "");
  EXPECT_LE(told(std::string(1U << 20U, 'x'), "/tree", 100).size(), 100U);
  std::string lines;
  for (int i = 0; i < 10'000; ++i) lines += "line of text\n";
  EXPECT_LE(told(lines, "/tree", 1000).size(), 1000U);
  EXPECT_EQ(told(lines, "/tree", 1000).back(), '\n');
  EXPECT_THAT(told(std::string_view("\xFF\xFE\0 a\n", 6), "", 100), HasSubstr(" a"));
}

TEST(ToldInYaml, SaysWhatWasWrongAndWhere) {
  EXPECT_EQ(told_in_yaml({"duration_ms: 3.1", "location: '/tree/test/a.js:3:1'",
                          "failureType: 'testCodeFailure'", "error: |-",
                          "  Expected values to be strictly equal:", "  ", "  1 !== 2", "  ",
                          "code: 'ERR_ASSERTION'", "expected: 2", "stack: |-",
                          "  TestContext.<anonymous> (file:///tree/test/a.js:5:10)",
                          "  Test.run (node:internal/test_runner/test:547:9)"},
                         "/tree"),
            "Expected values to be strictly equal:\n\n1 !== 2\n\nERR_ASSERTION\n"
            "    at test/a.js:5:10\n");
}

TEST(ListFailures, TellsTheShortestFirstAndEachOnce) {
  const std::vector<Failure> failures = {
      {"a", "a long text about it\n"}, {"b", "short\n"}, {"c", "short\n"}, {"d", "short\n"}};
  EXPECT_EQ(list_failures(failures, 1000), "b, and 2 more:\nshort\na:\na long text about it\n");
  EXPECT_EQ(list_failures(failures, 30), "b, and 2 more:\nshort\n");
  EXPECT_EQ(list_failures({}, 1000), "");
}

TEST(Reports, SayWhyATestFailed) {
  const TestRun mocha = read_mocha_json(
      R"json({"stats":{"passes":0,"failures":1,"pending":0},"passes":[],"pending":[],
         "failures":[{"file":"/tree/test/a.js","fullTitle":"a works",
                      "said":"Error: no\n    at f (/tree/lib/a.js:1:2)"}]})json",
      "/tree");
  ASSERT_EQ(mocha.failures.size(), 1U);
  EXPECT_EQ(mocha.failures[0],
            (Failure{"test/a.js > a works", "Error: no\n    at lib/a.js:1:2\n"}));
  const TestRun jest = read_jest_json(
      Runner::jest,
      R"({"numTotalTests":2,"wasInterrupted":false,"testResults":[{"name":"/tree/a.test.js",
         "status":"failed","assertionResults":[
           {"ancestorTitles":[],"title":"works","status":"failed","failureMessages":["Error: no"]},
           {"ancestorTitles":[],"title":"fine","status":"passed"}]}]})",
      "/tree");
  ASSERT_EQ(jest.failures.size(), 1U);
  EXPECT_EQ(jest.failures[0], (Failure{"a.test.js > works", "Error: no\n"}));
  const TestRun tap = read_tap(Runner::node_test,
                               "TAP version 13\n"
                               "# Subtest: works\n"
                               "not ok 1 - works\n"
                               "  ---\n"
                               "  duration_ms: 1.5\n"
                               "  error: 'no'\n"
                               "  ...\n"
                               "# Subtest: fine\n"
                               "ok 2 - fine\n"
                               "  ---\n"
                               "  duration_ms: 1.5\n"
                               "  error: 'not asked for'\n"
                               "  ...\n"
                               "1..2\n",
                               "/tree");
  ASSERT_EQ(tap.failures.size(), 1U);
  EXPECT_EQ(tap.failures[0], (Failure{"works", "no\n"}));
}

TEST(Reports, OfSeveralRunnersSayAllWhyTheirTestsFailed) {
  const auto report = [](const std::string& test) {
    return "TAP version 13\nnot ok 1 - " + test + "\n  ---\n  error: 'no'\n  ...\n1..1\n";
  };
  const TestRun run = read_reports({{"2-1-1.node:test", ""},
                                    {"2-1-1.node:test.report", report("b")},
                                    {"3-1-1.node:test", ""},
                                    {"3-1-1.node:test.report", report("a")}},
                                   "/tree");
  ASSERT_TRUE(run.complete) << run.why_not;
  EXPECT_EQ(run.failures, (std::vector<Failure>{{"a", "no\n"}, {"b", "no\n"}}));
}

TEST(Reports, KeepABoundedNumberOfFailures) {
  std::string report =
      R"({"stats":{"passes":0,"failures":400,"pending":0},"passes":[],"pending":[],"failures":[)";
  for (int i = 0; i < 400; ++i) {
    report += std::string(i == 0 ? "" : ",") + R"({"file":"a.js","fullTitle":"t)" +
              std::to_string(i) + R"(","said":")" + std::string(5000, 'x') + "\"}";
  }
  const TestRun run = read_mocha_json(report + "]}", "");
  EXPECT_EQ(run.cases.size(), 400U);
  EXPECT_EQ(run.failures.size(), kMaxFailures);
  for (const Failure& one : run.failures) EXPECT_LE(one.text.size(), kMaxFailureBytes);
}

/// A file that throws before it has any test: node says of it only that it failed.
TEST(Reports, SayWhatAFilePrintedThatCouldNotBeLoaded) {
  const auto text = [](const char* printed) {
    return std::string(
               "TAP version 13\n# a line of another file\n# Subtest: fine\nok 1 - fine\n  ---\n"
               "  duration_ms: 1\n  ...\n") +
           printed +
           "# Subtest: /tree/test/b.js\nnot ok 2 - /tree/test/b.js\n  ---\n  duration_ms: 8\n"
           "  failureType: 'testCodeFailure'\n  exitCode: 1\n  error: 'test failed'\n"
           "  code: 'ERR_TEST_FAILURE'\n  ...\n1..2\n";
  };
  const TestRun thrown = read_tap(
      Runner::node_test,
      text("# /tree/src/b.js:3\n# const guard = jwt({ secret });\n#               ^\n# \n"
           "# Error: algorithms should be set\n#     at jwt (/tree/node_modules/jwt/a.js:5:3)\n"
           "#     at Object.<anonymous> (/tree/src/b.js:3:15)\n"
           "#     at Module._compile (node:internal/modules/cjs/loader:1521:14)\n# Node.js "
           "v20.20.2\n"),
      "/tree");
  ASSERT_EQ(thrown.failures.size(), 1U);
  EXPECT_EQ(thrown.failures[0],
            (Failure{"test/b.js",
                     "src/b.js:3\nconst guard = jwt({ secret });\n              ^\n"
                     "Error: algorithms should be set\n    at node_modules/jwt/a.js:5:3\n"
                     "    at src/b.js:3:15\n"}));
  const TestRun silent = read_tap(Runner::node_test, text(""), "/tree");
  ASSERT_EQ(silent.failures.size(), 1U);
  EXPECT_EQ(silent.failures[0].text, "test failed\nERR_TEST_FAILURE\n");
  std::string much;
  for (int i = 0; i < 5000; ++i) much += "# much is printed\n";
  EXPECT_LE(read_tap(Runner::node_test, text(much.c_str()), "/tree").failures[0].text.size(),
            kMaxFailureBytes);
}

}  // namespace
}  // namespace cg::runners
