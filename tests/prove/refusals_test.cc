// Fixes that a repository does not stand: each is turned down by the gate that is there for
// it, and no branch is made.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "prove/bench.h"

namespace cg::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

void expect_refused(const ProveBench& bench, const Proven& proven) {
  EXPECT_EQ(proven.ran.exit, 5) << proven.ran.out << proven.ran.err;
  EXPECT_EQ(text_of(proven.outcome, "outcome"), "not_fixed");
  EXPECT_THAT(list_of(proven.outcome, "branches"), IsEmpty());
  EXPECT_THAT(bench.branches(), IsEmpty());
  for (const json::Value& copy : list_of(proven.outcome, "copies")) {
    EXPECT_EQ(text_of(copy, "verdict") + " " + text_of(copy, "blocker"), "blocked gates");
  }
}

/// `failing` of every attempt of the last workflow.
std::vector<std::string> failing_gates(const ProveBench& bench) {
  std::vector<std::string> out;
  for (const json::Value& ended : bench.events("attempt_ended")) {
    out.push_back(text_of(ended, "failing"));
  }
  return out;
}

TEST(Refused, AFixThatBreaksATestNamesTheTest) {
  const auto bench = ProveBench::open("refused-tests");
  ASSERT_NE(bench, nullptr);
  const Files before = bench->untouchable(bench->project());
  const Proven proven = bench->prove();
  expect_refused(*bench, proven);
  EXPECT_THAT(proven.refusing(), ElementsAre("tests"));
  EXPECT_THAT(proven.reasons("tests"), HasSubstr("has two digits behind the point"));
  EXPECT_EQ(number_of(member_of(proven.gate("tests"), "before"), "passed"), 2);
  EXPECT_EQ(number_of(member_of(proven.gate("tests"), "after"), "passed"), 1);
  EXPECT_EQ(number_of(member_of(proven.gate("tests"), "after"), "failed"), 1);
  EXPECT_THAT(failing_gates(*bench), ElementsAre("tests"));
  EXPECT_EQ(bench->untouchable(bench->project()), before);
}

TEST(Refused, AFixThatBreaksTypesNamesTheError) {
  const auto bench = ProveBench::open("refused-types");
  if (bench == nullptr) GTEST_SKIP() << kNoPackages;
  const Proven proven = bench->prove();
  expect_refused(*bench, proven);
  EXPECT_THAT(proven.refusing(), ElementsAre("typecheck.typescript"));
  EXPECT_THAT(proven.reasons("typecheck.typescript"), HasSubstr("src/room.ts: error TS"));
  EXPECT_EQ(number_of(member_of(proven.gate("typecheck.typescript"), "before"), "errors"), 0);
  EXPECT_EQ(proven.state("tests"), "passed");
}

TEST(Refused, AnOverrideUnderWhichADependentDoesNotLoadNamesIt) {
  const auto bench = ProveBench::open("refused-load");
  ASSERT_NE(bench, nullptr);
  const Proven proven = bench->prove();
  expect_refused(*bench, proven);
  EXPECT_THAT(proven.refusing(), ElementsAre("load", "tests"));
  EXPECT_THAT(proven.reasons("load"), HasSubstr("@proof/chest@1.0.0: index.js:4 imports "
                                                "@proof/box/lid, which is not exported"));
  EXPECT_THAT(proven.reasons("load"),
              HasSubstr("node_modules/@proof/chest no longer loads by require(): Package subpath"));
  // No test loads it; but none is run once this is known.
  EXPECT_EQ(proven.state("tests"), "missing");
  EXPECT_THAT(proven.reasons("tests"), HasSubstr("as load has failed"));
  EXPECT_THAT(failing_gates(*bench), ElementsAre(testing::StartsWith("load")));
}

/// Registries whose addresses have a shape of their own tell where a release lies. This one
/// says that it is not where the others are: without encryption.
TEST(Refused, AFixFromAnAddressThatNobodyConfigured) {
  const auto bench = ProveBench::open("refused-address");
  ASSERT_NE(bench, nullptr);
  const std::string file = bench->project() + "/package-lock.json";
  std::string lock = read(bench->path(file));
  const std::string usual = "https://registry.example/@proof/remote/-/remote-1.0.0.tgz";
  ASSERT_NE(lock.find(usual), lock.npos);
  lock.replace(lock.find(usual), usual.size(), "https://packages.example/download/remote/1.0.0");
  bench->write(file, lock);
  bench->commit("as the other registry has it", bench->project());
  const Proven proven = bench->prove();
  expect_refused(*bench, proven);
  EXPECT_THAT(proven.refusing(), ElementsAre("lockfile_policy"));
  EXPECT_THAT(proven.reasons("lockfile_policy"),
              HasSubstr("http://packages.example/download/remote/1.0.1"));
  EXPECT_THAT(failing_gates(*bench), ElementsAre("lockfile_policy"));
}

TEST(Refused, AFixThatExecutesSomethingNewIsNotTriedAgain) {
  const auto bench = ProveBench::open("refused-program");
  ASSERT_NE(bench, nullptr);
  const Proven proven = bench->prove();
  expect_refused(*bench, proven);
  EXPECT_THAT(proven.refusing(), ElementsAre("trace"));
  EXPECT_THAT(proven.reasons("trace"),
              HasSubstr("started /usr/bin/id, which it does not at the base"));
  EXPECT_THAT(failing_gates(*bench), ElementsAre("trace"));  // though there is another version
}

TEST(Refused, AFixThatConnectsToSomewhereNewIsNotTriedAgain) {
  const auto bench = ProveBench::open("refused-connection");
  ASSERT_NE(bench, nullptr);
  const Proven proven = bench->prove();
  expect_refused(*bench, proven);
  EXPECT_THAT(proven.refusing(), ElementsAre("trace"));
  EXPECT_THAT(proven.reasons("trace"), HasSubstr("tests tried to reach tcp 127.0.0.2:9"));
  EXPECT_THAT(failing_gates(*bench), ElementsAre("trace"));
}

TEST(Refused, AFixWhoseBytesAreNotThoseThatTheLockMeansCannotBeInstalled) {
  const auto bench = ProveBench::open("refused-install");
  ASSERT_NE(bench, nullptr);
  const Proven proven = bench->prove();
  expect_refused(*bench, proven);
  EXPECT_EQ(proven.state("install"), "failed");
  EXPECT_EQ(proven.state("tests"), "missing");
  EXPECT_THAT(proven.ran.err, HasSubstr("@proof/broken@1.0.1"));
}

}  // namespace
}  // namespace cg::test
