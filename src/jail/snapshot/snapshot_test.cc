// A repository made without git is the one that git would make.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "jail/snapshot/objects.h"
#include "jail/snapshot/repository.h"
#include "support/support.h"

namespace cg::snapshot {
namespace {

namespace fs = std::filesystem;

class Snapshot : public testing::Test {
 protected:
  void write(const std::string& path, const std::string& text) {
    fs::create_directories(fs::path(dir_ / path).parent_path());
    cg::test::write(dir_ / path, text);
  }
  void put(const std::string& path, const std::string& text) {
    write(path, text);
    files_.push_back({path, dir_ / path});
  }
  [[nodiscard]] std::string read(const std::string& path) const {
    return cg::test::read(dir_ / path);
  }
  cg::test::ScratchDir dir_;
  std::vector<Tracked> files_;
};

TEST(Objects, AreNamedAsGitNamesThem) {
  EXPECT_EQ(to_hex(object_of("blob", "").id), "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391");
  EXPECT_EQ(to_hex(object_of("blob", "hello\n").id), "ce013625030ba8dba906f756967f9e9ca394464a");
  EXPECT_EQ(place_of(object_of("tree", "").id), "4b/825dc642cb6eb9a060e54bf8d69288fbee4904");
  // 0x0000ffff is a whole block: the last one must not be missing.
  EXPECT_EQ(object_of("blob", std::string(65'535 - 11, 'x')).bytes[2], '\1');
  EXPECT_EQ(object_of("blob", std::string(65'535, 'x')).bytes[2], '\0');
}

TEST_F(Snapshot, IsTheCommitThatGitMakesOfTheSameFiles) {
  put("a.txt", "a\n");
  put("a/b", "b\n");
  put("a-b", "");
  put("bin/run", "#!/bin/sh\n");
  chmod((dir_ / "bin/run").c_str(), 0755);
  fs::create_symlink("../a.txt", dir_ / "bin/link");
  files_.push_back({"bin/link", dir_ / "bin/link"});
  files_.push_back(files_.front());  // twice is once
  ASSERT_TRUE(make_repository(dir_.path(), files_, "feature/x").has_value());
  EXPECT_EQ(read(".git/HEAD"), "ref: refs/heads/feature/x\n");
  EXPECT_EQ(read(".git/refs/heads/feature/x"), "867579d25668a77f8337b132246a5d8f6211e8f4\n");
}

TEST_F(Snapshot, CallsItsBranchMainIfTheNameIsNoPlainOne) {
  for (const char* name : {"", "HEAD", "../x", "a..b", "a//b", "/a", "-x", "a.lock", "a b", "a\nb",
                           ".x", "a/.b", "x.", "a~1", "a@{1}"}) {
    ASSERT_TRUE(make_repository(dir_.path(), files_, name).has_value());
    EXPECT_EQ(read(".git/HEAD"), "ref: refs/heads/main\n") << name;
  }
}

TEST_F(Snapshot, TakesThePlaceOfWhatIsThere) {
  write(".git/hooks/pre-commit", "evil");
  write(".git/config", "evil");
  put("sub/.GIT/config", "evil");
  ASSERT_TRUE(make_repository(dir_.path(), files_, "main").has_value());
  EXPECT_TRUE(fs::is_empty(dir_ / ".git/hooks"));
  EXPECT_THAT(read(".git/config"), testing::Not(testing::HasSubstr("evil")));
  EXPECT_THAT(read(".git/index"), testing::Not(testing::HasSubstr("sub")));
}

TEST_F(Snapshot, FollowsNoLink) {
  write("elsewhere/secret", "secret");
  fs::create_symlink("elsewhere", dir_ / "folder");
  files_ = {{"folder/secret", dir_ / "folder/secret"}};
  ASSERT_TRUE(make_repository(dir_.path(), files_, "main").has_value());
  EXPECT_THAT(read(".git/index"), testing::Not(testing::HasSubstr("secret")));
  EXPECT_EQ(read(".git/info/exclude"), "/elsewhere\n/folder\nnode_modules/\n");
}

TEST_F(Snapshot, IsNotMadeOfMoreThanItsLimits) {
  put("a", "12345");
  put("b", "12345");
  const auto large = make_repository(dir_.path(), files_, "main", {9, 10});
  EXPECT_EQ(large.error(), "its files have more than 0 MiB");
  EXPECT_EQ(make_repository(dir_.path(), files_, "main", {10, 1}).error(),
            "it has more than 1 files");
  EXPECT_FALSE(fs::exists(dir_ / ".git"));
  EXPECT_TRUE(make_repository(dir_.path(), files_, "main", {10, 2}).has_value());
}

TEST(Exclude, MeansTheFileAlone) {
  EXPECT_EQ(exclude_line("a/[b]* c?\\"), "/a/\\[b]\\*\\ c\\?\\\\\n");
  EXPECT_EQ(exclude_line("a\nb"), "/a?b\n");
}

}  // namespace
}  // namespace cg::snapshot
