// Killed, or out of space, at each thing it does to a file: the branch is where it was
// or where it should be, and the repository is sound.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "bench.h"
#include "fetch/gitrepo/wire.h"

namespace cg::gitrepo {
namespace {

namespace fs = std::filesystem;

/// Runs the program with a fault at call number `at`; true if it ended as it should.
bool survives(Bench& bench, const Order& order, int at, const std::string& mode) {
  const auto ran = test::run({CG_GIT},
                             {"LD_PRELOAD=" CG_FAULT, "CG_FAULT_AT=" + std::to_string(at),
                              "CG_FAULT_MODE=" + mode, "CG_FAULT_FIRED=" + bench.path("fired"),
                              "ASAN_OPTIONS=verify_asan_link_order=0:detect_leaks=0"},
                             *write_order(order));
  if (ran.exit != 0) return false;
  const auto answer = read_answer(ran.out);
  return answer && std::holds_alternative<Written>(answer->outcome);
}

TEST(Kill, ABranchIsMadeWholeOrNotAtAll) {
  Bench bench;
  const auto made = bench.program.prepare_commit(bench.order());
  ASSERT_TRUE(made.has_value());
  const WriteOrder order = Bench::write_order(bench.repo(), *made);
  const auto before = bench.everything("repo");
  int faults = 0;
  for (const std::string mode : {"kill", "space", "short"}) {
    for (int at = 1; at < 400; ++at) {
      const bool done = survives(bench, order, at, mode);
      const auto there = bench.try_git({"rev-parse", "--verify", "-q", kBranch}, "repo");
      EXPECT_TRUE(there.out.empty() || there.out == made->commit.hex() + "\n");
      EXPECT_TRUE(!done || !there.out.empty());
      if (!done) ++faults;
      if (at % 5 == 0 || done) {
        EXPECT_EQ(bench.fsck(), "") << mode << at;
      }
      if (done) break;
      if (!there.out.empty()) bench.git({"update-ref", "-d", "refs/heads/" + std::string(kBranch)});
      fs::remove(bench.path("repo/.git/refs/heads/" + std::string(kBranch) + ".lock"));
      bench.git({"prune", "--expire=now"});  // or the next run finds half of it done
    }
    bench.git({"update-ref", "-d", "refs/heads/" + std::string(kBranch)});
    bench.git({"prune", "--expire=now"});
  }
  EXPECT_GT(faults, 20);
  EXPECT_EQ(bench.everything("repo"), before);
}

TEST(Kill, AReplacementNeverLosesTheOldHead) {
  Bench bench;
  const auto first = bench.program.prepare_commit(bench.order());
  ASSERT_TRUE(bench.program.write_branch(Bench::write_order(bench.repo(), *first)).has_value());
  PrepareOrder other = bench.order();
  other.message = "fix: otherwise\n";
  const auto second = bench.program.prepare_commit(other);
  const WriteOrder order = Bench::write_order(bench.repo(), *second);
  for (int at = 1; at < 400; ++at) {
    const bool done = survives(bench, order, at, "kill");
    const ObjectId there = bench.id(kBranch);
    EXPECT_TRUE(there == first->commit || there == second->commit);
    if (there == second->commit) {
      EXPECT_EQ(bench.id("refs/codegenie/superseded/" + std::string(kBranch) + "/" +
                         first->commit.hex().substr(0, 12)),
                first->commit);
    }
    if (done) break;
    for (const auto& file : fs::recursive_directory_iterator(bench.path("repo/.git/refs"))) {
      if (file.path().extension() == ".lock") fs::remove(file.path());
    }
  }
  EXPECT_EQ(bench.id(kBranch), second->commit);
  EXPECT_EQ(bench.fsck(), "");
}

}  // namespace
}  // namespace cg::gitrepo
