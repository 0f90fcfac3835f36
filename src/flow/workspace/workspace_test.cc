#include "flow/workspace/workspace.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "flow/workspace/policy.h"
#include "support/support.h"

namespace cg::workspace {
namespace {

namespace fs = std::filesystem;

struct Bench {
  test::ScratchDir scratch;
  os::SystemClock clock;
  os::SystemRandom random;
  std::string home = scratch / "a/b/home";
  std::string guard = scratch / "guard";
  auto make() { return init(home, guard, Preset::standard, "test 1", clock, random); }
};

TEST(Workspace, InitIsWholeOrNotAtAll) {
  Bench bench;
  const auto made = bench.make();
  ASSERT_TRUE(made) << made.error().what;
  EXPECT_TRUE(open(bench.home));
  EXPECT_TRUE(find_exposed(*made, 10)->empty());
  EXPECT_EQ(bench.make().error().code, ErrorCode::home_exists);
  int beside = 0;
  for (const auto& entry : fs::directory_iterator(bench.scratch / "a/b")) {
    static_cast<void>(entry);
    ++beside;
  }
  EXPECT_EQ(beside, 1);
}

/// Whoever runs steps is somebody else, and reads them there; nobody may change them.
TEST(Workspace, ProgramsForChambersMayBeReadByAll) {
  Bench bench;
  const auto made = bench.make();
  ASSERT_TRUE(made);
  ASSERT_TRUE(made->home.make_dir("cache/hooks/one"));
  ASSERT_TRUE(made->home.write_atomic("cache/hooks/one/node", "x"));
  const std::string folder = made->home.path_of("cache/hooks/one");
  ASSERT_EQ(chmod(folder.c_str(), 0755), 0);
  ASSERT_EQ(chmod((folder + "/node").c_str(), 0755), 0);
  EXPECT_TRUE(find_exposed(*made, 10)->empty());
  ASSERT_EQ(chmod((folder + "/node").c_str(), 0775), 0);
  EXPECT_EQ(find_exposed(*made, 10)->size(), 1U);
  ASSERT_EQ(chmod(made->home.path_of("cache/hooks").c_str(), 0755), 0);
  EXPECT_EQ(find_exposed(*made, 10)->size(), 2U);
}

TEST(Workspace, InitTakesAnEmptyFolderButNoOther) {
  Bench bench;
  fs::create_directories(bench.home);
  EXPECT_TRUE(bench.make());
  Bench other;
  fs::create_directories(other.home);
  test::write(other.home + "/file", "x");
  EXPECT_EQ(other.make().error().code, ErrorCode::home_exists);
  EXPECT_EQ(test::read(other.home + "/file"), "x");
}

TEST(Workspace, RefusesWhatIsNotPrivate) {
  Bench bench;
  ASSERT_TRUE(bench.make());
  for (const std::string name :
       {"", "/events", "/keys/log.key", "/events/spanning/append.jsonl.zst"}) {
    const std::string path = bench.home + name;
    const fs::perms before = fs::status(path).permissions();
    fs::permissions(path, fs::perms::others_read, fs::perm_options::add);
    const auto refused = open(bench.home);
    ASSERT_FALSE(refused) << name;
    EXPECT_EQ(refused.error().code, ErrorCode::home_not_private);
    EXPECT_EQ(refused.error().exit(), ExitCode::guard);
    fs::permissions(path, before);
  }
  EXPECT_TRUE(open(bench.home));
}

TEST(Workspace, RefusesSymbolicLinks) {
  Bench bench;
  ASSERT_TRUE(bench.make());
  fs::rename(bench.home + "/events", bench.scratch / "elsewhere");
  fs::create_directory_symlink(bench.scratch / "elsewhere", bench.home + "/events");
  EXPECT_EQ(open(bench.home).error().code, ErrorCode::home_symlink);
  fs::create_directory_symlink(bench.home, bench.scratch / "link");
  EXPECT_EQ(open(bench.scratch / "link").error().code, ErrorCode::home_symlink);
}

TEST(Workspace, MissingIsUsage) {
  Bench bench;
  EXPECT_EQ(open(bench.home).error().exit(), ExitCode::usage);
  fs::create_directories(bench.home);
  EXPECT_EQ(open(bench.home).error().code, ErrorCode::home_missing);
}

TEST(Policy, OfTwoTheStricterValueHolds) {
  const Policy both = tightened(*parse_policy("index: {max_age_days: 20}\nscan: {fail_on: high}"),
                                *parse_layer("index: {max_age_days: 3}\nscan: {fail_on: moderate}\n"
                                             "ignores: {from_repo: allow, max_days: 3650}"));
  EXPECT_EQ(both.index_max_age_days, 3);
  EXPECT_EQ(both.fail_on, advisory::Level::moderate);
  EXPECT_EQ(both.repo_ignores, RepoIgnores::report_only)
      << "a layer cannot allow what another forbids";
  EXPECT_EQ(both.ignore_max_days, 180);
  EXPECT_EQ(tightened(Policy{}, *parse_layer("{}")), Policy{});
}

TEST(Policy, StarterFilesParseAndNothingUnknownPasses) {
  EXPECT_EQ(parse_policy(policy_text(Preset::standard))->anchor_within_days, 7);
  EXPECT_EQ(parse_policy(policy_text(Preset::strict))->anchor_within_days, 1);
  for (const std::string bad :
       {"", "[]", "audit: {anchor_within_days: 0}", "audit: {anchor_within_days: soon}",
        "audit: {other: 1}", "other: 1", "schema: codegenie/policy/v2",
        "audit: {anchor_within_days: 1, anchor_within_days: 2}"}) {
    EXPECT_FALSE(parse_policy(bad)) << bad;
  }
}

}  // namespace
}  // namespace cg::workspace
