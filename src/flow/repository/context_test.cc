#include "flow/repository/context.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "base/json/json.h"
#include "flow/repository/scripts.h"
#include "support/support.h"

namespace cg::repository {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class Repo {
 public:
  void add(const std::string& path, const std::string& text) {
    fs::create_directories((scratch_.path() / path).parent_path());
    test::write(scratch_.path() / path, text);
  }
  [[nodiscard]] fs::path at(const std::string& path) const { return scratch_.path() / path; }
  [[nodiscard]] RepoContext gather() const {
    const auto dir = os::Dir::open(scratch_.path());
    return repository::gather(*dir);
  }
  [[nodiscard]] GitHead git() const { return gather().git; }

 private:
  test::ScratchDir scratch_;
};

npm::Graph graph_of(const std::string& packages) {
  auto graph = lockfile::read_package_lock(
      npm::LockKind::package_lock, R"({"lockfileVersion": 3, "packages": {)" + packages + "}}",
      nullptr);
  EXPECT_TRUE(graph);
  return *std::move(graph);
}

const std::string kCommit(40, 'a');

TEST(Gather, SeesAWholeRepository) {
  Repo repo;
  repo.add("package.json",
           R"({"name": "app", "version": "1.0.0", "packageManager": "npm@10.2.0+sha1.x",
    "engines": {"node": ">=18"}, "scripts": {"test": "jest", "build": "tsc -b", "start": "node ."},
    "dependencies": {"a": "1"}})");
  repo.add("package-lock.json", R"({"lockfileVersion": 3, "packages": {
    "": {"name": "app", "dependencies": {"a": "1"}}, "node_modules/a": {"version": "1.0.0"}}})");
  repo.add("sub/package.json", R"({"name": "sub"})");
  repo.add("Dockerfile", "FROM node:18 AS b\nFROM b\n");
  repo.add("bad/Dockerfile", "FROM\n");
  repo.add("tsconfig.json", "{}");
  repo.add(".nvmrc", "v18.1.0\n\n");
  repo.add("src/a.ts", "12345");
  repo.add(".git/HEAD", kCommit + "\n");
  const RepoContext context = repo.gather();
  ASSERT_EQ(context.manifests.size(), 2U);
  EXPECT_EQ(context.manifests[0].dependencies, 1U);
  ASSERT_EQ(context.managers.size(), 1U);
  EXPECT_EQ(context.managers[0].name, "npm");
  EXPECT_EQ(context.managers[0].version, "10.2.0");
  ASSERT_EQ(context.locks.size(), 1U);
  EXPECT_EQ(context.locks[0].packages, 1U);
  EXPECT_EQ(context.locks[0].importers, 1U);
  ASSERT_EQ(context.scripts.size(), 2U);
  EXPECT_THAT(context.scripts[0].tools, ElementsAre("jest"));
  ASSERT_EQ(context.dockerfiles.size(), 1U);
  EXPECT_EQ(context.node_versions[0].version, "v18.1.0");
  EXPECT_EQ(context.languages[0].language, "JSON");
  EXPECT_EQ(context.git.state, GitHead::State::detached);
  ASSERT_EQ(context.errors.size(), 1U);
  EXPECT_EQ(context.errors[0].path, "bad/Dockerfile");
}

TEST(Gather, GivesJsonThatReadsBack) {
  Repo repo;
  repo.add("\xff/package.json", "{\"name\": \"x\"}");
  repo.add("Dockerfile", "FROM scratch\n");
  const std::string text = json::write_json(to_json(repo.gather()));
  const auto back = json::parse_json(text);
  ASSERT_TRUE(back) << text;
  EXPECT_EQ(*back->find("schema"), json::Value("codegenie/context/v1"));
  EXPECT_THAT(text, HasSubstr("no_lockfile"));
}

TEST(Gather, AnEmptyFolderIsNoRepositoryButNoFailureEither) {
  Repo repo;
  const RepoContext context = repo.gather();
  EXPECT_THAT(context.manifests, IsEmpty());
  EXPECT_EQ(context.git.state, GitHead::State::none);
  ASSERT_EQ(context.errors.size(), 1U);
  EXPECT_EQ(context.errors[0].kind, FileError::Kind::no_lockfile);
}

TEST(GraphDigest, DoesNotDependOnTheOrder) {
  const auto a = graph_of(R"("": {}, "node_modules/a": {"version": "1"},
    "node_modules/b": {"version": "2"})");
  const auto b = graph_of(R"("node_modules/b": {"version": "2"}, "": {},
    "node_modules/a": {"version": "1", "license": "x"})");
  const auto c = graph_of(R"("": {}, "node_modules/a": {"version": "1"},
    "node_modules/b": {"version": "2", "integrity": "sha512-x"})");
  EXPECT_EQ(graph_digest(a), graph_digest(b));
  EXPECT_NE(graph_digest(a), graph_digest(c));
}

TEST(GitHead, FindsTheCommitLooseOrPacked) {
  Repo repo;
  repo.add(".git/HEAD", "ref: refs/heads/main\n");
  EXPECT_EQ(repo.git().state, GitHead::State::unborn);
  EXPECT_EQ(repo.git().ref, "refs/heads/main");
  repo.add(".git/packed-refs", "# pack-refs\n" + std::string(40, 'b') + " refs/heads/main2\n" +
                                   kCommit + " refs/heads/main\n^" + std::string(40, 'c') + "\n");
  EXPECT_EQ(repo.git().state, GitHead::State::branch);
  EXPECT_EQ(repo.git().commit, kCommit);
  repo.add(".git/refs/heads/main", std::string(40, 'd') + "\n");
  EXPECT_EQ(repo.git().commit, std::string(40, 'd'));
}

TEST(GitHead, NeverLeavesTheRepository) {
  const test::ScratchDir outside;
  test::write(outside / "secret", kCommit);
  const std::string bad[] = {"ref: ../../secret\n", "ref: refs/../../x\n",
                             "ref: /etc/passwd\n",  "ref: refs/heads/.invalid\n",
                             "nonsense\n",          "",
                             "ref: refs/a\nb\n",    std::string(5000, 'a')};
  for (const std::string& head : bad) {
    SCOPED_TRACE(head);
    Repo repo;
    repo.add(".git/HEAD", head);
    EXPECT_EQ(repo.git().state, GitHead::State::unknown);
    EXPECT_FALSE(repo.git().what.empty());
  }
  Repo repo;
  repo.add(".git/HEAD", "ref: refs/heads/main\n");
  fs::create_directories(repo.at(".git/refs/heads"));
  fs::create_symlink(outside / "secret", repo.at(".git/refs/heads/main"));
  EXPECT_EQ(repo.git().state, GitHead::State::unknown);
  Repo loop;
  loop.add(".git/HEAD", "ref: refs/a\n");
  loop.add(".git/refs/a", "ref: refs/a\n");
  EXPECT_EQ(loop.git().state, GitHead::State::unknown);
}

TEST(GitHead, AWorktreeSaysWhereItsRepositoryIs) {
  Repo repo;
  repo.add(".git", "gitdir: /somewhere/.git/worktrees/a\n");
  EXPECT_EQ(repo.git().state, GitHead::State::linked);
  EXPECT_EQ(repo.git().what, "/somewhere/.git/worktrees/a");
}

TEST(Scripts, AreKnownByNameAndByWhatTheyCall) {
  npm::Manifest manifest;
  manifest.scripts = {{"test", "echo \"Error: no test specified\" && exit 1"},
                      {"test:unit", "NODE_ENV=test ./node_modules/.bin/jest --ci"},
                      {"verify", "node --import=x --test test/"},
                      {"types", "tsc -p . --noEmit"},
                      {"prepare", "tsc"},
                      {"checks", "vue-tsc --noEmit"},
                      {"start", "node --watch index.js"},
                      {"testament", "ls"}};
  std::vector<std::string> said;
  for (const Script& script : scripts_of(manifest)) {
    said.push_back(std::string(name(script.purpose)) + " " + script.name +
                   (script.no_test_specified ? " (none)" : ""));
  }
  EXPECT_THAT(said, ElementsAre("test test (none)", "test test:unit", "test verify",
                                "typecheck types", "build prepare", "typecheck checks"));
  EXPECT_THAT(tools_of("tsc && mocha; (vitest run|tee x) && jest"),
              ElementsAre("tsc", "mocha", "vitest", "jest"));
  EXPECT_THAT(tools_of("echo jester untap"), IsEmpty());
}

TEST(Languages, AreCountedByEnding) {
  EXPECT_EQ(language_of("a.d.ts"), "TypeScript");
  EXPECT_EQ(language_of(".ts"), "");
  EXPECT_EQ(language_of("Makefile"), "");
}

}  // namespace
}  // namespace cg::repository
