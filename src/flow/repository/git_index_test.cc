// git's index as git writes it, in its versions, and damaged.
#include "flow/repository/git_index.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "support/support.h"

namespace cg::repository {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

class IndexRepo {
 public:
  explicit IndexRepo(const std::vector<std::string>& init = {}) {
    std::vector<std::string> words = {"init", "-q"};
    words.insert(words.end(), init.begin(), init.end());
    git(words);
    for (const char* path : {"a/package-lock.json", "a/package.json", "package-lock.json",
                             "packages/one/yarn.lock", "packages/two/yarn.lock"}) {
      fs::create_directories((scratch_.path() / path).parent_path());
      test::write(scratch_ / path, "{}");
    }
    git({"add", "."});
  }
  void git(std::vector<std::string> words) const {
    words.insert(words.begin(), {"git", "-C", scratch_.path().string()});
    ASSERT_EQ(test::run(words).exit, 0) << words.back();
  }
  [[nodiscard]] std::string index() const { return test::read(scratch_ / ".git/index"); }

 private:
  test::ScratchDir scratch_;
};

struct Read {
  std::vector<std::string> paths;
  std::vector<std::string> absent;
  std::string error;
};

Read read_index_of(std::string_view bytes) {
  Read out;
  const auto done = read_git_index(bytes, [&](const IndexEntry& entry) {
    out.paths.emplace_back(entry.path);
    if (entry.absent) out.absent.emplace_back(entry.path);
  });
  if (!done) out.error = done.error();
  return out;
}

const auto kAllPaths = ElementsAre("a/package-lock.json", "a/package.json", "package-lock.json",
                                   "packages/one/yarn.lock", "packages/two/yarn.lock");

TEST(GitIndex, IsReadInEveryVersionThatGitWrites) {
  for (const std::string version : {"2", "3", "4"}) {
    SCOPED_TRACE(version);
    const IndexRepo repo;
    repo.git({"update-index", "--index-version", version});
    EXPECT_THAT(read_index_of(repo.index()).paths, kAllPaths);
    repo.git({"update-index", "--skip-worktree", "a/package-lock.json"});
    const Read found = read_index_of(repo.index());
    EXPECT_EQ(found.error, "");
    EXPECT_THAT(found.paths, kAllPaths);
    EXPECT_THAT(found.absent, ElementsAre("a/package-lock.json"));
  }
}

TEST(GitIndex, ObjectsMayHaveLongNames) {
  const IndexRepo repo({"--object-format=sha256"});
  EXPECT_THAT(read_index_of(repo.index()).paths, kAllPaths);
}

TEST(GitIndex, OneThatKeepsItsEntriesElsewhereSaysSo) {
  const IndexRepo repo;
  repo.git({"update-index", "--split-index"});
  EXPECT_THAT(read_index_of(repo.index()).error, HasSubstr("split"));
}

TEST(GitIndex, DamageIsAnErrorOrAnotherName) {
  for (const std::string version : {"2", "4"}) {
    const IndexRepo repo;
    repo.git({"update-index", "--index-version", version});
    const std::string whole = repo.index();
    for (std::size_t size = 0; size < whole.size(); ++size) {
      const Read cut = read_index_of(whole.substr(0, size));
      EXPECT_NE(cut.error, "") << size;
      EXPECT_LE(cut.paths.size(), 5U);
    }
    for (std::size_t at = 0; at < whole.size(); ++at) {
      for (const char value : {'\0', '\xff', '\x80'}) {
        std::string damaged = whole;
        damaged[at] = value;
        const Read found = read_index_of(damaged);
        EXPECT_LE(found.paths.size(), 5U) << at;
      }
    }
  }
  EXPECT_THAT(read_index_of("").error, HasSubstr("its start"));
  EXPECT_THAT(read_index_of(std::string("DIRC\0\0\0\x05\0\0\0\0", 12)).error, HasSubstr("version"));
  EXPECT_THAT(read_index_of(std::string("DIRC\0\0\0\x02\xff\xff\xff\xff", 12)).error,
              HasSubstr("cut off"));
}

}  // namespace
}  // namespace cg::repository
