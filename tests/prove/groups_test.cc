// Many fixes on one branch: those that break something are found and taken out, and where the
// base itself does not run nothing is spent on any of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "prove/bench.h"

namespace cg::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::SizeIs;
using testing::StartsWith;

/// By package, "fixed 1.0.2" or "blocked gates".
std::map<std::string, std::string> fates(const Proven& proven) {
  std::map<std::string, std::string> out;
  for (const json::Value& copy : list_of(proven.outcome, "copies")) {
    const std::string verdict = text_of(copy, "verdict");
    out[text_of(copy, "location")] =
        verdict + " " + text_of(copy, verdict == "fixed" ? "to" : "blocker");
  }
  return out;
}

std::vector<std::string> names(const Files& branches) {
  std::vector<std::string> out;
  for (const auto& [name, commit] : branches) out.push_back(name);
  return out;
}

TEST(Groups, OnlyWhatBreaksATestIsTakenOutOfTheBranch) {
  const auto bench = ProveBench::open("blamed");
  ASSERT_NE(bench, nullptr);
  const Proven proven = bench->prove();
  EXPECT_EQ(proven.ran.exit, 7) << proven.ran.out << proven.ran.err;
  EXPECT_EQ(text_of(proven.outcome, "outcome"), "partly_fixed");
  using Fate = std::pair<const std::string, std::string>;
  EXPECT_THAT(fates(proven), ElementsAre(Fate("node_modules/@proof/price", "blocked gates"),
                                         Fate("node_modules/@proof/scale", "fixed 1.0.2"),
                                         Fate("node_modules/@proof/shape", "fixed 1.0.1"),
                                         Fate("node_modules/@proof/slug", "fixed 1.0.1")));
  const Files branches = bench->branches();
  EXPECT_THAT(names(branches), ElementsAre("codegenie/cgex-2026-1008-proof-scale-1.0.2",
                                           MatchesRegex("codegenie/in-range-[0-9a-f]{12}")));
  // What is said of the tries in between is consistent with what came of them.
  const Ran verified = bench->codegenie({"verify", "latest"});
  EXPECT_EQ(verified.exit, 0) << verified.out << verified.err;
  std::string reasons;
  for (const json::Value& gate : list_of(proven.outcome, "gates")) {
    reasons += json::write_json(gate) + "\n";
  }
  EXPECT_THAT(reasons, HasSubstr("a price has two digits behind the point"));

  const Proven again = bench->prove();
  EXPECT_EQ(bench->branches(), branches);
  EXPECT_EQ(fates(again), fates(proven));
}

TEST(Groups, EachFixHasItsBranchIfAsked) {
  const auto bench = ProveBench::open("blamed");
  ASSERT_NE(bench, nullptr);
  const Proven proven = bench->prove({"--group", "each"});
  EXPECT_EQ(proven.ran.exit, 7) << proven.ran.out << proven.ran.err;
  EXPECT_THAT(names(bench->branches()), ElementsAre("codegenie/cgex-2026-1001-proof-slug-1.0.1",
                                                    "codegenie/cgex-2026-1003-proof-shape-1.0.1",
                                                    "codegenie/cgex-2026-1008-proof-scale-1.0.2"));
}

TEST(Groups, WhereTheBaseCannotBeComparedNothingElseIsRun) {
  const auto bench = ProveBench::open("unprovable");
  ASSERT_NE(bench, nullptr);
  const Proven proven = bench->prove();
  EXPECT_EQ(proven.ran.exit, 5) << proven.ran.out << proven.ran.err;
  EXPECT_THAT(bench->branches(), SizeIs(0));
  for (const json::Value& step : bench->events("step_ran")) {
    EXPECT_EQ(text_of(step, "side"), "base");
  }
  const auto ended = bench->events("attempt_ended");
  ASSERT_THAT(ended, SizeIs(1));
  EXPECT_EQ(text_of(ended[0], "failing"), "base");
  const auto copies = list_of(proven.outcome, "copies");
  ASSERT_THAT(copies, SizeIs(2));
  EXPECT_EQ(text_of(copies[0], "blocker"), "unproven");
  EXPECT_EQ(text_of(proven.outcome, "outcome"), "unproven");
  const auto causes = list_of(proven.outcome, "unproven");
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_THAT(text_of(causes[0], "cause"), HasSubstr("the tests fail at the base (exit 1)"));
  EXPECT_THAT(bench->events("base_unprovable"), SizeIs(1));
}

/// What can be proven is proven, whatever else in the repository cannot be run.
TEST(Groups, ALockfileThatCannotBeRunLeavesOthersTheirBranches) {
  const auto bench = ProveBench::open("blamed");
  ASSERT_NE(bench, nullptr);
  ASSERT_TRUE(prepare("unprovable", std::string(CG_SOURCE_DIR) + "/tests/prove", CG_PREPARED));
  for (const std::string name : {"package.json", "package-lock.json", "check.js"}) {
    bench->write("blamed/site/" + name,
                 read(std::string(CG_PREPARED) + "/projects/unprovable/" + name));
  }
  bench->commit("a site", "blamed");
  const Proven proven = bench->prove();
  EXPECT_EQ(proven.ran.exit, 7) << proven.ran.out << proven.ran.err;
  std::map<std::string, std::string> shapes;
  for (const json::Value& copy : list_of(proven.outcome, "copies")) {
    if (text_of(copy, "package") != "@proof/shape") continue;
    shapes[text_of(copy, "lockfile")] = text_of(copy, "verdict") + " " + text_of(copy, "blocker");
  }
  using Fate = std::pair<const std::string, std::string>;
  EXPECT_THAT(shapes, ElementsAre(Fate("package-lock.json", "fixed "),
                                  Fate("site/package-lock.json", "blocked unproven")));
  EXPECT_THAT(names(bench->branches()), ElementsAre("codegenie/cgex-2026-1008-proof-scale-1.0.2",
                                                    MatchesRegex("codegenie/in-range-.*")));
  const auto causes = list_of(proven.outcome, "unproven");
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_EQ(text_of(causes[0], "lockfile"), "site/package-lock.json");
  const Ran verified = bench->codegenie({"verify", "latest"});
  EXPECT_EQ(verified.exit, 0) << verified.out << verified.err;
}

TEST(Groups, WhatIsUnprovenIsKeptUnderAnotherNameIfAskedFor) {
  const auto bench = ProveBench::open("unprovable");
  ASSERT_NE(bench, nullptr);
  const Proven kept = bench->prove({"--unproven", "keep"});
  EXPECT_EQ(kept.ran.exit, 5) << kept.ran.out << kept.ran.err;
  EXPECT_EQ(text_of(kept.outcome, "outcome"), "unproven");
  EXPECT_THAT(bench->branches(), SizeIs(0)) << "none under codegenie/";
  const auto commits = list_of(kept.outcome, "commits");
  ASSERT_THAT(commits, SizeIs(1));
  EXPECT_THAT(text_of(commits[0], "branch"), StartsWith("codegenie-unproven/"));
  EXPECT_EQ(text_of(commits[0], "outcome"), "unproven");
  for (const json::Value& copy : list_of(kept.outcome, "copies")) {
    EXPECT_EQ(text_of(copy, "verdict"), "blocked");
  }
  EXPECT_EQ(kept.outcome.find("findings")->find("before")->as_int(),
            kept.outcome.find("findings")->find("after")->as_int());
  for (const json::Value& gate : list_of(kept.outcome, "gates")) {
    const std::string signal = text_of(gate, "signal");
    if (signal == "lockfile_policy" || signal == "cve_delta") {
      EXPECT_EQ(text_of(gate, "state"), "passed") << signal;
    }
  }
  const Ran verified = bench->codegenie({"verify", "latest"});
  EXPECT_EQ(verified.exit, 0) << verified.out << verified.err;
  const Ran body = bench->codegenie({"report", "latest", "--format", "pr-body"});
  EXPECT_THAT(body.out, StartsWith("### Unproven, not fixed: ")) << body.err;
}

/// Whatever came of it, what was tried can be read.
TEST(Groups, WhatStoppedARunIsKeptAndShown) {
  const auto bench = ProveBench::open("unprovable");
  ASSERT_NE(bench, nullptr);
  const Proven proven = bench->prove();
  const Ran verified = bench->codegenie({"verify", "latest"});
  EXPECT_EQ(verified.exit, 0) << verified.out << verified.err;
  const std::string id = text_of(proven.outcome, "workflow");
  const Ran shown = bench->codegenie({"workflow", "show", id, "--gate", "tests"});
  EXPECT_EQ(shown.exit, 0) << shown.err;
  EXPECT_THAT(shown.out, HasSubstr("tests: missing, at the base"));
  EXPECT_THAT(shown.out, HasSubstr("standard output at the base, its end"));
  const Ran other = bench->codegenie({"workflow", "show", id, "--gate", "nope"});
  EXPECT_EQ(other.exit, 2);
  EXPECT_THAT(other.err, HasSubstr("install, "));
}

}  // namespace
}  // namespace cg::test
