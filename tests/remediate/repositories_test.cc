// Repositories as people have them: the branches are made, and nothing else changes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "remediate/bench.h"

namespace cg::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

constexpr std::size_t kBranches = 2;

/// To fix two advisories, each with a branch of its own: what goes for them goes for any number.
std::vector<std::string> fix_two(const std::string& folder, std::vector<std::string> more = {}) {
  more.insert(more.begin(), {folder, "--cve", "CGEX-2026-0002", "--cve", "CGEX-2026-0004"});
  return more;
}

/// The states of the branches that a workflow wrote, in their order.
std::vector<std::string> states(const Bench& bench, const std::string& workflow) {
  const Ran log = bench.codegenie(
      {"workflow", "log", workflow, "--event", "branch_written", "--format", "json"});
  std::vector<std::string> out;
  for (std::size_t at = 0; (at = log.out.find("\"state\": \"", at)) != log.out.npos;) {
    at += 10;
    out.push_back(log.out.substr(at, log.out.find('"', at) - at));
  }
  return out;
}

void expect_fixed(Bench& bench, const std::string& folder, const std::string& refs_in) {
  const Ran ran = bench.remediate(fix_two(folder));
  EXPECT_EQ(ran.exit, 0) << ran.out << ran.err;
  EXPECT_EQ(bench.branches(refs_in).size(), kBranches);
  EXPECT_EQ(bench.fsck(refs_in), "");
}

TEST(Repositories, UncommittedWorkIndexAndStashStayAsTheyAre) {
  Bench bench;
  bench.write("shop/lib/new.js", "1\n");
  bench.git({"stash", "push", "-q", "-u"});
  bench.write("shop/README.md", "staged\n");
  bench.git({"add", "README.md"});
  bench.write("shop/README.md", "staged and changed\n");
  bench.write("shop/package.json", "{ \"name\": \"half done\"");
  fs::remove(bench.path("shop/lib/money.js"));
  bench.write("shop/untracked/file", "2\n");
  const Files before = bench.untouchable();
  const Ran ran = bench.remediate(fix_two("shop"));
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("uncommitted changes"));
  EXPECT_EQ(bench.untouchable(), before);
  EXPECT_EQ(bench.branches().size(), kBranches);
  EXPECT_EQ(bench.git({"stash", "list", "--format=%gd"}), "stash@{0}");
}

TEST(Repositories, HeadMayBeDetached) {
  Bench bench;
  bench.git({"checkout", "-q", "--detach"});
  const Files before = bench.untouchable();
  expect_fixed(bench, "shop", "shop");
  EXPECT_EQ(bench.untouchable(), before);
}

TEST(Repositories, MayBeBare) {
  Bench bench;
  bench.git({"clone", "-q", "--bare", bench.path("shop"), bench.path("bare.git")});
  expect_fixed(bench, "bare.git", "bare.git");
}

TEST(Repositories, MayBeShallow) {
  Bench bench;
  bench.write("shop/lib/more.js", "1\n");
  bench.commit("more");
  bench.git({"clone", "-q", "--depth=1", "file://" + bench.path("shop"), bench.path("shallow")});
  EXPECT_EQ(bench.git({"rev-parse", "--is-shallow-repository"}, "shallow"), "true");
  expect_fixed(bench, "shallow", "shallow");
}

TEST(Repositories, ASubfolderIsFixedWhereItLies) {
  Bench bench;
  fs::create_directories(bench.path("mono/apps"));
  fs::copy(bench.path("shop"), bench.path("mono/apps/shop"), fs::copy_options::recursive);
  fs::remove_all(bench.path("mono/apps/shop/.git"));
  bench.write("mono/other.txt", "x\n");
  bench.make_repository("mono");
  expect_fixed(bench, "mono/apps/shop", "mono");
  for (const auto& [branch, commit] : bench.branches("mono")) {
    const std::string names = bench.git({"diff", "--name-only", "main", branch}, "mono");
    EXPECT_THAT(names, HasSubstr("apps/shop/package-lock.json"));
    EXPECT_THAT("\n" + names, Not(HasSubstr("\npackage")));
  }
}

TEST(Repositories, SubmodulesStayAsTheyAre) {
  Bench bench;
  bench.write("part/index.js", "1\n");
  bench.make_repository("part");
  bench.git({"-c", "protocol.file.allow=always", "submodule", "--quiet", "add", bench.path("part"),
             "part"});
  bench.commit("with a part");
  const Files before = bench.untouchable();
  expect_fixed(bench, "shop", "shop");
  EXPECT_EQ(bench.untouchable(), before);
  const std::string link = bench.git({"ls-tree", "main", "part"});
  for (const auto& [branch, commit] : bench.branches()) {
    EXPECT_EQ(bench.git({"ls-tree", branch, "part"}), link);
  }
}

TEST(Repositories, MayBeASubmodule) {
  Bench bench;
  bench.write("around/README.md", "x\n");
  bench.make_repository("around");
  bench.git({"-c", "protocol.file.allow=always", "submodule", "--quiet", "add", bench.path("shop"),
             "apps/shop"},
            "around");
  bench.commit("with a shop", "around");
  EXPECT_THAT(bench.codegenie({"scan", "around/apps/shop"}).out, HasSubstr("CGEX-2026-0002"));
  expect_fixed(bench, "around/apps/shop", "around/apps/shop");
  EXPECT_EQ(bench.branches("around"), Files());
  EXPECT_EQ(bench.git({"status", "--porcelain"}, "around"), "");
}

TEST(Repositories, ASuiteFindsGitAndSubmodules) {
  Bench bench(Suite::own);
  bench.write("part/index.js", "module.exports = 1;\n");
  bench.make_repository("part");
  bench.git({"-c", "protocol.file.allow=always", "submodule", "--quiet", "add", bench.path("part"),
             "part"});
  bench.write("shop/test/git.test.js", R"x('use strict';
const test = require('node:test');
const assert = require('node:assert');
const git = (...words) => String(require('child_process').execFileSync('git', words)).trim();
test('the tree is a repository', () => {
  assert.strictEqual(git('status', '--porcelain'), '');
  assert.strictEqual(git('rev-list', '--count', '--all'), '1');
  assert.strictEqual(git('symbolic-ref', '--short', 'HEAD'), 'trunk');
});
test('it has its submodules', () => {
  assert.ok(git('ls-files').split('\n').includes('part/index.js'));
  assert.strictEqual(require('../part/index.js'), 1);
});
)x");
  bench.commit("calls git");
  bench.git({"branch", "-q", "-m", "trunk"});
  const Ran ran = bench.remediate(fix_two("shop", {"--format", "json"}));
  EXPECT_EQ(ran.exit, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("\"failed\": 0,\n        \"passed\": 6,"));
  EXPECT_EQ(bench.branches().size(), kBranches);
}

TEST(Repositories, ASecondRunFindsTheFirst) {
  Bench bench;
  const auto first = bench.outcome(fix_two("shop"));
  const Files made = bench.branches();
  const auto second = bench.outcome(fix_two("shop"));
  EXPECT_EQ(bench.branches(), made);
  EXPECT_EQ(states(bench, text_of(first, "workflow")),
            std::vector<std::string>(kBranches, "created"));
  EXPECT_EQ(states(bench, text_of(second, "workflow")),
            std::vector<std::string>(kBranches, "found"));
}

TEST(Repositories, AMovedBaseReplacesTheBranchesAndKeepsTheOldOnes) {
  Bench bench;
  EXPECT_EQ(bench.remediate(fix_two("shop")).exit, 0);
  const Files old = bench.branches();
  bench.write("shop/lib/more.js", "1\n");
  bench.commit("more");
  const auto again = bench.outcome(fix_two("shop"));
  EXPECT_EQ(states(bench, text_of(again, "workflow")),
            std::vector<std::string>(kBranches, "replaced"));
  const Files kept = bench.branches("shop", "refs/codegenie/superseded");
  for (const auto& [branch, commit] : bench.branches()) {
    EXPECT_NE(commit, old.at(branch));
    EXPECT_EQ(bench.git({"rev-parse", branch + "^"}), bench.git({"rev-parse", "main"}));
    const auto place = kept.find("superseded/" + branch + "/" + old.at(branch).substr(0, 12));
    ASSERT_NE(place, kept.end()) << branch;
    EXPECT_EQ(place->second, old.at(branch));
  }
}

TEST(Repositories, TheBaseMayBeAnotherThanHead) {
  Bench bench;
  bench.git({"tag", "v1"});
  fs::remove(bench.path("shop/package-lock.json"));
  bench.commit("no lock any more");
  const Ran ran = bench.remediate(fix_two("shop", {"--base", "v1"}));
  EXPECT_EQ(ran.exit, 0) << ran.err;
  for (const auto& [branch, commit] : bench.branches()) {
    EXPECT_EQ(bench.git({"rev-parse", branch + "^"}), bench.git({"rev-parse", "v1"}));
  }
  EXPECT_EQ(bench.remediate(fix_two("shop", {"--base", "v9"})).exit, 2);
}

TEST(Repositories, ADryRunWritesNothingAndPrintsTheVeryEdits) {
  Bench bench;
  const Files before = bench.everything("shop");
  const Ran summary = bench.remediate({"shop", "--all", "--dry-run"});
  EXPECT_NE(summary.out.find("Would fix "), summary.out.npos) << summary.out;
  EXPECT_EQ(summary.out.find("diff --git "), summary.out.npos) << summary.out;
  const Ran dry = bench.remediate({"shop", "--all", "--dry-run", "--diff"});
  EXPECT_EQ(bench.everything("shop"), before);
  const std::size_t at = dry.out.find("diff --git ");
  ASSERT_NE(at, dry.out.npos) << dry.out;
  bench.write("dry.patch", dry.out.substr(at));

  EXPECT_EQ(bench.remediate({"shop", "--all", "--group", "one"}).exit, 7);
  const Files made = bench.branches();
  ASSERT_EQ(made.size(), 1U);
  bench.git({"apply", "--index", bench.path("dry.patch")});
  EXPECT_EQ(bench.git({"diff", "--cached", made.begin()->first}), "");
}

TEST(Repositories, CommitsAndEvidenceAreSignedOnRequest) {
  Bench bench;
  ASSERT_EQ(
      run({"ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", bench.path("key")}).exit,
      0);
  const std::string key = read(bench.path("key.pub"));
  bench.write("signers", "codegenie@localhost " + key);
  const auto outcome = bench.outcome(fix_two("shop", {"--sign", "ssh:" + bench.path("key")}));
  const Files made = bench.branches();
  EXPECT_EQ(made.size(), kBranches);
  for (const auto& [branch, commit] : made) {
    const Ran ran = bench.try_git(
        {"-c", "gpg.ssh.allowedSignersFile=" + bench.path("signers"), "verify-commit", branch},
        "shop");
    EXPECT_EQ(ran.exit, 0) << ran.err;
  }
  const std::string bundle = bench.home() + "/" + text_of(outcome, "evidence");
  const Ran verified =
      bench.codegenie({"verify", bundle, "--allowed-signers", bench.path("signers")});
  EXPECT_EQ(verified.exit, 0) << verified.out << verified.err;
  bench.write("others",
              "codegenie@localhost ssh-ed25519 "
              "AAAAC3NzaC1lZDI1NTE5AAAAIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\n");
  EXPECT_EQ(bench.codegenie({"verify", bundle, "--allowed-signers", bench.path("others")}).exit, 4);
}

TEST(Repositories, AnOverrideThatNobodyNeedsAnyMoreGoesWithItsNote) {
  Bench bench;
  fs::copy(std::string(CG_SOURCE_DIR) + "/tests/fixtures/traps/07-alias", bench.path("alias"));
  std::string manifest = read(bench.path("alias/package.json"));
  const std::size_t end = manifest.rfind('}');
  manifest = manifest.substr(0, manifest.find_last_not_of(" \n", end - 1) + 1) +
             ",\n  \"overrides\": {\n    \"tinyshop-text@1.0.0 || ^1.0.3\": \"^1.0.3\"\n  }\n}\n";
  bench.write("alias/package.json", manifest);
  bench.write("alias/.codegenie/overrides.json",
              R"({"schema": "codegenie/overrides/v1", "overrides": [{
                  "lockfile": "package-lock.json", "path": ["tinyshop-text@1.0.0 || ^1.0.3"],
                  "value": "^1.0.3", "reason": "a dependent that is gone by now",
                  "advisories": ["CGEX-2026-0001"], "review": "2026-11-24"}]})");
  bench.make_repository("alias");
  EXPECT_EQ(bench.remediate({"alias", "--all"}).exit, 0);
  const Files made = bench.branches("alias");
  ASSERT_EQ(made.size(), 1U);
  const std::string branch = made.begin()->first;
  EXPECT_THAT(bench.git({"show", branch + ":package.json"}, "alias"),
              Not(HasSubstr("tinyshop-text")));
  EXPECT_THAT(bench.git({"show", branch + ":.codegenie/overrides.json"}, "alias"),
              Not(HasSubstr("tinyshop-text")));
}

}  // namespace
}  // namespace cg::test
