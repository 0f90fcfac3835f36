// Commits and branches: git agrees with what was made, and nothing else changed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "bench.h"
#include "trust/sign/sshsig.h"

namespace cg::gitrepo {
namespace {

using testing::HasSubstr;
using Outcome = Written::Outcome;

Prepared prepared(Bench& bench, const PrepareOrder& order) {
  auto made = bench.program.prepare_commit(order);
  EXPECT_TRUE(made.has_value()) << made.error().what;
  return *std::move(made);
}

Written written(Bench& bench, const WriteOrder& order) {
  const auto made = bench.program.write_branch(order);
  EXPECT_TRUE(made.has_value()) << made.error().what;
  return *made;
}

TEST(Branch, GitFindsTheCommitWhole) {
  Bench bench;
  const Prepared made = prepared(bench, bench.order());
  const Written result = written(bench, Bench::write_order(bench.repo(), made));
  EXPECT_EQ(result.outcome, Outcome::created);
  EXPECT_EQ(result.commit, made.commit);
  EXPECT_EQ(bench.id(kBranch), made.commit);
  EXPECT_EQ(bench.id(std::string(kBranch) + "^{tree}"), made.tree);
  EXPECT_EQ(bench.id(std::string(kBranch) + "^"), bench.id("main"));
  EXPECT_EQ(bench.git({"cat-file", "commit", kBranch}) + "\n", made.text);
  EXPECT_EQ(bench.git({"log", "-1", "--format=%an <%ae> %ad", "--date=raw", kBranch}),
            "codegenie <codegenie@example.org> 1767225600 +0130");
  EXPECT_EQ(bench.fsck(), "");
  EXPECT_EQ(bench.git({"show", std::string(kBranch) + ":README"}), "a\nB\nc");
  EXPECT_EQ(bench.git({"ls-tree", "-r", "--name-only", kBranch}),
            "README\napps/x/package.json\nbin/run\nnew/deep/file\npackage-lock.json\npackage.json\n"
            "picture.bin");
  EXPECT_THAT(bench.git({"ls-tree", kBranch, "bin/run"}), HasSubstr("100755"));
  EXPECT_THAT(bench.program.isolation(), HasSubstr("no_caps seccomp"));
}

TEST(Branch, TheDiffIsGitsOwnAndGitAppliesIt) {
  Bench bench;
  PrepareOrder order = bench.order();
  order.changes.push_back({"with space", "x"});
  order.changes.push_back({"empty", ""});
  const Prepared made = prepared(bench, order);
  written(bench, Bench::write_order(bench.repo(), made));
  const std::string apply = bench.path("index");
  bench.git({"read-tree", "--index-output=" + apply, "main"});
  bench.write("patch", made.diff);
  bench.git({"apply", "--cached", bench.path("patch")});
  EXPECT_EQ(bench.git({"write-tree"}), made.tree.hex());
  PrepareOrder text = bench.order();
  text.changes.erase(text.changes.begin() + 1);  // binary patches may be packed otherwise
  const Bench other;
  text.repo = other.repo();
  const Prepared same = prepared(bench, text);
  written(bench, Bench::write_order(other.repo(), same));
  EXPECT_EQ(other.git({"diff", "--full-index", "--no-renames", "main", kBranch}) + "\n", same.diff);
  std::string counts;
  for (const LineCount& one : same.counts) {
    counts +=
        std::to_string(one.added) + "\t" + std::to_string(one.removed) + "\t" + one.path + "\n";
  }
  EXPECT_EQ(other.git({"diff", "--numstat", "--no-renames", "main", kBranch}) + "\n", counts);
}

TEST(Branch, PreparingWritesNothingAndIsAlwaysTheSame) {
  Bench bench;
  const auto before = bench.git({"count-objects", "-v"});
  const auto files = bench.everything("repo");
  const Prepared first = prepared(bench, bench.order());
  const Prepared second = prepared(bench, bench.order());
  EXPECT_EQ(first.text, second.text);
  EXPECT_EQ(first.diff, second.diff);
  EXPECT_EQ(bench.git({"count-objects", "-v"}), before);
  EXPECT_EQ(bench.everything("repo"), files);
}

TEST(Branch, NothingElseChanges) {
  Bench bench;
  bench.write("repo/README", "stashed\n");
  bench.git({"stash"});
  bench.git({"branch", "other"});
  bench.git({"tag", "v1"});
  bench.write("repo/package.json", "dirty\n");
  bench.write("repo/staged", "x\n");
  bench.git({"add", "staged"});
  const auto before = bench.everything("repo");
  const Prepared made = prepared(bench, bench.order());
  written(bench, Bench::write_order(bench.repo(), made));
  PrepareOrder other = bench.order();
  other.message = "fix: again\n";
  written(bench, Bench::write_order(bench.repo(), prepared(bench, other)));
  EXPECT_EQ(bench.everything("repo"), before);
}

TEST(Branch, TheSecondRunFindsTheFirst) {
  Bench bench;
  const Prepared made = prepared(bench, bench.order());
  const Written first = written(bench, Bench::write_order(bench.repo(), made));
  const Written second = written(bench, Bench::write_order(bench.repo(), made));
  EXPECT_EQ(second.outcome, Outcome::found);
  EXPECT_EQ(second.commit, first.commit);
  PrepareOrder later = bench.order();
  later.time += 3'600;
  const Written third = written(bench, Bench::write_order(bench.repo(), prepared(bench, later)));
  EXPECT_EQ(third.outcome, Outcome::found);
  EXPECT_EQ(third.commit, first.commit);
  EXPECT_EQ(bench.id(kBranch), first.commit);
}

TEST(Branch, AnotherCommitReplacesAndTheOldKeepsAName) {
  Bench bench;
  const Written first =
      written(bench, Bench::write_order(bench.repo(), prepared(bench, bench.order())));
  bench.git({"pack-refs", "--all"});
  PrepareOrder other = bench.order();
  other.message = "fix: otherwise\n";
  const Prepared made = prepared(bench, other);
  const Written second = written(bench, Bench::write_order(bench.repo(), made));
  EXPECT_EQ(second.outcome, Outcome::replaced);
  EXPECT_EQ(second.before, first.commit);
  EXPECT_EQ(bench.id(kBranch), made.commit);
  EXPECT_EQ(second.kept_as, "refs/codegenie/superseded/" + std::string(kBranch) + "/" +
                                first.commit.hex().substr(0, 12));
  EXPECT_EQ(bench.id(second.kept_as), first.commit);
  EXPECT_EQ(bench.fsck(), "");
}

TEST(Branch, AnSshSignatureSatisfiesGit) {
  Bench bench;
  const Prepared made = prepared(bench, bench.order());
  sign::Seed seed{};
  seed.fill(7);
  WriteOrder order = Bench::write_order(bench.repo(), made);
  order.signature = sign::ssh_sign(seed, "git", made.text);
  const Written result = written(bench, order);
  EXPECT_NE(result.commit, made.commit);
  const auto key = sign::public_key(seed);
  bench.write("signers", "codegenie@example.org " + sign::write_ssh_public_key(key) + "\n");
  const auto verified = bench.try_git(
      {"-c", "gpg.format=ssh", "-c", "gpg.ssh.allowedSignersFile=" + bench.path("signers"),
       "verify-commit", kBranch},
      "repo");
  EXPECT_EQ(verified.exit, 0) << verified.err;
  EXPECT_EQ(bench.fsck(), "");
  const auto shown = bench.program.show({bench.repo(), kBranch});
  ASSERT_TRUE(shown.has_value()) << shown.error().what;
  EXPECT_EQ(shown->text, made.text);
  EXPECT_TRUE(sign::ssh_verify(shown->signature + "\n", "git", shown->text).has_value());
  EXPECT_EQ(shown->diff, made.diff);
}

TEST(Branch, ShowTellsWhatIsThere) {
  Bench bench;
  for (const std::string rev : {"main", "main~2", "HEAD~1"}) {
    const auto shown = bench.program.show({bench.repo(), bench.id(rev).hex()});
    ASSERT_TRUE(shown.has_value()) << shown.error().what;
    EXPECT_EQ(shown->text, bench.git({"cat-file", "commit", rev}) + "\n");
    EXPECT_EQ(shown->commit, bench.id(rev));
    EXPECT_EQ(shown->tree, bench.id(rev + "^{tree}"));
    EXPECT_EQ(shown->parents.size(), rev == "main~2" ? 0U : 1U);
    const bool has_picture = rev == "main~2";  // packed as the zlib at hand does it
    const std::string diff =
        bench.git({"diff-tree", "--root", "--no-commit-id", "-p", "--binary", "--full-index", rev});
    if (!has_picture) {
      EXPECT_EQ(shown->diff, diff + "\n");
    }
    EXPECT_EQ(shown->diff.size() > 0, diff.size() > 0);
  }
  const auto shortened = bench.program.show({bench.repo(), bench.id("main").hex().substr(0, 8)});
  EXPECT_EQ(shortened->commit, bench.id("main"));
  EXPECT_EQ(bench.program.show({bench.repo(), "nosuch"}).error().kind, Error::Kind::missing_base);
  EXPECT_EQ(bench.program.show({bench.repo(), "main:README"}).error().kind,
            Error::Kind::missing_base);
}

TEST(Branch, ABranchThatIsCheckedOutAnywhereIsRefused) {
  Bench bench;
  const Prepared made = prepared(bench, bench.order());
  const WriteOrder order = Bench::write_order(bench.repo(), made);
  written(bench, order);
  bench.git({"worktree", "add", "-q", bench.path("linked"), kBranch});
  EXPECT_EQ(bench.program.write_branch(order).error().kind, Error::Kind::branch_checked_out);
  bench.git({"worktree", "remove", bench.path("linked")});
  bench.git({"checkout", "-q", kBranch});
  EXPECT_EQ(bench.program.write_branch(order).error().kind, Error::Kind::branch_checked_out);
}

TEST(Branch, ABranchInTheWayIsNamed) {
  Bench bench;
  const Prepared made = prepared(bench, bench.order());
  bench.git({"branch", "codegenie"});
  const auto refused = bench.program.write_branch(Bench::write_order(bench.repo(), made));
  EXPECT_EQ(refused.error().kind, Error::Kind::branch_in_the_way) << refused.error().what;
  bench.git({"branch", "-m", "codegenie", std::string(kBranch) + "/deeper"});
  const auto again = bench.program.write_branch(Bench::write_order(bench.repo(), made));
  EXPECT_EQ(again.error().kind, Error::Kind::branch_in_the_way) << again.error().what;
}

TEST(Branch, ALockThatAKilledRunLeftIsPassedOver) {
  Bench bench;
  const Prepared made = prepared(bench, bench.order());
  bench.write("repo/.git/refs/heads/" + std::string(kBranch) + ".lock", "");
  EXPECT_TRUE(bench.program.write_branch(Bench::write_order(bench.repo(), made)).has_value());
}

TEST(Branch, NamesOutsideThePrefixAndBadOrdersAreRefused) {
  Bench bench;
  const Prepared made = prepared(bench, bench.order());
  for (const char* name : {"main", "codegenie/", "codegenie/../main", "codegenie/a.lock",
                           "codegenie/a b", "refs/heads/main", "codegenie/-", "codegenie/a..b"}) {
    WriteOrder order = Bench::write_order(bench.repo(), made);
    order.branch = name;
    const auto result = bench.program.write_branch(order);
    EXPECT_EQ(result.has_value(), std::string_view(name) == "codegenie/-") << name;
  }
  const auto refused = [&](auto change) {
    PrepareOrder order = bench.order();
    change(order);
    const auto result = bench.program.prepare_commit(order);
    return result ? "made" : (result.error().kind == Error::Kind::bad_request ? "bad" : "other");
  };
  for (const char* path : {"../x", "/x", ".git/config", "a/.GIT/x", "a//b", "bin", "README/x"}) {
    EXPECT_STREQ(refused([&](auto& o) { o.changes = {{path, "x"}}; }), "bad") << path;
  }
  EXPECT_STREQ(refused([](auto& o) { o.author.name = "a <b"; }), "bad");
  EXPECT_STREQ(refused([](auto& o) { o.committer.email = "a\nb"; }), "bad");
  EXPECT_STREQ(refused([](auto& o) { o.message = " \n"; }), "bad");
  EXPECT_STREQ(refused([](auto& o) { o.changes = {{"nosuch", std::nullopt}}; }), "bad");
  PrepareOrder same = bench.order();
  same.changes = {{"package-lock.json", "{}\n"}};
  EXPECT_EQ(bench.program.prepare_commit(same).error().kind, Error::Kind::nothing_to_commit);
}

TEST(Branch, BareShallowDetachedAndLinkedRepositoriesTakeOne) {
  Bench bench;
  bench.git({"clone", "-q", "--bare", bench.repo(), bench.path("bare")});
  bench.git({"clone", "-q", "--depth=1", "file://" + bench.repo(), bench.path("shallow")});
  bench.git({"worktree", "add", "-q", "--detach", bench.path("linked"), "main"});
  bench.git({"clone", "-q", bench.repo(), bench.path("detached")});
  bench.git({"checkout", "-q", "--detach", "HEAD"}, "detached");
  for (const std::string folder : {"bare", "shallow", "linked", "detached"}) {
    SCOPED_TRACE(folder);
    const PrepareOrder order = bench.order(folder);
    const Prepared made = prepared(bench, order);
    const auto before = bench.everything(folder);
    EXPECT_EQ(written(bench, Bench::write_order(order.repo, made)).outcome, Outcome::created);
    EXPECT_EQ(bench.id(kBranch, folder), made.commit);
    EXPECT_EQ(bench.fsck(folder), "");
    EXPECT_EQ(bench.everything(folder), before);
  }
}

}  // namespace
}  // namespace cg::gitrepo
