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
  EXPECT_THAT(text_of(copies[0], "reason"), HasSubstr("the tests fail at the base (exit 1)"));
}

}  // namespace
}  // namespace cg::test
