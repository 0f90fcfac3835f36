#include "flow/repository/files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "npm/lockfile/lock.h"
#include "support/support.h"

namespace cg::repository {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;

/// A repository made of empty files.
class EmptyFiles {
 public:
  void add(const std::string& path) {
    fs::create_directories((scratch_.path() / path).parent_path());
    test::write(scratch_.path() / path, "x");
  }
  [[nodiscard]] fs::path at(const std::string& path) const { return scratch_.path() / path; }
  [[nodiscard]] RepoFiles discover() const {
    const auto dir = os::Dir::open(scratch_.path());
    return repository::discover(*dir);
  }

 private:
  test::ScratchDir scratch_;
};

auto note(const std::string& path, const std::string& what) {
  return AllOf(Field(&Note::path, path), Field(&Note::what, HasSubstr(what)));
}

TEST(Discover, FindsEveryKindOfFileSorted) {
  EmptyFiles repo;
  for (const char* path : {"package.json",
                           "b/package.json",
                           "a/package.json",
                           "package-lock.json",
                           "b/yarn.lock",
                           "c/pnpm-lock.yaml",
                           "npm-shrinkwrap.json",
                           "bun.lock",
                           "x/bun.lockb",
                           "pnpm-workspace.yaml",
                           "lerna.json",
                           "tsconfig.json",
                           "a/tsconfig.build.json",
                           "Dockerfile",
                           "Dockerfile.dev",
                           "web.Dockerfile",
                           "Containerfile",
                           "Dockerfile.dockerignore",
                           ".npmrc",
                           ".nvmrc",
                           "a/.node-version",
                           "readme.md",
                           "xpackage.json"}) {
    repo.add(path);
  }
  const RepoFiles files = repo.discover();
  EXPECT_THAT(files.manifests, ElementsAre("a/package.json", "b/package.json", "package.json"));
  EXPECT_THAT(files.locks,
              ElementsAre(LockFile{"b/yarn.lock", npm::LockKind::yarn_classic},
                          LockFile{"c/pnpm-lock.yaml", npm::LockKind::pnpm},
                          LockFile{"npm-shrinkwrap.json", npm::LockKind::npm_shrinkwrap},
                          LockFile{"package-lock.json", npm::LockKind::package_lock}));
  EXPECT_THAT(files.unsupported_locks, ElementsAre("bun.lock", "x/bun.lockb"));
  EXPECT_THAT(files.pnpm_workspaces, ElementsAre("pnpm-workspace.yaml"));
  EXPECT_THAT(files.lerna, ElementsAre("lerna.json"));
  EXPECT_THAT(files.tsconfigs, ElementsAre("a/tsconfig.build.json", "tsconfig.json"));
  EXPECT_THAT(files.dockerfiles,
              ElementsAre("Containerfile", "Dockerfile", "Dockerfile.dev", "web.Dockerfile"));
  EXPECT_THAT(files.npmrcs, ElementsAre(".npmrc"));
  EXPECT_THAT(files.node_versions, ElementsAre(".nvmrc", "a/.node-version"));
  EXPECT_THAT(files.notes, IsEmpty());
  EXPECT_TRUE(files.complete);
  EXPECT_EQ(files.git, RepoFiles::Git::none);
}

TEST(Discover, DoesNotGoWhereToolsPutThings) {
  EmptyFiles repo;
  for (const char* folder : {"node_modules/a", "a/node_modules/b", "bower_components/c", ".git",
                             ".codegenie", ".yarn/cache", ".pnpm-store", "vendor/bundle"}) {
    repo.add(std::string(folder) + "/package.json");
  }
  repo.add("vendor/kept/package.json");
  const RepoFiles files = repo.discover();
  EXPECT_THAT(files.manifests, ElementsAre("vendor/kept/package.json"));
  EXPECT_EQ(files.git, RepoFiles::Git::folder);
}

TEST(Discover, FollowsNoLinkAndSaysSo) {
  EmptyFiles repo;
  const test::ScratchDir outside;
  test::write(outside / "package.json", "{}");
  repo.add("real/package.json");
  fs::create_directory_symlink(outside.path(), repo.at("folder"));
  fs::create_symlink(outside / "package.json", repo.at("package.json"));
  mkfifo(repo.at("pipe").c_str(), 0600);
  const RepoFiles files = repo.discover();
  // The linked manifest is listed, so that reading it can be refused by name.
  EXPECT_THAT(files.manifests, ElementsAre("package.json", "real/package.json"));
  EXPECT_THAT(files.notes, Contains(note("folder", "symbolic link")));
  EXPECT_THAT(files.notes, Contains(note("package.json", "symbolic link")));
  EXPECT_THAT(files.notes, Contains(note("pipe", "neither")));
}

TEST(Discover, LocksThatNobodyReadsAreNamed) {
  EmptyFiles repo;
  repo.add("package-lock.json");
  repo.add("a\\b/yarn.lock");
  repo.add("c\nd/package-lock.json");
  fs::create_symlink("package-lock.json", repo.at("npm-shrinkwrap.json"));
  mkfifo(repo.at("pnpm-lock.yaml").c_str(), 0600);
  const RepoFiles files = repo.discover();
  EXPECT_THAT(files.locks, ElementsAre(LockFile{"package-lock.json", npm::LockKind::package_lock}));
  EXPECT_THAT(files.skipped, ElementsAre(note("a\\b/yarn.lock", "no fix is written to"),
                                         note("c\nd/package-lock.json", "no fix is written to"),
                                         note("npm-shrinkwrap.json", "symbolic link"),
                                         note("pnpm-lock.yaml", "neither")));
}

TEST(Discover, LooksForLocksWhereToolsPutThingsIfAsked) {
  EmptyFiles repo;
  for (const char* path :
       {".yarn/package-lock.json", ".yarn/a/b/yarn.lock", ".next/bun.lockb",
        "node_modules/a/package-lock.json", "x/vendor/cache/pnpm-lock.yaml", ".git/yarn.lock",
        ".codegenie/npm-shrinkwrap.json", "__pycache__/package.json", "package-lock.json",
        ".next/node_modules/b/yarn.lock"}) {
    repo.add(path);
  }
  const auto dir = os::Dir::open(repo.at(""));
  EXPECT_THAT(repo.discover().hidden, IsEmpty());
  const RepoFiles all = repository::discover(*dir, {}, Hidden::seen);
  EXPECT_THAT(all.hidden, ElementsAre(".codegenie/npm-shrinkwrap.json", ".next/bun.lockb",
                                      ".next/node_modules/b/yarn.lock", ".yarn/a/b/yarn.lock",
                                      ".yarn/package-lock.json", "node_modules/a/package-lock.json",
                                      "x/vendor/cache/pnpm-lock.yaml"));
  EXPECT_EQ(all.locks.size(), 1U);
  EXPECT_THAT(all.manifests, IsEmpty());
  EXPECT_THAT(
      repository::discover(*dir, {}, Hidden::seen_uninstalled).hidden,
      ElementsAre(".codegenie/npm-shrinkwrap.json", ".next/bun.lockb", ".yarn/a/b/yarn.lock",
                  ".yarn/package-lock.json", "x/vendor/cache/pnpm-lock.yaml"));
}

TEST(Discover, EveryLockThatCanBeReadHasAKnownName) {
  for (const char* name :
       {"package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml"}) {
    EXPECT_TRUE(is_lock_name(name));
    EXPECT_TRUE(lockfile::lock_kind_of(name).has_value());
  }
  EXPECT_FALSE(is_lock_name("Package-lock.json"));
}

TEST(Discover, StopsAtItsDepthAndSaysSo) {
  EmptyFiles repo;
  std::string path;
  for (int i = 0; i < 14; ++i) {
    repo.add(path + "package.json");
    path += "d/";
  }
  const RepoFiles files = repo.discover();
  EXPECT_EQ(files.manifests.size(), kMaxDepth + 1);
  EXPECT_THAT(files.notes, ElementsAre(Field(&Note::what, HasSubstr("too deep"))));
}

TEST(Discover, AGitFileAndARepositoryWithinAreSeen) {
  EmptyFiles repo;
  repo.add(".git");
  repo.add("sub/.git");
  const RepoFiles files = repo.discover();
  EXPECT_EQ(files.git, RepoFiles::Git::file);
  EXPECT_THAT(files.notes, ElementsAre(note("sub", "repository of its own")));
}

TEST(Discover, NamesMayBeAnyBytes) {
  EmptyFiles repo;
  repo.add("\xff\xfe/package.json");
  EXPECT_THAT(repo.discover().manifests, ElementsAre("\xff\xfe/package.json"));
}

TEST(Discover, AnUnreadableFolderIsANote) {
  EmptyFiles repo;
  repo.add("closed/package.json");
  chmod(repo.at("closed").c_str(), 0);
  // Root reads everything, so somebody else has to look.
  const bool is_root = geteuid() == 0;
  constexpr uid_t kNobody = 65534;
  if (is_root) {
    ASSERT_EQ(test::run({"chown", "-R", std::to_string(kNobody), repo.at("")}).exit, 0);
    ASSERT_EQ(seteuid(kNobody), 0);
  }
  const auto notes = repo.discover().notes;
  if (is_root) {
    ASSERT_EQ(seteuid(0), 0);
  }
  EXPECT_THAT(notes, ElementsAre(note("closed", "permission denied")));
  chmod(repo.at("closed").c_str(), 0700);
}

TEST(Notes, AreBounded) {
  std::vector<Note> notes;
  for (std::size_t i = 0; i < 3 * kMaxNotes; ++i) add_note(notes, "a", "b");
  EXPECT_EQ(notes.size(), kMaxNotes + 1);
  EXPECT_THAT(notes.back().what, HasSubstr("more notes"));
}

TEST(Paths, SplitAndJoin) {
  EXPECT_EQ(folder_of("a/b/c"), "a/b");
  EXPECT_EQ(folder_of("c"), "");
  EXPECT_EQ(name_of("a/b/c"), "c");
  EXPECT_EQ(name_of("c"), "c");
  EXPECT_EQ(join("", "c"), "c");
  EXPECT_EQ(join("a", "c"), "a/c");
}

}  // namespace
}  // namespace cg::repository
