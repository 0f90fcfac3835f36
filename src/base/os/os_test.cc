#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "base/os/child.h"
#include "base/os/dir.h"
#include "base/os/own_programs.h"
#include "base/os/ports.h"
#include "support/support.h"

namespace cg::os {
namespace {

namespace fs = std::filesystem;
using test::ScratchDir;

Dir open(const ScratchDir& scratch) { return *Dir::open(scratch.path()); }

TEST(Dir, WritesAreAtomicAndPrivate) {
  const ScratchDir scratch;
  const Dir dir = open(scratch);
  ASSERT_TRUE(dir.make_dir("a/b"));
  ASSERT_TRUE(dir.write_atomic("a/b/f", "one"));
  ASSERT_TRUE(dir.write_atomic("a/b/f", "two"));
  EXPECT_EQ(*dir.read("a/b/f", 100), "two");
  EXPECT_EQ(dir.stat("a/b/f")->mode, 0600U);
  EXPECT_EQ(dir.stat("a/b")->mode, 0700U);
  EXPECT_EQ(dir.list("a/b", 10)->size(), 1U);  // no temporary file is left
  EXPECT_EQ(dir.write_new("a/b/f", "three").error().kind, Error::Kind::exists);
  EXPECT_EQ(*dir.read("a/b/f", 100), "two");
}

TEST(Dir, NothingLeavesTheFolder) {
  const ScratchDir scratch;
  const ScratchDir other;
  test::write(other / "secret", "x");
  fs::create_symlink(other / "secret", scratch / "link");
  fs::create_directory_symlink(other.path(), scratch / "dirlink");
  fs::create_symlink("plain", scratch / "inner");
  test::write(scratch / "plain", "p");
  const Dir dir = open(scratch);
  for (const std::string path :
       {"link", "dirlink/secret", "inner", "../x", "/etc/passwd", "a/../../etc/passwd"}) {
    SCOPED_TRACE(path);
    const auto bytes = dir.read(path, 100);
    ASSERT_FALSE(bytes);
    EXPECT_TRUE(bytes.error().kind == Error::Kind::symlink ||
                bytes.error().kind == Error::Kind::not_found);
  }
  EXPECT_FALSE(dir.write_atomic("dirlink/new", "x"));
  EXPECT_FALSE(fs::exists(other / "new"));
  EXPECT_EQ(Dir::open(scratch / "dirlink").error().kind, Error::Kind::symlink);
}

TEST(Dir, SurvivesAnAttackerWhoSwapsFolders) {
  const ScratchDir scratch;
  const ScratchDir outside;
  test::write(outside / "f", "outside");
  fs::create_directory(scratch / "a");
  test::write(scratch / "a/f", "inside");
  fs::create_directory_symlink(outside.path(), scratch / "b");
  const pid_t attacker = fork();
  if (attacker == 0) {
    const int fd = ::open(scratch.path().c_str(), O_RDONLY | O_DIRECTORY);
    for (int i = 0; i < 2'000'000; ++i) renameat2(fd, "a", fd, "b", RENAME_EXCHANGE);
    _exit(0);
  }
  const Dir dir = open(scratch);
  int inside = 0;
  for (int i = 0; i < 20'000; ++i) {
    const auto bytes = dir.read("a/f", 100);
    if (bytes) {
      ASSERT_EQ(*bytes, "inside");
      ++inside;
    }
  }
  kill(attacker, SIGKILL);
  EXPECT_GT(inside, 0);
}

TEST(Dir, BoundsWhatItReads) {
  const ScratchDir scratch;
  test::write(scratch / "f", std::string(1000, 'x'));
  mkfifo((scratch / "pipe").c_str(), 0600);
  const Dir dir = open(scratch);
  EXPECT_EQ(dir.read("f", 999).error().kind, Error::Kind::too_big);
  EXPECT_EQ(dir.read("f", 1000)->size(), 1000U);
  EXPECT_EQ(dir.read("pipe", 10).error().kind, Error::Kind::not_a_file);
  EXPECT_EQ(dir.read(".", 10).error().kind, Error::Kind::not_a_file);
  EXPECT_EQ(dir.read("absent", 10).error().kind, Error::Kind::not_found);
  EXPECT_EQ(dir.list(".", 1).error().kind, Error::Kind::too_big);
}

TEST(Dir, EntriesHaveTypesAndABound) {
  const ScratchDir scratch;
  test::write(scratch / "file", "x");
  std::filesystem::create_directory(scratch / "folder");
  std::filesystem::create_symlink("file", scratch / "link");
  mkfifo((scratch / "pipe").c_str(), 0600);
  const Dir dir = open(scratch);
  for (int again = 0; again < 2; ++again) {
    std::map<std::string, FileInfo::Type> types;
    const auto entries = dir.entries(4);
    ASSERT_TRUE(entries);
    for (const Entry& entry : *entries) types[entry.name] = entry.type;
    EXPECT_EQ(types, (std::map<std::string, FileInfo::Type>{{"file", FileInfo::Type::file},
                                                            {"folder", FileInfo::Type::folder},
                                                            {"link", FileInfo::Type::symlink},
                                                            {"pipe", FileInfo::Type::other}}));
  }
  EXPECT_EQ(dir.entries(3).error().kind, Error::Kind::too_big);
}

TEST(Dir, EntriesOfALargeFolderAreAllThere) {
  const ScratchDir scratch;
  for (int i = 0; i < 2000; ++i)
    test::write(scratch / ("a-rather-long-name-" + std::to_string(i)), "");
  EXPECT_EQ(open(scratch).entries(5000)->size(), 2000U);
}

TEST(Child, ReturnsOutputAndEnding) {
  const auto ran = run({.argv = {"/bin/sh", "-c", "cat; echo err >&2; exit 3"}, .input = "hello"});
  ASSERT_TRUE(ran);
  EXPECT_EQ(ran->out, "hello");
  EXPECT_EQ(ran->err, "err\n");
  EXPECT_EQ(std::get<Exited>(ran->ending).code, 3);
}

TEST(Child, InheritsNothing) {
  setenv("SECRET", "1", 1);
  const int fd = ::open("/dev/null", O_RDONLY);  // deliberately without O_CLOEXEC
  const auto ran = run({.argv = {"/bin/sh", "-c", "echo $SECRET; ls /proc/self/fd | wc -l"}});
  ASSERT_TRUE(ran);
  EXPECT_EQ(ran->out, "\n4\n");  // 0, 1, 2 and the one ls reads the folder with
  close(fd);
}

TEST(Child, LimitsAreKept) {
  const auto slow =
      run({.argv = {"/bin/sh", "-c", "sleep 100"}, .limit = std::chrono::milliseconds(50)});
  EXPECT_TRUE(std::holds_alternative<TimedOut>(slow->ending));
  const auto loud = run({.argv = {"/usr/bin/yes"}, .max_output = 1000});
  EXPECT_TRUE(std::holds_alternative<TooMuchOutput>(loud->ending));
  EXPECT_EQ(loud->out.size(), 1000U);
  const auto killed = run({.argv = {"/bin/sh", "-c", "kill -9 $$"}});
  EXPECT_EQ(std::get<Signalled>(killed->ending).signal, 9);
  EXPECT_EQ(run({.argv = {"/no/such/program"}}).error().kind, Error::Kind::not_found);
}

TEST(Ports, RandomIsNotConstant) {
  SystemRandom random;
  EXPECT_NE(random.bytes<16>(), random.bytes<16>());
}

TEST(Dir, RemovesATreeAndFollowsNoLink) {
  const test::ScratchDir scratch;
  fs::create_directories(scratch / "top/a/b");
  fs::create_directories(scratch / "outside");
  test::write(scratch / "outside/kept", "x");
  test::write(scratch / "top/a/b/file", "x");
  fs::create_symlink(scratch / "outside", scratch / "top/a/link");
  const auto dir = Dir::open(scratch.path());
  ASSERT_TRUE(dir.has_value());
  EXPECT_TRUE(dir->remove_tree("top").has_value());
  EXPECT_FALSE(fs::exists(scratch / "top"));
  EXPECT_TRUE(fs::exists(scratch / "outside/kept"));
  EXPECT_TRUE(dir->remove_tree("top").has_value());
  fs::create_symlink(scratch / "outside", scratch / "top");
  static_cast<void>(dir->remove_tree("top"));  // a link is no tree
  EXPECT_TRUE(fs::exists(scratch / "outside/kept"));
  EXPECT_FALSE(dir->remove_tree("..").has_value());
}

TEST(Dir, OpenedForLookupReadsByNameAndListsNothing) {
  const test::ScratchDir scratch;
  test::write(scratch / "file", "bytes");
  const auto dir = Dir::open_for_lookup(scratch.path());
  ASSERT_TRUE(dir.has_value());
  const auto bytes = dir->read("file", 10);
  ASSERT_TRUE(bytes.has_value());
  EXPECT_EQ(*bytes, "bytes");
  EXPECT_FALSE(dir->entries(10).has_value());
  EXPECT_FALSE(dir->sync().has_value());
}

TEST(OwnPrograms, AreThoseBesideThisOne) {
  const auto own = own_folder();
  ASSERT_TRUE(own.has_value());
  EXPECT_EQ(*own, fs::read_symlink("/proc/self/exe").parent_path());
  EXPECT_EQ(*program_folders(), (std::vector<std::string>{*own, *own + "/../libexec/codegenie"}));
  EXPECT_EQ(*folder_with({"os_test"}), *own);
  const auto lacking = folder_with({"os_test", "no-such-program"});
  ASSERT_FALSE(lacking.has_value());
  EXPECT_EQ(lacking.error().kind, Error::Kind::not_found);
  EXPECT_EQ(lacking.error().path, *own + "/no-such-program");
}

}  // namespace
}  // namespace cg::os
