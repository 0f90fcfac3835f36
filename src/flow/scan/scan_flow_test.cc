// A repository scanned in-process: read, matched, judged.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "base/base/text.h"
#include "base/json/json.h"
#include "flow/scan/index.h"
#include "flow/scan/scan.h"
#include "support/new_workspace.h"

namespace cg::scan {
namespace {

namespace fs = std::filesystem;

constexpr Time kNow{1'794'448'811'000};  // 2026-11-12
constexpr std::int64_t kDay = 86'400'000;

constexpr const char* kAdvisory = R"({"schema_version":"1.6.0","id":"GHSA-aaaa-bbbb-cccc",
 "modified":"2026-01-01T00:00:00Z","aliases":["CVE-2026-0001"],"summary":"pads too far",
 "affected":[{"package":{"ecosystem":"npm","name":"pad"},
  "ranges":[{"type":"SEMVER","events":[{"introduced":"0"},{"fixed":"1.0.1"}]}]}]})";

constexpr const char* kLock = R"({"name":"shop","version":"1.0.0","lockfileVersion":3,
 "packages":{"":{"name":"shop","version":"1.0.0","dependencies":{"pad":"^1.0.0"}},
  "node_modules/pad":{"version":"1.0.0"}}})";

class Scans : public testing::Test {
 protected:
  Scans() {
    put("package.json", R"({"name":"shop","version":"1.0.0","dependencies":{"pad":"^1.0.0"}})");
    put("package-lock.json", kLock);
  }
  void put(const std::string& name, const std::string& text) const {
    fs::create_directories(fs::path(scratch_ / ("shop/" + name)).parent_path());
    test::write(scratch_ / ("shop/" + name), text);
  }
  void build_index(Time built) const {
    vulnindex::Draft draft;
    vulnindex::Tally tally;
    const auto parsed = json::parse_json(kAdvisory);
    ASSERT_TRUE(parsed.has_value());
    draft.add("osv", {kAdvisory, *parsed, "one.json"}, tally);
    ASSERT_TRUE(vulnindex::replace_all(access_.workspace.home, draft, built).has_value());
  }
  Result<Scanned, Problem> scan(const Request& request = {.repo = "shop", .now = kNow}) const {
    CG_TRY_ASSIGN(const os::Dir repo, open_repository(scratch_ / "shop"));
    CG_TRY_ASSIGN(const workspace::Policy policy, policy_for(access_.workspace, repo));
    CG_TRY_ASSIGN(vulnindex::Index index, open_fresh_index(access_, policy, kNow));
    return scan_repository(repo, access_.workspace, policy, index, request);
  }
  test::ScratchDir scratch_;
  workspace::Access access_ = test::new_workspace(scratch_);
};

TEST_F(Scans, FindEveryVulnerableCopy) {
  build_index(kNow);
  const auto out = scan();
  ASSERT_TRUE(out.has_value()) << out.error().what;
  ASSERT_EQ(out->scan.findings.size(), 1U);
  EXPECT_EQ(out->scan.findings[0].location, "node_modules/pad");
  ASSERT_EQ(out->hits.size(), 1U);
  EXPECT_EQ(out->hits[0].size(), 1U);
  EXPECT_FALSE(out->incomplete);
}

TEST_F(Scans, WithoutAnIndexOrWithAnOldOneAreRefused) {
  EXPECT_EQ(scan().error().code, ErrorCode::data_missing);
  build_index(Time{kNow.ms - 1000 * kDay});
  EXPECT_EQ(scan().error().code, ErrorCode::data_stale);
}

/// What was ignored is not shown, but it is still there for who plans and compares.
TEST_F(Scans, WhatTheWorkspaceIgnoresIsAHitAndNoFinding) {
  build_index(kNow);
  test::write(scratch_ / "work/policy/ignore.yaml",
              "schema: codegenie/ignore/v1\nignores:\n  - id: CVE-2026-0001\n    owner: web\n"
              "    reason: not reached\n    expires: 2026-11-20\n");
  fs::permissions(scratch_ / "work/policy/ignore.yaml", fs::perms::owner_read);
  const auto out = scan();
  ASSERT_TRUE(out.has_value()) << out.error().what;
  EXPECT_TRUE(out->scan.findings.empty());
  EXPECT_EQ(out->scan.suppressed.size(), 1U);
  EXPECT_EQ(out->hits[0].size(), 1U);
}

TEST_F(Scans, AFileThatCannotBeReadMakesThemIncomplete) {
  build_index(kNow);
  put("web/package.json", "{}");
  put("web/package-lock.json", "{");
  const auto out = scan();
  ASSERT_TRUE(out.has_value());
  EXPECT_EQ(out->scan.findings.size(), 1U);
  ASSERT_TRUE(out->incomplete);
  EXPECT_EQ(out->incomplete->code, ErrorCode::repo_file);
}

TEST_F(Scans, ARepositoryMayOnlyTightenPolicy) {
  build_index(kNow);
  put(".codegenie/policy.yaml", "rubbish: true\n");
  EXPECT_EQ(scan().error().code, ErrorCode::repo_policy);
}

TEST_F(Scans, AnUnknownAdvisoryIsToldWithItsNeighbours) {
  build_index(kNow);
  auto index = open_any_index(access_);
  ASSERT_TRUE(index.has_value());
  EXPECT_EQ(*find_group(*index, "CVE-2026-0001"), "GHSA-aaaa-bbbb-cccc");
  const auto unknown = find_group(*index, "CVE-2026-0002");
  ASSERT_FALSE(unknown.has_value());
  EXPECT_EQ(unknown.error().code, ErrorCode::data_unknown_id);
  EXPECT_THAT(unknown.error().help.front(), testing::HasSubstr("near: "));
}

TEST_F(Scans, AFolderThatIsNotThereIsNamed) {
  const auto repo = open_repository("/no/such\nplace");
  ASSERT_FALSE(repo);
  EXPECT_EQ(repo.error().code, ErrorCode::repo_unreadable);
  EXPECT_EQ(repo.error().where.front().second, printable("/no/such\nplace"));
  EXPECT_EQ(repo.error().where.back().second, "not found");
}

TEST_F(Scans, AFileThatCannotBeUsedMakesTheResultIncomplete) {
  build_index(kNow);
  put("app/package-lock.json", R"({"lockfileVersion":3,)");
  const auto out = scan();
  ASSERT_TRUE(out) << out.error().what;
  ASSERT_TRUE(out->incomplete);
  EXPECT_EQ(out->incomplete->exit(), ExitCode::usage);
  ASSERT_EQ(out->scan.repo.unreadable.size(), 1U);
  EXPECT_EQ(out->scan.repo.unreadable[0].path, "app/package-lock.json");
  EXPECT_EQ(out->scan.repo.unread(), 1U);
}

TEST_F(Scans, TestDataThatCannotBeUsedIsAWarning) {
  build_index(kNow);
  put("tests/fixtures/odd/yarn.lock", "garbage {{{\n");
  const auto out = scan();
  ASSERT_TRUE(out) << out.error().what;
  EXPECT_FALSE(out->incomplete) << "the others are sound";
  EXPECT_THAT(out->scan.warnings,
              testing::Contains(testing::AllOf(testing::StartsWith("tests/fixtures/odd/yarn.lock"),
                                               testing::EndsWith("; test data, not scanned"))));
  ASSERT_EQ(out->scan.repo.unreadable.size(), 1U) << "and it is not called clean";
  // The name of a folder has to be one, not a part of it.
  put("latest/yarn.lock", "garbage {{{\n");
  EXPECT_TRUE(scan()->incomplete);
}

TEST_F(Scans, TestDataAloneIsNoReasonToCallAnythingClean) {
  build_index(kNow);
  fs::remove(scratch_ / "shop/package-lock.json");
  put("tests/yarn.lock", "garbage {{{\n");
  const auto out = scan();
  ASSERT_TRUE(out) << out.error().what;
  EXPECT_TRUE(out->incomplete);
}

TEST_F(Scans, ATrackedLockWhereNobodyLooksIsNamedAndNeedsAPerson) {
  build_index(kNow);
  const std::vector<std::string> hiding = {".yarn/package-lock.json",
                                           "vendor/cache/package-lock.json",
                                           "__pycache__/package-lock.json",
                                           ".next/x/package-lock.json",
                                           ".codegenie/package-lock.json",
                                           "node_modules/evil/package-lock.json",
                                           ".pnpm/yarn.lock",
                                           "a\\b/package-lock.json"};
  for (const std::string& path : hiding) put(path, kLock);
  put("node_modules/installed/package-lock.json", kLock);
  const std::string shop = scratch_ / "shop";
  const auto git = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"git", "-C", shop});
    ASSERT_EQ(test::run(words).exit, 0);
  };
  // As long as git knows of none, they are what tools left there.
  git({"init", "-q"});
  git({"add", "package.json", "package-lock.json"});
  auto before = scan();
  ASSERT_TRUE(before) << before.error().what;
  ASSERT_EQ(before->scan.repo.skipped.size(), 1U) << "one has a name that no fix is written to";
  fs::remove_all(scratch_ / "shop/a\\b");
  before = scan();
  ASSERT_TRUE(before);
  EXPECT_FALSE(before->skipped);
  EXPECT_TRUE(before->scan.repo.skipped.empty());

  put("a\\b/package-lock.json", kLock);
  for (const std::string& path : hiding) git({"add", "-f", path});
  const auto out = scan();
  ASSERT_TRUE(out) << out.error().what;
  EXPECT_FALSE(out->incomplete);
  ASSERT_TRUE(out->skipped);
  EXPECT_EQ(out->skipped->exit(), ExitCode::needs_human);
  std::set<std::string> named;
  for (const findings::SkippedLock& lock : out->scan.repo.skipped) named.insert(lock.path);
  EXPECT_EQ(named, std::set<std::string>(hiding.begin(), hiding.end()));
  EXPECT_EQ(out->scan.findings.size(), 1U) << "the others are judged all the same";

  // From a folder within, whose files the index names from above.
  put("sub/package.json", "{}");
  put("sub/package-lock.json", R"({"lockfileVersion":3,"packages":{}})");
  put("sub/.next/yarn.lock", "");
  git({"add", "-f", "sub"});
  const auto repo = open_repository(scratch_ / "shop/sub");
  ASSERT_TRUE(repo);
  const repository::RepoFiles files =
      repository::discover_tracked(*repo, repository::read_tracked(repo->path()));
  ASSERT_EQ(files.skipped.size(), 1U);
  EXPECT_EQ(files.skipped[0].path, ".next/yarn.lock");
}

TEST_F(Scans, AnIndexThatCannotBeReadHidesNothing) {
  build_index(kNow);
  put(".yarn/package-lock.json", kLock);
  const std::string shop = scratch_ / "shop";
  ASSERT_EQ(test::run({"git", "-C", shop, "init", "-q"}).exit, 0);
  put(".git/index", "DIRC and nothing more of it");
  const auto out = scan();
  ASSERT_TRUE(out) << out.error().what;
  ASSERT_TRUE(out->skipped);
  EXPECT_THAT(out->scan.repo.skipped.at(0).why, testing::HasSubstr("cannot be told"));
  fs::remove_all(scratch_ / "shop/.git");
  const auto plain = scan();
  ASSERT_TRUE(plain);
  EXPECT_FALSE(plain->skipped) << "without git nothing is tracked";
  EXPECT_THAT(plain->scan.warnings,
              testing::Contains(testing::HasSubstr(".yarn/package-lock.json")));
}

TEST_F(Scans, ARepositoryWithNoLockButASkippedOneIsNotEmpty) {
  build_index(kNow);
  fs::rename(scratch_ / "shop/package-lock.json", scratch_ / "shop/elsewhere.json");
  fs::create_symlink("elsewhere.json", scratch_ / "shop/package-lock.json");
  const auto plain = scan();
  ASSERT_TRUE(plain) << plain.error().what;
  EXPECT_TRUE(plain->incomplete) << "without git nothing is tracked, and the file is at fault";
  EXPECT_FALSE(plain->skipped);
  const std::string shop = scratch_ / "shop";
  ASSERT_EQ(test::run({"git", "-C", shop, "init", "-q"}).exit, 0);
  ASSERT_EQ(test::run({"git", "-C", shop, "add", "package-lock.json"}).exit, 0);
  const auto out = scan();
  ASSERT_TRUE(out) << out.error().what;
  EXPECT_FALSE(out->incomplete);
  ASSERT_TRUE(out->skipped);
}

}  // namespace
}  // namespace cg::scan
