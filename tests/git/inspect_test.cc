// What inspect() tells of repositories of every kind.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "bench.h"

namespace cg::gitrepo {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
namespace fs = std::filesystem;

Inspection seen(Bench& bench, const std::string& folder, const std::string& base = "") {
  const auto result = bench.program.inspect({bench.path(folder), base, kManifests});
  EXPECT_TRUE(result.has_value()) << result.error().what;
  return result ? *result : Inspection{};
}

std::vector<std::string> names(const Inspection& inspection) {
  static constexpr const char* kHow[] = {"staged ", "modified ", "deleted ", "untracked "};
  std::vector<std::string> out;
  for (const DirtyFile& file : inspection.dirty) {
    out.push_back(kHow[static_cast<int>(file.how)] + file.path);
  }
  return out;
}

TEST(Inspect, AnOrdinaryRepository) {
  Bench bench;
  const Inspection it = seen(bench, "repo");
  EXPECT_EQ(it.work_tree, bench.repo());
  EXPECT_EQ(it.git_dir, bench.repo() + "/.git");
  EXPECT_EQ(it.head_ref, "refs/heads/main");
  EXPECT_EQ(it.head, bench.id("HEAD"));
  EXPECT_EQ(it.base, bench.id("main"));
  EXPECT_EQ(it.tree, bench.id("main^{tree}"));
  EXPECT_EQ(it.committed, 1'767'225'600);
  EXPECT_TRUE(it.conventional);
  EXPECT_FALSE(it.bare || it.shallow || it.linked);
  EXPECT_THAT(it.dirty, IsEmpty());
}

TEST(Inspect, BranchesTagsAndIdsAreBases) {
  Bench bench;
  bench.git({"tag", "-a", "-m", "x", "v1", "main~1"});
  bench.git({"branch", "old", "main~2"});
  EXPECT_EQ(seen(bench, "repo", "v1").base, bench.id("main~1"));
  EXPECT_EQ(seen(bench, "repo", "old").base, bench.id("main~2"));
  EXPECT_EQ(seen(bench, "repo", bench.id("old").hex()).base, bench.id("old"));
  const auto missing = bench.program.inspect({bench.repo(), "nosuch", kManifests});
  EXPECT_EQ(missing.error().kind, Error::Kind::missing_base);
}

TEST(Inspect, DirtyFilesOfInterestAndNoOthers) {
  Bench bench;
  bench.write("repo/README", "changed\n");
  bench.write("repo/package.json", "{}\n");
  fs::remove(bench.path("repo/apps/x/package.json"));
  bench.write("repo/apps/x/package-lock.json", "{}\n");
  bench.write("repo/package-lock.json", "{\"a\":1}\n");
  bench.git({"add", "package-lock.json"});
  EXPECT_THAT(names(seen(bench, "repo")),
              ElementsAre("staged package-lock.json", "deleted apps/x/package.json",
                          "modified package.json", "untracked apps/x/package-lock.json"));
}

TEST(Inspect, LineEndsOfACheckoutAreNoChange) {
  Bench bench;
  bench.write("repo/package.json", "{\r\n  \"name\": \"a\"\r\n}\r\n");
  EXPECT_THAT(names(seen(bench, "repo")), IsEmpty());
}

TEST(Inspect, DetachedUnbornBareShallowLinkedSubfolderAndNone) {
  Bench bench;
  const ObjectId main = bench.id("main");
  bench.git({"clone", "-q", "--bare", bench.repo(), bench.path("bare")});
  bench.git({"clone", "-q", "--depth=1", "file://" + bench.repo(), bench.path("shallow")});
  bench.git({"worktree", "add", "-q", "--detach", bench.path("linked"), "main"});
  bench.git({"init", "-q", "-b", "trunk", bench.path("unborn")}, ".");
  EXPECT_TRUE(seen(bench, "bare").bare);
  EXPECT_EQ(seen(bench, "bare").work_tree, "");
  EXPECT_TRUE(seen(bench, "shallow").shallow);
  EXPECT_EQ(seen(bench, "shallow").base, main);
  EXPECT_TRUE(seen(bench, "linked").linked);
  EXPECT_EQ(seen(bench, "linked").head_ref, "");
  EXPECT_EQ(seen(bench, "linked").common_dir, bench.repo() + "/.git");
  EXPECT_EQ(seen(bench, "linked").base, main);
  EXPECT_TRUE(seen(bench, "unborn").head.is_none());
  EXPECT_TRUE(seen(bench, "unborn").base.is_none());
  EXPECT_EQ(seen(bench, "unborn").head_ref, "refs/heads/trunk");
  EXPECT_EQ(seen(bench, "repo/apps/x").prefix, "apps/x");
  EXPECT_EQ(seen(bench, "repo/apps/x").base, main);
  fs::create_directory(bench.path("empty"));
  EXPECT_EQ(bench.program.inspect({bench.path("empty"), "", kManifests}).error().kind,
            Error::Kind::not_a_repository);
}

TEST(Inspect, SubmodulesAreListedAndNotEntered) {
  Bench bench;
  bench.git({"clone", "-q", bench.repo(), bench.path("other")});
  bench.git({"-c", "protocol.file.allow=always", "submodule", "--quiet", "add", bench.path("other"),
             "third/party"});
  bench.commit("fix: a submodule");
  EXPECT_THAT(seen(bench, "repo").submodules, ElementsAre("third/party"));
}

TEST(Inspect, TheWorkTreeOfASubmoduleIsARepository) {
  Bench bench;
  bench.git({"clone", "-q", bench.repo(), bench.path("other")});
  bench.git({"-c", "protocol.file.allow=always", "submodule", "--quiet", "add", bench.path("other"),
             "third/party"});
  const Inspection found = seen(bench, "repo/third/party");
  EXPECT_EQ(found.work_tree, bench.path("repo/third/party"));
  EXPECT_EQ(found.git_dir, bench.path("repo/.git/modules/third/party"));
  EXPECT_EQ(found.common_dir, found.git_dir);
  EXPECT_EQ(found.head_ref, "refs/heads/main");
  EXPECT_EQ(seen(bench, "repo/third/party/apps/x").prefix, "apps/x");
  const auto prepared = bench.program.prepare_commit(bench.order("repo/third/party"));
  ASSERT_TRUE(prepared.has_value()) << prepared.error().what;
  const auto before = bench.git({"branch", "--list"});
  const auto written =
      bench.program.write_branch(Bench::write_order(bench.path("repo/third/party"), *prepared));
  ASSERT_TRUE(written.has_value()) << written.error().what;
  EXPECT_EQ(bench.id(kBranch, "repo/third/party"), written->commit);
  EXPECT_EQ(bench.fsck("repo/third/party"), "");
  EXPECT_EQ(bench.git({"branch", "--list"}), before);
}

TEST(Inspect, AGitFolderThatNamesAnotherWorkTreeIsRefused) {
  Bench bench;
  bench.git({"clone", "-q", bench.repo(), bench.path("other")});
  bench.git({"-c", "protocol.file.allow=always", "submodule", "--quiet", "add", bench.path("other"),
             "sub"});
  fs::create_directory(bench.path("thief"));
  bench.write("thief/.git", "gitdir: " + bench.path("repo/.git/modules/sub") + "\n");
  const auto kind = [&] {
    return bench.program.inspect({bench.path("thief"), "", kManifests}).error().kind;
  };
  EXPECT_EQ(kind(), Error::Kind::hostile);
  bench.write("thief/.git", "gitdir: " + bench.path("repo/.git") + "\n");
  EXPECT_EQ(kind(), Error::Kind::unsupported);
}

TEST(Inspect, SubjectsThatAreMostlyFreeAreNotConventional) {
  Bench bench;
  for (int i = 0; i < 4; ++i) bench.git({"commit", "-q", "--allow-empty", "-m", "Work"});
  EXPECT_FALSE(seen(bench, "repo").conventional);
}

}  // namespace
}  // namespace cg::gitrepo
