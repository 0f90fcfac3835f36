// A major version that breaks call sites: a model rewrites them, the gates decide, a branch
// is made.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "ask/bench.h"
#include "ask/words.h"
#include "base/base/text.h"

namespace cg::test {
namespace {

using testing::AllOf;
using testing::Each;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

struct Solved {
  std::string project;
  std::string package;
  std::string from;
  std::string to;
  std::string advisory;
  std::string import;                // a piece of the statement
  std::vector<std::string> sources;  // that the right answer changes
  std::int64_t passed = 0;           // tests
  std::string build = "absent";
  std::string types = "absent";
  std::string folder = "";  // of the manifest: "packages/routes/"
};

void PrintTo(const Solved& one, std::ostream* out) { *out << one.project; }

class Solving : public testing::TestWithParam<Solved> {
 protected:
  static void expect_gates(const Proven& proven, const Solved& expected) {
    for (const char* signal :
         {"install", "load", "tests", "lockfile_policy", "cve_delta", "trace"}) {
      EXPECT_EQ(proven.state(signal), "passed") << signal << ": " << proven.reasons(signal);
    }
    EXPECT_EQ(proven.state("build"), expected.build) << proven.reasons("build");
    EXPECT_EQ(proven.state("typecheck.typescript"), expected.types)
        << proven.reasons("typecheck.typescript");
    const json::Value tests = proven.gate("tests");
    for (const char* side : {"before", "after"}) {
      EXPECT_EQ(number_of(member_of(tests, side), "passed"), expected.passed) << side;
      EXPECT_EQ(number_of(member_of(tests, side), "failed"), 0) << side;
    }
  }

  /// Manifest, lock and the sources of the right answer; nothing else, and all as it should be.
  static void expect_branch(const AskBench& bench, const Solved& expected) {
    std::string files = "package-lock.json\n" + expected.folder + "package.json";
    for (const std::string& source : expected.sources) files += "\n" + source;
    ASSERT_EQ(bench.changed_files(), files);
    const std::string branch = bench.branches().begin()->first;
    const auto show = [&](const std::string& file) {
      return bench.git({"show", branch + ":" + file}, bench.project());
    };
    EXPECT_THAT(show(expected.folder + "package.json"),
                HasSubstr("\"" + expected.package + "\": \"^" + expected.to));
    EXPECT_THAT(show("package-lock.json"),
                HasSubstr("/" + expected.package + "-" + expected.to + ".tgz"));
    EXPECT_THAT(show("package-lock.json"),
                Not(HasSubstr("/" + expected.package + "-" + expected.from + ".tgz")));
    // The sources are those of the answer, byte for byte.
    const auto answer = json::parse_json(answer_text(expected.project + ".right"));
    ASSERT_TRUE(answer.has_value());
    bench.write("right.diff", text_of(*answer, "diff"));
    const std::string said = bench.prompt(0).body;
    Files before;
    const auto file = [&](const std::string& source) {
      return read(bench.path(bench.project() + "/" + source));
    };
    for (const std::string& source : expected.sources) before[source] = file(source);
    bench.git({"apply", bench.path("right.diff")}, bench.project());
    for (const std::string& source : expected.sources) {
      EXPECT_EQ(bench.git({"show", branch + ":" + source}, bench.project()) + "\n", file(source));
      // Nothing in it had to be known beforehand.
      EXPECT_THAT(untold(source, before[source], file(source), said), IsEmpty());
    }
    bench.git({"checkout", "-q", "."}, bench.project());
    EXPECT_EQ(bench.fsck(bench.project()), "");
  }

  /// What others wrote is fenced, what we say is not, and no file is whole in it.
  static void expect_prompt(const AskBench& bench, const Solved& expected) {
    const Prompt prompt = bench.prompt(0);
    EXPECT_THAT(prompt.ours, HasSubstr(expected.package));
    EXPECT_THAT(prompt.ours, HasSubstr(expected.to));
    EXPECT_THAT(prompt.ours, HasSubstr(expected.advisory));
    EXPECT_TRUE(prompt.only_fenced(expected.import)) << expected.import;
    const std::string source = read(bench.path(bench.project() + "/" + expected.sources[0]));
    EXPECT_THAT(prompt.fenced, Each(Not(HasSubstr(source))));
    EXPECT_GE(prompt.fenced.size(), 1 + expected.sources.size());  // the advisory is one
    const std::set<std::string> nonces(prompt.nonces.begin(), prompt.nonces.end());
    EXPECT_EQ(nonces.size(), prompt.nonces.size()) << "each fence has a nonce of its own";
    EXPECT_THAT(bench.events("fence_created"), SizeIs(prompt.fenced.size()));
  }
};

TEST_P(Solving, IsAskedGatedAndBranched) {
  const Solved& expected = GetParam();
  const auto bench = AskBench::open(expected.project);
  if (bench == nullptr) GTEST_SKIP() << kNoPackages;
  bench->answers({expected.project + ".right"});
  const Files before = bench->untouchable(expected.project);
  const Proven proven = bench->ask();
  ASSERT_EQ(proven.ran.exit, 0) << proven.ran.out << proven.ran.err << bench->tape();
  EXPECT_EQ(text_of(proven.outcome, "outcome"), "fixed");
  EXPECT_EQ(bench->untouchable(expected.project), before);
  expect_gates(proven, expected);
  for (const json::Value& change : list_of(proven.outcome, "changes")) {
    EXPECT_GT(number_of(change, "removed"), 0) << text_of(change, "path");  // each was there before
  }
  expect_branch(*bench, expected);
  expect_prompt(*bench, expected);
  bench->expect_sound();
  bench->expect_no_key({proven.ran});
  // Nobody is asked before the breaking version alone was tried, and what failed then is told.
  const auto ended = bench->events("attempt_ended");
  ASSERT_THAT(ended, SizeIs(2));
  EXPECT_NE(text_of(ended[0], "failing"), "");
  EXPECT_EQ(number_of(ended[1], "attempt"), 2);
  EXPECT_TRUE(bench->prompt(0).only_fenced("Turned down by: "));
  const auto requests = bench->world().requests();
  ASSERT_THAT(requests, SizeIs(1));
  EXPECT_EQ(text_of(requests[0], "url"), "/v1/messages");
  EXPECT_EQ(text_of(member_of(requests[0], "headers"), "x-api-key"), bench->key());
  expect_tape(expected.project, bench->tape());
}

const Solved kSolved[] = {
    {"press",
     "marked",
     "3.0.8",
     "4.0.10",
     "GHSA-5v2h-r2cx-5xgj",
     "require('marked')",
     {"src/article.js", "src/feed.js"},
     6},
    {"invites",
     "nanoid",
     "2.1.11",
     "3.3.8",
     "GHSA-mwcw-c2x4-8c55",
     "from 'nanoid",
     {"src/invite.js", "src/session.js"},
     6},
    {"rates",
     "fast-xml-parser",
     "3.21.1",
     "4.1.2",
     "GHSA-x3cc-x39p-42qx",
     "from 'fast-xml-parser'",
     {"src/read.ts", "src/write.ts"},
     4,
     "passed",
     "passed"},
    // ES modules: there is no default export any more.
    {"backup",
     "tar",
     "6.2.1",
     "7.5.3",
     "GHSA-8qq5-rm4j-mr97",
     "from 'tar'",
     {"src/list.js", "src/save.js"},
     2},
    // An option that nobody had to give.
    {"badges",
     "express-jwt",
     "5.3.3",
     "6.0.0",
     "GHSA-6g6m-m6h5-w9gf",
     "require('express-jwt')",
     {"src/desk.js", "src/door.js"},
     4},
    // TypeScript: an option that is another one now.
    {"finder",
     "jsonpath-plus",
     "5.1.0",
     "10.3.0",
     "GHSA-hw8r-x6gr-5gjp",
     "from 'jsonpath-plus'",
     {"src/find.ts", "src/places.ts"},
     3,
     "passed",
     "passed"},
    // Options that are called otherwise, and numbers that moved.
    {"ledger",
     "csv-parse",
     "2.5.0",
     "4.4.6",
     "GHSA-582f-p4pg-xc74",
     "require('csv-parse",
     {"src/count.js", "src/entries.js"},
     4},
    // Deep imports that are gone.
    {"library",
     "lodash",
     "3.10.1",
     "4.17.21",
     "GHSA-35jh-r3h4-6jhm",
     "require('lodash/collection/",
     {"src/order.js", "src/shelf.js"},
     4},
    // Objects that have no methods of their own any more.
    {"listing",
     "xml2js",
     "0.4.23",
     "0.5.0",
     "GHSA-776f-qx25-q3cc",
     "require('xml2js')",
     {"src/names.js", "src/read.js"},
     3},
    // What was said at once is promised.
    {"parcel",
     "jszip",
     "2.7.0",
     "3.8.0",
     "GHSA-36fh-84j7-cv5h",
     "from 'jszip'",
     {"src/pack.js", "src/unpack.js"},
     3},
    // A call that takes a callback now.
    {"signout",
     "passport",
     "0.5.3",
     "0.6.0",
     "GHSA-v923-w3x8-wh69",
     "require('passport')",
     {"src/leave.js"},
     3},
    // JSX, and functions that have a name of their own.
    {"stripes",
     "nth-check",
     "1.0.2",
     "2.0.1",
     "GHSA-rp65-9cf3-cjxr",
     "from 'nth-check'",
     {"src/Legend.jsx", "src/Table.jsx"},
     3,
     "passed"},
    // One package of a workspace, and another that uses it.
    {"transit",
     "path-to-regexp",
     "4.0.5",
     "6.3.0",
     "GHSA-9wv6-86v2-598j",
     "require('path-to-regexp')",
     {"packages/routes/src/lookup.js", "packages/routes/src/params.js"},
     6,
     "absent",
     "absent",
     "packages/routes/"},
};

INSTANTIATE_TEST_SUITE_P(Projects, Solving, testing::ValuesIn(kSolved),
                         [](const auto& one) { return one.param.project; });

TEST(Untold, IsWhatStandsNeitherInTheQuestionNorInTheFile) {
  const std::string before = "const a = require('a');\nold(a);\n";
  const auto of = [&](const std::string& after, const std::string& said) {
    return untold("x.js", before, after, said);
  };
  EXPECT_THAT(of("const a = require('a');\nfresh(a, { key: 'value' });\n", "fresh key value"),
              IsEmpty());
  EXPECT_THAT(of("const a = require('a');\nfresh(a, { key: 'value' }, 7);\n", "freshly, a-value"),
              testing::ElementsAre("x.js:2: fresh", "x.js:2: key", "x.js:2: 7"));
  EXPECT_THAT(of("const a = require('a/b');\nold(a);\n", "b"), testing::ElementsAre("x.js:1: a/b"));
  EXPECT_THAT(of("const = ;\n", ""), testing::ElementsAre("x.js cannot be parsed"));
}

TEST(BareVersion, ThatBreaksNothingIsTheFixAndNobodyIsAsked) {
  const auto bench = AskBench::open("press");
  if (bench == nullptr) GTEST_SKIP() << kNoPackages;
  bench->answers({"press.right"});
  for (const char* source : {"press/src/article.js", "press/src/feed.js"}) {
    std::string text = read(bench->path(source));
    const std::string import = "const marked = require('marked');";
    ASSERT_NE(text.find(import), std::string::npos) << source;
    bench->write(source, text.replace(text.find(import), import.size(),
                                      "const lib = require('marked');\n"
                                      "const marked = lib.marked || lib;"));
  }
  bench->commit("for both versions", "press");
  const Proven proven = bench->ask();
  ASSERT_EQ(proven.ran.exit, 0) << proven.ran.out << proven.ran.err << bench->tape();
  EXPECT_EQ(text_of(proven.outcome, "outcome"), "fixed");
  EXPECT_EQ(text_of(proven.outcome, "tier"), "recipe");
  EXPECT_EQ(bench->changed_files(), "package-lock.json\npackage.json");
  EXPECT_THAT(bench->world().requests(), IsEmpty());
  EXPECT_THAT(bench->events("leaf_invoked"), IsEmpty());
  EXPECT_THAT(bench->events("attempt_ended"), SizeIs(1));
  bench->expect_sound();
}

class Recovering : public testing::TestWithParam<Solved> {};

TEST_P(Recovering, FailsOnceAndRecoversWhenItIsToldWhy) {
  const std::string& project = GetParam().project;
  const auto bench = AskBench::open(project);
  if (bench == nullptr) GTEST_SKIP() << kNoPackages;
  bench->answers({project + ".wrong", project + ".right"});
  const Proven proven = bench->ask();
  ASSERT_EQ(proven.ran.exit, 0) << proven.ran.out << proven.ran.err << bench->tape();
  EXPECT_EQ(text_of(proven.outcome, "outcome"), "fixed");
  const auto ended = bench->events("attempt_ended");
  ASSERT_THAT(ended, SizeIs(3));  // the first is the breaking version alone
  EXPECT_EQ(text_of(ended[1], "failing"), "tests");
  EXPECT_EQ(number_of(ended[2], "attempt"), 3);
  EXPECT_EQ(text_of(ended[2], "failing"), "");
  EXPECT_THAT(bench->events("plan_proposal_accepted"), SizeIs(2));
  EXPECT_THAT(bench->events("rag_miss"), SizeIs(1)) << "a retry looks for no example";
  ASSERT_THAT(bench->world().requests(), SizeIs(2));

  // What the repository's own tests printed is untrusted as well.
  const Prompt retry = bench->prompt(1);
  EXPECT_TRUE(bench->prompt(0).only_fenced("Turned down by: "));
  EXPECT_TRUE(retry.only_fenced("Turned down by: tests")) << retry.ours;
  const auto kinds = bench->events("fence_created");
  EXPECT_TRUE(std::any_of(kinds.begin(), kinds.end(), [](const json::Value& one) {
    return text_of(one, "kind") == "prior_attempt_summary";
  }));
  // Nothing of what the model wrote comes back to it.
  const auto wrong = json::parse_json(answer_text(project + ".wrong"));
  ASSERT_TRUE(wrong.has_value());
  EXPECT_THAT(retry.fenced, Each(Not(HasSubstr(text_of(*wrong, "rationale")))));
  EXPECT_THAT(retry.ours, Not(HasSubstr(text_of(*wrong, "rationale"))));
  bench->expect_sound();
  // Of most projects one tape is enough, that of Solving.
  const std::set<std::string> both = {"press", "invites", "rates"};
  if (both.contains(project)) expect_tape(project + "_recovers", bench->tape());
}

INSTANTIATE_TEST_SUITE_P(Projects, Recovering, testing::ValuesIn(kSolved),
                         [](const auto& one) { return one.param.project; });

/// An answer of `name` with another diff.
json::Value say_with(const std::string& name, const std::string& diff) {
  json::Value::Object answer = *json::parse_json(answer_text(name))->as_object();
  for (auto& [key, value] : answer) {
    if (key == "diff") value = diff;
  }
  return say(json::write_json(json::Value(std::move(answer))));
}

/// Wrong lines are told back with what stands there, as untrusted; wrong numbers are no matter.
TEST(TurnedDown, IsToldWhatTheFileHasAndMayCountBadly) {
  const auto bench = AskBench::open("press");
  if (bench == nullptr) GTEST_SKIP() << kNoPackages;
  const std::string right = text_of(*json::parse_json(answer_text("press.right")), "diff");
  const std::string wrong = replaced(right, "-const marked = require('marked');",
                                     "-const marked = require('marked').hallucinated;");
  const std::string loose =
      replaced(replaced(right, "@@ -1,6 +1,6 @@", "@@ -70,9 +2 @@"), "\n", "\r\n");
  bench->world().answer({say_with("press.right", wrong), say_with("press.right", loose)});
  const Proven proven = bench->ask();
  ASSERT_EQ(proven.ran.exit, 0) << proven.ran.out << proven.ran.err << bench->tape();
  EXPECT_EQ(text_of(proven.outcome, "outcome"), "fixed");
  const auto rejected = bench->events("plan_proposal_rejected");
  ASSERT_THAT(rejected, SizeIs(1));
  EXPECT_EQ(text_of(rejected[0], "reason"), "does_not_apply");
  EXPECT_EQ(text_of(rejected[0], "where"), "src/article.js:1");
  EXPECT_EQ(number_of(rejected[0], "violations"), 0);
  const auto ended = bench->events("attempt_ended");
  ASSERT_THAT(ended, SizeIs(3));  // the first is the breaking version alone
  EXPECT_EQ(text_of(ended[1], "failing"), "proposal");
  const Prompt retry = bench->prompt(1);
  EXPECT_TRUE(
      retry.only_fenced("From line 1 on src/article.js has:\n'use strict';\n\n"
                        "const marked = require('marked');"));
  EXPECT_THAT(retry.fenced, Each(Not(HasSubstr("hallucinated"))));
  EXPECT_EQ(bench->changed_files(), "package-lock.json\npackage.json\nsrc/article.js\nsrc/feed.js");
  const std::string branch = bench->branches().begin()->first;
  EXPECT_THAT(bench->git({"show", branch + ":src/article.js"}, "press"),
              AllOf(HasSubstr("const { marked } = require('marked');\n"), Not(HasSubstr("\r"))));
  bench->expect_sound();
}

TEST(Tiers, WithoutTheTierNobodyIsAsked) {
  const auto bench = AskBench::open("press");
  if (bench == nullptr) GTEST_SKIP() << kNoPackages;
  bench->answers({"press.right"});
  for (const char* tier : {"recipe", "rag"}) {
    const Proven proven = bench->ask({"--max-tier", tier});
    EXPECT_EQ(proven.ran.exit, 7) << proven.ran.out << proven.ran.err;
    EXPECT_THAT(verdicts(proven.outcome, "marked"), testing::ElementsAre("handed_on major"));
  }
  bench->set_policy("max_tier: llm", "max_tier: recipe");
  const Proven proven = bench->ask();
  EXPECT_EQ(proven.ran.exit, 7) << proven.ran.out << proven.ran.err;
  EXPECT_THAT(bench->branches(), IsEmpty());
  EXPECT_EQ(bench->world().connections(), 0U);
}

TEST(OwnServer, AModelOnLoopbackIsAskedTheSameWay) {
  const auto bench = AskBench::open("invites");
  if (bench == nullptr) GTEST_SKIP() << kNoPackages;
  bench->answers({"invites.wrong", "invites.right"});
  bench->set_policy("max_tier: llm", "max_tier: llm\n  port: " + bench->world().own_port());
  std::filesystem::remove(bench->home() + "/policy/leaf-pins.yaml");
  const Proven proven = bench->ask({}, {"CREDENTIALS_DIRECTORY"});
  ASSERT_EQ(proven.ran.exit, 0) << proven.ran.out << proven.ran.err << bench->tape();
  EXPECT_EQ(bench->changed_files(),
            "package-lock.json\npackage.json\nsrc/invite.js\nsrc/session.js");
  const auto requests = bench->world().requests();
  ASSERT_THAT(requests, SizeIs(2));
  for (const json::Value& request : requests) {
    EXPECT_EQ(text_of(request, "url"), "/v1/chat/completions");
    EXPECT_EQ(text_of(member_of(request, "headers"), "x-api-key"), "");
    EXPECT_EQ(text_of(member_of(request, "headers"), "authorization"), "");
  }
  EXPECT_TRUE(bench->prompt(0).only_fenced("from 'nanoid"));
  EXPECT_TRUE(bench->prompt(1).only_fenced("Turned down by: tests"));
  for (const json::Value& one : bench->world().seen()) {
    EXPECT_EQ(one.find("handshake"), nullptr) << "somebody else was asked";
  }
  bench->expect_sound();
  expect_tape("own_server", bench->tape());
}

}  // namespace
}  // namespace cg::test
