// --job FILE: one file that says what flags would, and is told where it is wrong.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "remediate/bench.h"

namespace cg::test {
namespace {

using testing::HasSubstr;

const std::string kHead = "schema: codegenie/job/v1\nrepo: shop\n";

TEST(Job, DoesWhatTheFlagsWould) {
  Bench bench;
  const Ran flags = bench.remediate({"shop", "--all", "--group", "one"});
  EXPECT_EQ(flags.exit, 7) << flags.err;
  const Files expected = bench.branches();
  EXPECT_EQ(expected.size(), 1U);
  for (const auto& [branch, commit] : expected) bench.git({"branch", "-qD", branch});

  bench.write("job.yaml", kHead + "all: true\ngroup: one\nregistry: " + bench.registry() + "\n");
  const Ran job = bench.codegenie({"remediate", "--job", "job.yaml"});
  EXPECT_EQ(job.exit, 7) << job.err;
  EXPECT_EQ(bench.branches(), expected);
}

TEST(Job, MayBeJsonAndNameAdvisories) {
  Bench bench;
  bench.write("job.json", R"({"schema": "codegenie/job/v1", "repo": "shop", "strategy": "highest",
      "advisories": ["CGEX-2026-0004"], "registry": ")" +
                              bench.registry() + "\"}");
  const Ran job = bench.codegenie({"remediate", "--job", "job.json"});
  EXPECT_EQ(job.exit, 0) << job.err;
  EXPECT_EQ(bench.branches().size(), 1U);
}

struct Bad {
  const char* name;
  std::string text;
  std::string line;  // as it is told
};

class BadJob : public testing::TestWithParam<Bad> {};

TEST_P(BadJob, IsRefusedAndTheLineIsNamed) {
  const Bench bench;
  bench.write("job.yaml", GetParam().text);
  const Files before = bench.everything("shop");
  const Ran job = bench.codegenie({"remediate", "--job", "job.yaml", "--offline"});
  EXPECT_EQ(job.exit, 2) << job.out << job.err;
  EXPECT_THAT(job.err, HasSubstr("CG-REPO-010"));
  EXPECT_THAT(job.err, HasSubstr(GetParam().line));
  EXPECT_EQ(bench.everything("shop"), before);
  EXPECT_THAT(bench.codegenie({"workflow", "list", "--format", "json"}).out,
              HasSubstr("\"workflows\": []"));
}

INSTANTIATE_TEST_SUITE_P(
    All, BadJob,
    testing::Values(
        Bad{"NoRepository", "schema: codegenie/job/v1\nall: true\n", "job.yaml:1"},
        Bad{"OtherSchema", "repo: shop\nall: true\nschema: codegenie/job/v9\n", "job.yaml:3"},
        Bad{"NoSchema", "repo: shop\nall: true\n", "job.yaml:1"},
        Bad{"NoTruthValue", kHead + "all: maybe\n", "job.yaml:3"},
        Bad{"UnknownKey", kHead + "all: true\npush: true\n", "job.yaml:4"},
        Bad{"OtherStrategy", kHead + "all: true\nstrategy: best\n", "job.yaml:4"},
        Bad{"OtherGroup", kHead + "all: true\ngroup: none\n", "job.yaml:4"},
        Bad{"OtherTier", kHead + "all: true\nmax_tier: magic\n", "job.yaml:4"},
        Bad{"TwoKeysOfAName", kHead + "all: true\nall: true\n", "line 4"},
        Bad{"NotYaml", kHead + "advisories: [a\n", "line 4"},
        Bad{"NoMapping", "- shop\n", "job.yaml:1"}, Bad{"Empty", "", "job.yaml:1"},
        Bad{"AllAndSome", kHead + "all: true\nadvisories: [CVE-1]\n", "job.yaml:1"},
        Bad{"NeitherAllNorSome", kHead, "job.yaml:1"},
        Bad{"NumbersForIds", kHead + "advisories: [1]\n", "job.yaml:3"},
        Bad{"PrefixWithoutSlash", kHead + "all: true\nbranch_prefix: fix\n", "job.yaml:4"},
        Bad{"PrefixThatGitRefuses", kHead + "all: true\nbranch_prefix: a..b/\n", "job.yaml:4"},
        Bad{"WorktreeAndBranches", kHead + "all: true\nworktree: out\n", "job.yaml:4"},
        Bad{"PreviewAndPlan", kHead + "all: true\ndry_run: true\nplan_only: true\n", "job.yaml:1"}),
    [](const testing::TestParamInfo<Bad>& one) { return std::string(one.param.name); });

TEST(Job, ExcludesARepositoryBesidesAndMustBeThere) {
  const Bench bench;
  bench.write("job.yaml", kHead + "all: true\n");
  EXPECT_EQ(bench.codegenie({"remediate", "shop", "--job", "job.yaml"}).exit, 2);
  EXPECT_EQ(bench.codegenie({"remediate", "--all", "--job", "job.yaml"}).exit, 2);
  EXPECT_EQ(bench.codegenie({"remediate", "--job", "none.yaml"}).exit, 2);
}

}  // namespace
}  // namespace cg::test
