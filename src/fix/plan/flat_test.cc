// Plans for small locks of yarn and pnpm.
#include "fix/plan/flat.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fix/plan/world.h"
#include "npm/lockfile/lock.h"

namespace cg::plan {
namespace {

using testing::HasSubstr;

/// `versions` as "1.0.0", or "1.0.0 dependency range"; all of them published.
std::string packument(const std::string& name, const std::vector<std::string>& versions) {
  std::string out = "{\"name\":\"" + name + "\",\"dist-tags\":{},\"versions\":{";
  bool first = true;
  for (const std::string& text : versions) {
    const auto parts = split(text, ' ');
    const std::string version(parts[0]);
    if (!first) out += ",";
    first = false;
    out += "\"" + version + "\":{\"name\":\"" + name + "\",\"version\":\"" + version + "\",";
    if (parts.size() > 2) {
      out +=
          "\"dependencies\":{\"" + std::string(parts[1]) + "\":\"" + std::string(parts[2]) + "\"},";
    }
    out += "\"dist\":{\"integrity\":\"sha512-" + std::string(86, 'A') + "==\",\"shasum\":\"" +
           std::string(40, '0') + "\",\"tarball\":\"https://registry.example/" + name + "/-/" +
           name + "-" + version + ".tgz\"}}";
  }
  return out + "}}";
}

std::string osv(const std::string& name, const std::string& fixed) {
  return R"({"id":"GHSA-aaaa-aaaa-aaaa","modified":"2024-01-01T00:00:00Z","affected":[{"package":)"
         R"({"ecosystem":"npm","name":")" +
         name + R"("},"ranges":[{"type":"SEMVER","events":[{"introduced":"0"},{"fixed":")" + fixed +
         R"("}]}]}]})";
}

struct Outcome {
  Plan plan;
  std::string text;
  Copy copy;
};

class FlatPlan : public testing::Test {
 protected:
  Outcome run(const std::string& lock, const std::string& dependencies) {
    std::vector<npm::Manifest> manifests = {*npm::parse_manifest(
        "package.json", "{\"name\":\"root\",\"dependencies\":{" + dependencies + "}}")};
    const bool pnpm = lock.starts_with("lockfileVersion");
    auto graph = pnpm ? lockfile::read_pnpm_lock(lock) : lockfile::read_yarn_lock(lock, manifests);
    EXPECT_TRUE(graph);
    const auto hits = findings::match_graph(*graph, world_.rules()).hits;
    Outcome out;
    out.plan = plan_flat({"lock", *graph, manifests, hits, world_, world_, options_});
    const auto text = pnpm ? edit::edit_pnpm_lock(*graph, out.plan.lock)
                           : edit::edit_yarn_lock(*graph, out.plan.lock, "");
    EXPECT_TRUE(text) << (text ? "" : text.error().what);
    if (text) out.text = *text;
    if (!out.plan.copies.empty()) out.copy = out.plan.copies.front();
    return out;
  }

  test::World world_;
  Options options_;
};

std::string entry(const std::string& keys, const std::string& name, const std::string& version,
                  const std::string& dependency = "") {
  std::string out = "\n" + keys + ":\n  version \"" + version +
                    "\"\n  resolved \"https://registry.example/" + name + "/-/" + name + "-" +
                    version + ".tgz#00\"\n";
  if (!dependency.empty()) out += "  dependencies:\n    " + dependency + "\n";
  return out;
}
const std::string kHead = "# yarn lockfile v1\n\n";

TEST_F(FlatPlan, LowestSafeVersionInRangeOfAllIsTaken) {
  world_.advise(osv("a", "1.2.0"));
  world_.publish("a", packument("a", {"1.0.0", "1.1.0", "1.2.0", "1.3.0", "2.0.0"}));
  const Outcome out = run(kHead + entry("a@^1.0.0", "a", "1.0.0"), R"("a":"^1.0.0")");
  EXPECT_EQ(out.copy.verdict, Verdict::fixed);
  EXPECT_EQ(out.copy.to, "1.2.0");
  ASSERT_EQ(out.plan.steps.size(), 1U);
  EXPECT_EQ(out.plan.steps[0].recipe, "yarn-relock");
  EXPECT_THAT(out.text, HasSubstr("a@^1.0.0:\n  version \"1.2.0\""));
  EXPECT_TRUE(out.plan.manifests.empty());
  options_.prefer = Prefer::highest;
  EXPECT_EQ(run(kHead + entry("a@^1.0.0", "a", "1.0.0"), R"("a":"^1.0.0")").copy.to, "1.3.0");
}

TEST_F(FlatPlan, PackageThatWouldBeAddedIsNamedAndTheNextVersionTried) {
  world_.advise(osv("a", "1.2.0"));
  world_.publish("a", packument("a", {"1.0.0", "1.2.0 z ^1.0.0"}));
  const std::string lock = kHead + entry("a@^1.0.0", "a", "1.0.0");
  Outcome out = run(lock, R"("a":"^1.0.0")");
  EXPECT_EQ(out.copy.blocker, Blocker::unsupported);
  EXPECT_EQ(out.copy.reason, "the lock has no entry for `z@^1.0.0`");
  EXPECT_EQ(out.text, lock);
  world_ = test::World();
  world_.advise(osv("a", "1.2.0"));
  world_.publish("a", packument("a", {"1.0.0", "1.2.0 z ^1.0.0", "1.2.1"}));
  EXPECT_EQ(run(lock, R"("a":"^1.0.0")").copy.to, "1.2.1");
}

TEST_F(FlatPlan, DirectBumpKeepsTheStyleAndStaysWithinTheMajor) {
  world_.advise(osv("a", "1.2.0"));
  world_.publish("a", packument("a", {"1.0.0", "1.2.0", "2.0.0"}));
  const Outcome out = run(kHead + entry("a@~1.0.0", "a", "1.0.0"), R"("a":"~1.0.0")");
  EXPECT_EQ(out.copy.strategy, Strategy::direct_bump);
  ASSERT_EQ(out.plan.manifests.size(), 1U);
  EXPECT_EQ(out.plan.manifests[0].path, "package.json");
  EXPECT_EQ(out.plan.manifests[0].asks[0].to, "~1.2.0");
  EXPECT_EQ(out.plan.steps[0].recipe, "yarn-direct-bump");
  EXPECT_THAT(out.text, HasSubstr("a@~1.2.0:\n  version \"1.2.0\""));
}

TEST_F(FlatPlan, BreakingVersionIsHandedOn) {
  world_.advise(osv("a", "2.0.0"));
  world_.publish("a", packument("a", {"1.0.0", "2.0.0"}));
  const Outcome out = run(kHead + entry("a@^1.0.0", "a", "1.0.0"), R"("a":"^1.0.0")");
  EXPECT_EQ(out.copy.verdict, Verdict::handed_on);
  EXPECT_EQ(out.copy.blocker, Blocker::major);
  EXPECT_EQ(out.copy.reason, "the root asks for a `^1.0.0`, the lowest safe version is a 2.0.0");
  EXPECT_TRUE(out.plan.lock.empty());
}

TEST_F(FlatPlan, DependentIsRaisedWhereItsRangeBlocks) {
  world_.advise(osv("a", "1.2.0"));
  world_.publish("a", packument("a", {"1.0.0", "1.2.0"}));
  world_.publish("p", packument("p", {"1.0.0 a 1.0.0", "1.1.0 a ^1.2.0"}));
  const std::string lock =
      kHead + entry("a@1.0.0", "a", "1.0.0") + entry("p@^1.0.0", "p", "1.0.0", "a \"1.0.0\"");
  const Outcome out = run(lock, R"("p":"^1.0.0")");
  EXPECT_EQ(out.copy.strategy, Strategy::parent_bump);
  EXPECT_EQ(out.plan.steps[0].recipe, "yarn-parent-bump");
  EXPECT_THAT(out.text, HasSubstr("a@^1.2.0:\n  version \"1.2.0\""));
  EXPECT_THAT(out.text, HasSubstr("p@^1.0.0:\n  version \"1.1.0\""));
  const Outcome blocked =
      run(kHead + entry("a@1.0.0", "a", "1.0.0") + entry("p@1.0.0", "p", "1.0.0", "a \"1.0.0\""),
          R"("p":"1.0.0")");
  EXPECT_EQ(blocked.copy.blocker, Blocker::range);
}

TEST_F(FlatPlan, RangeThatBlocksIsNamed) {
  world_.advise(osv("a", "2.0.0"));
  world_.publish("a", packument("a", {"1.0.0", "2.0.0"}));
  world_.publish("p", packument("p", {"1.0.0 a ^1.0.0"}));
  const Outcome out =
      run(kHead + entry("a@^1.0.0", "a", "1.0.0") + entry("p@^1.0.0", "p", "1.0.0", "a \"^1.0.0\""),
          R"("p":"^1.0.0")");
  EXPECT_EQ(out.copy.blocker, Blocker::range);
  EXPECT_EQ(out.copy.reason, "p 1.0.0 asks for a `^1.0.0`, the lowest safe version is a 2.0.0");
  EXPECT_FALSE(out.copy.considered.empty());
}

TEST_F(FlatPlan, UnknownPackagesAndMissingFixesAreSaid) {
  world_.advise(osv("a", "1.2.0"));
  const std::string lock = kHead + entry("a@^1.0.0", "a", "1.0.0");
  EXPECT_EQ(run(lock, R"("a":"^1.0.0")").copy.blocker, Blocker::registry);
  world_ = test::World();
  world_.advise(osv("a", "1.2.0"));
  world_.publish("a", packument("a", {"1.0.0", "1.1.0"}));
  const Outcome out = run(lock, R"("a":"^1.0.0")");
  EXPECT_EQ(out.copy.verdict, Verdict::no_fix);
  EXPECT_EQ(out.copy.blocker, Blocker::no_version);
}

TEST_F(FlatPlan, ResolutionOfTheRootIsNamedNotFoughtWith) {
  world_.advise(osv("a", "1.2.0"));
  world_.publish("a", packument("a", {"1.0.0", "1.2.0"}));
  const std::string lock =
      kHead + entry("a@1.0.0", "a", "1.0.0") + entry("p@^1.0.0", "p", "1.0.0", "a \"^1.0.0\"");
  const Outcome out = run(lock, R"("p":"^1.0.0"},"resolutions":{"a":"1.0.0")");
  EXPECT_EQ(out.copy.blocker, Blocker::override_rule);
}

const std::string kPnpm =
    "lockfileVersion: '9.0'\n\nimporters:\n\n  .:\n    dependencies:\n      p:\n"
    "        specifier: ^1.0.0\n        version: 1.0.0\n\npackages:\n\n"
    "  a@1.0.0:\n    resolution: {integrity: sha512-a==}\n\n"
    "  p@1.0.0:\n    resolution: {integrity: sha512-p==}\n\nsnapshots:\n\n"
    "  a@1.0.0: {}\n\n  p@1.0.0:\n    dependencies:\n      a: 1.0.0\n";

TEST_F(FlatPlan, RangesOfPnpmComeFromTheRegistry) {
  world_.advise(osv("a", "1.2.0"));
  world_.publish("a", packument("a", {"1.0.0", "1.2.0", "1.3.0"}));
  EXPECT_EQ(run(kPnpm, R"("p":"^1.0.0")").copy.blocker, Blocker::registry);
  world_ = test::World();
  world_.advise(osv("a", "1.2.0"));
  world_.publish("a", packument("a", {"1.0.0", "1.2.0", "1.3.0"}));
  world_.publish("p", packument("p", {"1.0.0 a ^1.0.0"}));
  const Outcome out = run(kPnpm, R"("p":"^1.0.0")");
  EXPECT_EQ(out.copy.to, "1.2.0");
  EXPECT_EQ(out.plan.steps[0].recipe, "pnpm-relock");
  EXPECT_THAT(out.text,
              HasSubstr("  a@1.2.0: {}\n\n  p@1.0.0:\n    dependencies:\n      a: 1.2.0\n"));
}

TEST_F(FlatPlan, OverrideOfPnpmIsNoticed) {
  world_.advise(osv("a", "1.2.0"));
  world_.publish("a", packument("a", {"1.0.0", "1.2.0"}));
  world_.publish("p", packument("p", {"1.0.0 a ^0.9.0"}));
  EXPECT_EQ(run(kPnpm, R"("p":"^1.0.0")").copy.blocker, Blocker::override_rule);
}

}  // namespace
}  // namespace cg::plan
