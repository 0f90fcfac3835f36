// Which locks git tracks, whoever asks from where, and which of them nobody reads.
#include "flow/repository/tracked.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "support/support.h"

namespace cg::repository {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;

class TrackedLocks : public testing::Test {
 protected:
  void add(const std::string& path) const {
    fs::create_directories((scratch_.path() / "r" / path).parent_path());
    test::write(scratch_ / ("r/" + path), "{}");
  }
  void git(std::vector<std::string> words) const {
    words.insert(words.begin(), {"git", "-C", top(), "-c", "user.name=operator", "-c",
                                 "user.email=operator@example"});
    ASSERT_EQ(test::run(words).exit, 0) << words.back();
  }
  [[nodiscard]] std::string top() const { return scratch_ / "r"; }
  [[nodiscard]] RepoFiles files(const std::string& folder) const {
    const auto dir = os::Dir::open(folder);
    return discover_tracked(*dir, read_tracked(folder));
  }
  test::ScratchDir scratch_;
};

auto skipped(const std::string& path, const std::string& why) {
  return AllOf(Field(&Note::path, path), Field(&Note::what, HasSubstr(why)));
}

TEST_F(TrackedLocks, EveryReasonIsNamed) {
  std::string deep;
  for (int i = 0; i < 14; ++i) deep += "d/";
  for (const std::string& path :
       {std::string("package-lock.json"), std::string(".next/yarn.lock"), deep + "yarn.lock",
        std::string("sparse/yarn.lock"), std::string("gone/yarn.lock"),
        std::string("node_modules/a/b/bun.lock"), std::string("linked/yarn.lock"),
        std::string("x/bun.lock")}) {
    add(path);
  }
  git({"init", "-q"});
  git({"add", "-f", "."});
  git({"update-index", "--skip-worktree", "sparse/yarn.lock"});
  fs::remove(scratch_ / "r/sparse/yarn.lock");
  fs::remove(scratch_ / "r/gone/yarn.lock");
  fs::rename(scratch_ / "r/linked", scratch_ / "aside");
  fs::create_directory_symlink(scratch_ / "aside", scratch_ / "r/linked");
  add("node_modules/installed/yarn.lock");
  const RepoFiles found = files(top());
  EXPECT_THAT(found.skipped,
              ElementsAre(skipped(".next/yarn.lock", "in .next"),
                          skipped(deep + "yarn.lock", "deep"), skipped("linked/yarn.lock", "link"),
                          skipped("node_modules/a/b/bun.lock", "in node_modules"),
                          skipped("sparse/yarn.lock", "sparse")));
}

TEST_F(TrackedLocks, AreKnownFromALinkedWorkTreeAndFromAFolderWithin) {
  add("package-lock.json");
  add("sub/.yarn/yarn.lock");
  git({"init", "-q"});
  git({"add", "-f", "."});
  git({"commit", "-q", "-m", "x"});
  git({"worktree", "add", "-q", scratch_ / "linked"});
  EXPECT_THAT(files(scratch_ / "linked").skipped,
              ElementsAre(skipped("sub/.yarn/yarn.lock", "in .yarn")));
  EXPECT_THAT(files(scratch_ / "r/sub").skipped,
              ElementsAre(skipped(".yarn/yarn.lock", "in .yarn")));
}

TEST_F(TrackedLocks, APlainFolderHasNoneAndANewRepositoryNeither) {
  add(".yarn/yarn.lock");
  EXPECT_EQ(read_tracked(top()).state, Tracked::State::no_git);
  EXPECT_THAT(files(top()).skipped, IsEmpty());
  EXPECT_THAT(files(top()).hidden, ElementsAre(".yarn/yarn.lock"));
  git({"init", "-q"});
  EXPECT_EQ(read_tracked(top()).state, Tracked::State::listed);
  EXPECT_THAT(files(top()).skipped, IsEmpty());
}

TEST_F(TrackedLocks, WhatCannotBeToldCounts) {
  add(".yarn/yarn.lock");
  add("node_modules/a/yarn.lock");
  git({"init", "-q"});
  git({"add", "-f", "."});
  git({"update-index", "--split-index"});
  EXPECT_THAT(files(top()).skipped, ElementsAre(skipped(".yarn/yarn.lock", "split"),
                                                skipped("node_modules/a/yarn.lock", "split")));
  fs::remove(scratch_ / "r/.git/index");
  fs::create_symlink("/dev/null", scratch_ / "r/.git/index");
  EXPECT_EQ(read_tracked(top()).state, Tracked::State::unknown);
}

}  // namespace
}  // namespace cg::repository
