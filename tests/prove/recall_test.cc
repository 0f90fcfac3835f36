// What one run has shown, the next one need not run: and only what the log vouches for.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "prove/bench.h"

namespace cg::test {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

namespace fs = std::filesystem;

std::vector<fs::path> kept_steps(const ProveBench& bench) {
  std::vector<fs::path> out;
  for (const auto& entry : fs::directory_iterator(bench.home() + "/cache/steps")) {
    out.push_back(entry.path());
  }
  return out;
}

TEST(Recall, ASecondRunRunsNothingAndComesToTheSame) {
  const auto bench = ProveBench::open("node-app");
  ASSERT_NE(bench, nullptr);
  const Proven first = bench->prove();
  ASSERT_EQ(first.ran.exit, 0) << first.ran.out << first.ran.err;
  EXPECT_THAT(bench->events("step_ran"), Not(SizeIs(0)));
  EXPECT_THAT(bench->events("step_recalled"), SizeIs(0));
  const std::string ran_by = bench->last_workflow();
  const Files branches = bench->branches();

  const Proven second = bench->prove();
  EXPECT_EQ(second.ran.exit, 0) << second.ran.out << second.ran.err;
  EXPECT_THAT(bench->events("step_ran"), SizeIs(0));
  EXPECT_THAT(bench->events("sandbox_opened"), SizeIs(0));
  EXPECT_THAT(bench->events("step_recalled"), Not(SizeIs(0)));
  for (const json::Value& step : bench->events("step_recalled")) {
    EXPECT_EQ(text_of(step, "workflow"), ran_by);
  }
  EXPECT_EQ(bench->branches(), branches);
  EXPECT_EQ(list_of(second.outcome, "gates"), list_of(first.outcome, "gates"));
  EXPECT_THAT(second.ran.err, HasSubstr(ran_by));
  // Its evidence holds as well.
  const Ran verified = bench->codegenie({"verify", "latest"});
  EXPECT_EQ(verified.exit, 0) << verified.out << verified.err;

  const Proven fresh = bench->prove({"--fresh"});
  EXPECT_EQ(fresh.ran.exit, 0) << fresh.ran.out << fresh.ran.err;
  EXPECT_THAT(bench->events("step_recalled"), SizeIs(0));
  EXPECT_THAT(bench->events("step_ran"), Not(SizeIs(0)));
}

TEST(Recall, WhatSomebodyChangedIsRunAgainAndTold) {
  const auto bench = ProveBench::open("node-app");
  ASSERT_NE(bench, nullptr);
  ASSERT_EQ(bench->prove().ran.exit, 0);
  for (const fs::path& step : kept_steps(*bench)) {
    std::string bytes = read(step);
    bytes.back() = static_cast<char>(bytes.back() ^ 1);
    write(step, bytes);
  }
  const Proven again = bench->prove();
  EXPECT_EQ(again.ran.exit, 0) << again.ran.out << again.ran.err;
  EXPECT_THAT(bench->events("step_recalled"), SizeIs(0));
  EXPECT_THAT(bench->events("recall_refused"), Not(SizeIs(0)));
  EXPECT_THAT(again.ran.err, HasSubstr("not what the log says"));
}

TEST(Recall, AnotherCommitIsAnotherTree) {
  const auto bench = ProveBench::open("node-app");
  ASSERT_NE(bench, nullptr);
  ASSERT_EQ(bench->prove().ran.exit, 0);
  const std::string repo = bench->path(bench->project());
  write(repo + "/notes.txt", "a file that no test reads\n");
  ASSERT_EQ(run({"git", "-C", repo, "add", "notes.txt"}).exit, 0);
  ASSERT_EQ(run({"git", "-C", repo, "-c", "user.name=operator", "-c", "user.email=o@localhost",
                 "commit", "-qm", "More notes"})
                .exit,
            0);
  EXPECT_EQ(bench->prove().ran.exit, 0);
  EXPECT_THAT(bench->events("step_recalled"), SizeIs(0));
}

TEST(TimeLimit, WhatWasDoneIsKeptAndTheRestIsSaid) {
  const auto bench = ProveBench::open("blamed");
  ASSERT_NE(bench, nullptr);
  // Shorter than any install: the first proof is begun or not, and no other.
  const Proven proven = bench->prove({"--group", "each", "--time-limit", "1s"});
  EXPECT_NE(proven.ran.exit, 0) << proven.ran.out << proven.ran.err;
  EXPECT_LE(bench->branches().size(), 1U);
  std::string whys;
  for (const json::Value& copy : list_of(proven.outcome, "copies")) {
    whys += json::write_json(copy) + "\n";
  }
  EXPECT_THAT(whys, HasSubstr("the time limit was reached"));
  for (const char* bad : {"20", "m", "0s", "1d", "-3m", "99999999999999999999h", "8d"}) {
    EXPECT_EQ(bench->prove({"--time-limit", bad}).ran.exit, 2) << bad;
  }
}

}  // namespace
}  // namespace cg::test
