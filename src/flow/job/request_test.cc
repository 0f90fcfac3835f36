// Jobs: what a file asks for is what flags would, and what is wrong is named with its line.
#include "flow/job/request.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cg::job {
namespace {

constexpr const char* kHead = "schema: codegenie/job/v1\nrepo: shop\n";

Request good(const std::string& rest) {
  auto out = parse_job("job.yaml", kHead + rest);
  EXPECT_TRUE(out.has_value()) << out.error().what;
  return *std::move(out);
}

TEST(Jobs, SayAllThatFlagsSay) {
  const Request out = good(
      "advisories: [CVE-1, CVE-2]\nbase: main\nbranch_prefix: fix/\noffline: true\nprod: true\n"
      "strategy: highest\ngroup: one\nunproven: keep\nisolation: microvm\nattempts: 2\nmax_tier: "
      "llm\n"
      "registry: https://registry.example/\nsign: ssh:key\nsbom: image.json\n");
  EXPECT_EQ(out.repo, "shop");
  EXPECT_THAT(out.advisories, testing::ElementsAre("CVE-1", "CVE-2"));
  EXPECT_EQ(out.what(), "CVE-1, CVE-2");
  EXPECT_EQ(out.base, "main");
  EXPECT_EQ(out.branch_prefix, "fix/");
  EXPECT_TRUE(out.offline);
  EXPECT_TRUE(out.production_only);
  EXPECT_EQ(out.prefer, plan::Prefer::highest);
  EXPECT_EQ(out.grouping, Grouping::one);
  EXPECT_EQ(out.unproven, IfUnproven::keep);
  EXPECT_EQ(out.unproven_prefix(), "fix-unproven/");
  EXPECT_EQ(out.place, Place::microvm);
  EXPECT_EQ(out.attempts, 2U);
  EXPECT_EQ(out.max_tier, Tier::llm);
  EXPECT_EQ(out.extent, Extent::branch);
  EXPECT_EQ(out.registry, "https://registry.example/");
  EXPECT_EQ(out.sign, "ssh:key");
  EXPECT_EQ(out.sbom, "image.json");
}

TEST(Jobs, GoAsFarAsTheySay) {
  EXPECT_EQ(good("all: true\n").what(), "all");
  EXPECT_EQ(good("all: true\ndry_run: true\n").extent, Extent::preview);
  EXPECT_FALSE(good("all: true\ndry_run: true\n").diff);
  EXPECT_TRUE(good("all: true\ndry_run: true\ndiff: true\n").diff);
  const Request planned = good("all: true\nplan_only: true\nworktree: out\n");
  EXPECT_EQ(planned.extent, Extent::plan);
  EXPECT_EQ(planned.worktree, "out");
}

TEST(Jobs, ThatAreWrongAreRefusedWithTheLine) {
  const struct {
    const char* rest;
    const char* what;
    const char* line;
  } cases[] = {
      {"", "one of `all` and `advisories` must be there", ":1"},
      {"all: true\nadvisories: [CVE-1]\n", "one of `all` and `advisories` must be there", ":1"},
      {"all: yes please\n", "true or false is needed here", ":3"},
      {"all: true\nextra: 1\n", "unknown key `extra`", ":4"},
      {"all: true\nattempts: 4\n", "attempts are a number from 1 to 3", ":4"},
      {"all: true\nstrategy: newest\n", "a strategy is lowest or highest, not newest", ":4"},
      {"all: true\nisolation: none\n", "an isolation is userns or microvm, not none", ":4"},
      {"all: true\nbranch_prefix: fix\n", "slash", ":4"},
      {"all: true\nbranch_prefix: fix-unproven/\n", "-unproven/", ":4"},
      {"all: true\nunproven: maybe\n", "keep or drop", ":4"},
      {"all: true\ndry_run: true\nplan_only: true\n", "exclude each other", ":1"},
      {"all: true\nworktree: out\n", "`worktree` goes with `plan_only`", ":4"},
      {"all: true\ndiff: true\n", "`diff` goes with `dry_run`", ":4"},
  };
  for (const auto& one : cases) {
    const auto out = parse_job("job.yaml", std::string(kHead) + one.rest);
    ASSERT_FALSE(out.has_value()) << one.rest;
    EXPECT_EQ(out.error().code, ErrorCode::repo_job) << one.rest;
    EXPECT_THAT(out.error().what, testing::HasSubstr(one.what)) << one.rest;
    EXPECT_THAT(out.error().where.front().second, testing::EndsWith(one.line)) << one.rest;
  }
  for (const char* text : {"", "[]", "repo: shop\nall: true\n", "schema: other\nrepo: a\n", "{"}) {
    EXPECT_FALSE(parse_job("job.yaml", text).has_value()) << text;
  }
}

}  // namespace
}  // namespace cg::job
