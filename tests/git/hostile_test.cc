// Repositories made to run something, read something or write somewhere else.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <filesystem>

#include "bench.h"

namespace cg::gitrepo {
namespace {

using testing::HasSubstr;
namespace fs = std::filesystem;
using Kind = Error::Kind;

/// All five operations. The first error, or nothing.
std::optional<Error> all_of_it(Bench& bench, const std::string& folder = "repo") {
  const std::string repo = bench.path(folder);
  const auto inspected = bench.program.inspect({repo, "", kManifests});
  if (!inspected) return inspected.error();
  fs::remove_all(bench.path("out"));
  fs::create_directory(bench.path("out"));
  const auto exported =
      bench.program.export_files({repo, inspected->base, kManifests, bench.path("out"), {}});
  if (!exported) return exported.error();
  PrepareOrder order = bench.order(folder);
  const auto prepared = bench.program.prepare_commit(order);
  if (!prepared) return prepared.error();
  const auto written = bench.program.write_branch(Bench::write_order(repo, *prepared));
  if (!written) return written.error();
  const auto shown = bench.program.show({repo, kBranch});
  if (!shown) return shown.error();
  return std::nullopt;
}

TEST(Hostile, NothingThatIsConfiguredRuns) {
  Bench bench;
  const std::string mark = bench.path("ran");
  const std::string touch = "touch " + mark;
  fs::create_directories(bench.path("repo/.git/hooks"));
  fs::create_directories(bench.path("hooks"));
  for (const std::string hook : {"pre-commit", "post-commit", "reference-transaction",
                                 "post-checkout", "post-index-change", "prepare-commit-msg"}) {
    for (const std::string& folder : {bench.path("repo/.git/hooks/"), bench.path("hooks/")}) {
      test::write(folder + hook, "#!/bin/sh\n" + touch + "\n");
      fs::permissions(folder + hook, fs::perms::owner_all);
    }
  }
  bench.write("repo/.gitattributes", "* filter=evil diff=evil merge=evil\n");
  bench.commit("fix: attributes");
  for (const std::string key :
       {"filter.evil.clean", "filter.evil.smudge", "filter.evil.process", "diff.evil.command",
        "diff.evil.textconv", "diff.external", "core.fsmonitor", "core.sshCommand", "core.pager",
        "core.editor", "gpg.program", "gpg.ssh.program", "credential.helper", "core.gitProxy",
        "core.alternateRefsCommand", "merge.evil.driver", "alias.status",
        "uploadpack.packObjectsHook"}) {
    bench.git({"config", key, touch});
  }
  bench.git({"config", "core.hooksPath", bench.path("hooks")});
  bench.git({"config", "commit.gpgSign", "true"});
  bench.git({"config", "gc.auto", "1"});
  fs::remove(mark);
  const auto error = all_of_it(bench);
  EXPECT_FALSE(error.has_value()) << error->what;
  EXPECT_FALSE(fs::exists(mark));
}

TEST(Hostile, IncludesAreNotFollowed) {
  Bench bench;
  ASSERT_EQ(mkfifo(bench.path("pipe").c_str(), 0600), 0);
  const std::string config = test::read(bench.path("repo/.git/config"));
  test::write(
      bench.path("repo/.git/config"),
      config + "[include]\n\tpath = " + bench.path("pipe") +
          "\n[includeIf \"gitdir:**\"]\n\tpath = /etc/passwd\n[include]\n\tpath = config\n");
  const std::string repo = bench.repo();
  const auto seen = bench.program.inspect({repo, "", kManifests});
  EXPECT_TRUE(seen.has_value()) << seen.error().what;
}

TEST(Hostile, BorrowedObjectsAreRefused) {
  Bench bench;
  bench.git({"clone", "-q", "--shared", bench.repo(), bench.path("shared")});
  const auto error = all_of_it(bench, "shared");
  ASSERT_TRUE(error.has_value());
  EXPECT_EQ(error->kind, Kind::unsupported);
  EXPECT_THAT(error->what, HasSubstr(bench.repo()));
}

TEST(Hostile, ADotGitThatIsALinkOrPointsElsewhereIsRefused) {
  Bench bench;
  fs::create_directory(bench.path("evil"));
  fs::create_symlink(bench.path("repo/.git"), bench.path("evil/.git"));
  EXPECT_EQ(all_of_it(bench, "evil")->kind, Kind::hostile);
  fs::remove(bench.path("evil/.git"));
  bench.write("evil/.git", "gitdir: " + bench.path("repo/.git") + "\n");
  EXPECT_EQ(all_of_it(bench, "evil")->kind, Kind::unsupported);
}

/// Puts something there that is no file, under a name that git may look for.
void plant_pipe(const std::string& path) {
  fs::create_directories(fs::path(path).parent_path());
  fs::remove_all(path);
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0) << path;
}

void plant_socket(const std::string& path) {
  fs::create_directories(fs::path(path).parent_path());
  fs::remove_all(path);
  // The name in an address is short; the folder of the process may change, as nothing else runs.
  const fs::path before = fs::current_path();
  fs::current_path(fs::path(path).parent_path());
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  fs::path(path).filename().string().copy(address.sun_path, sizeof address.sun_path - 1);
  const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  EXPECT_EQ(bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0) << path;
  close(fd);
  fs::current_path(before);
}

TEST(Hostile, PipesAndSocketsInDotGitAreRefusedAtOnce) {
  for (const std::string name :
       {"HEAD", "config", "index", "packed-refs", "shallow", "refs/heads/main", "refs/heads/a/b/c",
        "refs/codegenie/x", "objects/info/alternates", "objects/info/commit-graph",
        "objects/pack/pack-1.idx", "objects/00/11", "worktrees/w/HEAD", "worktrees/w/gitdir",
        "info/grafts", "logs/HEAD", "hooks/pre-commit", "config.worktree", "anything"}) {
    SCOPED_TRACE(name);
    for (const auto& plant : {plant_pipe, plant_socket}) {
      Bench bench;
      plant(bench.path("repo/.git/" + name));
      const auto error = all_of_it(bench);
      ASSERT_TRUE(error.has_value());
      // Not `stopped`, as whoever waits for a pipe is in the end.
      EXPECT_TRUE(error->kind == Kind::hostile || error->kind == Kind::not_a_repository)
          << error->what;
    }
  }
}

TEST(Hostile, ALinkToAPipeIsRefusedWhereGitReads) {
  for (const std::string name : {"refs/heads/other", "objects/pack/pack-1.idx", "shallow"}) {
    Bench bench;
    plant_pipe(bench.path("repo/pipe"));
    fs::create_symlink(bench.path("repo/pipe"), bench.path("repo/.git/" + name));
    const auto error = all_of_it(bench);
    ASSERT_TRUE(error.has_value()) << name;
    EXPECT_EQ(error->kind, Kind::hostile) << name;
  }
  Bench bench;
  fs::create_symlink("/bin/true", bench.path("repo/.git/hooks/pre-push"));
  EXPECT_FALSE(all_of_it(bench).has_value()) << "hooks are often links, and never read";
}

TEST(Hostile, LinksInsideDotGitAreRefused) {
  for (const std::string name : {"objects", "refs", "HEAD", "config", "index"}) {
    SCOPED_TRACE(name);
    Bench bench;
    const std::string moved = bench.path("moved");
    fs::rename(bench.path("repo/.git/" + name), moved);
    fs::create_symlink(moved, bench.path("repo/.git/" + name));
    const auto error = all_of_it(bench);
    ASSERT_TRUE(error.has_value());
    EXPECT_TRUE(error->kind == Kind::hostile || error->kind == Kind::not_a_repository)
        << error->what;
  }
}

TEST(Hostile, AFolderOfBranchesThatIsALinkIsNotWrittenThrough) {
  Bench bench;
  const auto prepared = bench.program.prepare_commit(bench.order());
  ASSERT_TRUE(prepared.has_value());
  fs::create_directory(bench.path("aside"));
  fs::create_symlink(bench.path("aside"), bench.path("repo/.git/refs/heads/codegenie"));
  const auto written = bench.program.write_branch(Bench::write_order(bench.repo(), *prepared));
  EXPECT_EQ(written.error().kind, Kind::hostile);
  EXPECT_TRUE(fs::is_empty(bench.path("aside")));
}

TEST(Hostile, ABranchThatStandsForAnotherIsRefused) {
  Bench bench;
  bench.git({"symbolic-ref", "refs/heads/" + std::string(kBranch), "refs/heads/main"});
  const auto main = bench.id("main");
  EXPECT_EQ(all_of_it(bench)->kind, Kind::hostile);
  EXPECT_EQ(bench.id("main"), main);
}

TEST(Hostile, OtherKindsOfRepositoryAreRefusedClearly) {
  Bench bench;
  bench.git({"config", "core.worktree", "/etc"});
  const auto elsewhere = bench.program.inspect({bench.repo(), "", kManifests});
  EXPECT_EQ(elsewhere.error().kind, Kind::unsupported);
  bench.git({"config", "--unset", "core.worktree"});
  bench.git({"init", "-q", "--object-format=sha256", bench.path("wide")}, ".");
  EXPECT_EQ(bench.program.inspect({bench.path("wide"), "", kManifests}).error().kind,
            Kind::unsupported);
  fs::create_directory(bench.path("repo/.git/reftable"));
  EXPECT_EQ(bench.program.inspect({bench.repo(), "", kManifests}).error().kind, Kind::unsupported);
}

TEST(Hostile, DamagedFilesAreErrorsNotCrashes) {
  for (const std::string name : {"HEAD", "config", "index", "packed-refs", "refs/heads/main"}) {
    Bench bench;
    bench.write("repo/.git/packed-refs", "# pack-refs with: peeled fully-peeled sorted \n");
    const std::string path = bench.path("repo/.git/" + name);
    const std::string good = test::read(path);
    for (std::size_t at = 0; at < good.size(); at += good.size() / 12 + 1) {
      for (const std::string& bad :
           {good.substr(0, at), good.substr(0, at) + '\xff' + good.substr(at + 1),
            good.substr(0, at) + std::string(5'000, '\0')}) {
        test::write(path, bad);
        const auto seen = bench.program.inspect({bench.repo(), "", kManifests});
        EXPECT_TRUE(seen || seen.error().kind != Kind::stopped) << name << " " << seen.error().what;
      }
    }
  }
}

TEST(Hostile, DamagedObjectsAreErrorsNotCrashes) {
  Bench bench;
  bench.git({"gc", "-q"});
  for (const auto& entry : fs::directory_iterator(bench.path("repo/.git/objects/pack"))) {
    fs::permissions(entry.path(), fs::perms::owner_all);
    const std::string good = test::read(entry.path());
    for (std::size_t at = 8; at < good.size(); at += good.size() / 15 + 1) {
      std::string bad = good;
      bad[at] = static_cast<char>(bad[at] ^ 0x55);
      test::write(entry.path(), bad);
      const auto shown = bench.program.show({bench.repo(), "main"});
      EXPECT_TRUE(shown || shown.error().kind != Kind::stopped) << shown.error().what;
    }
    test::write(entry.path(), good);
  }
  EXPECT_TRUE(bench.program.show({bench.repo(), "main"}).has_value());
}

}  // namespace
}  // namespace cg::gitrepo
