// Overrides under which a dependent no longer loads, of packages that everybody has: whatever a
// repository's own tests say, the default command keeps none of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

#include "prove/bench.h"

namespace cg::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// A package that dependents of the project ask for in an older range, and its first release that
/// they cannot load: an ES module, a path that is gone, a class that is no longer what is exported.
struct Release {
  const char* package;
  const char* version;
};
constexpr Release kFew[] = {{"uuid", "14.0.0"}, {"minipass", "5.0.0"}};
constexpr Release kMore[] = {{"ansi-regex", "6.0.0"},
                             {"camelcase", "7.0.0"},
                             {"chalk", "5.0.0"},
                             {"clean-stack", "4.0.0"},
                             {"find-up", "6.0.0"},
                             {"get-stream", "7.0.0"},
                             {"human-signals", "3.0.0"},
                             {"indent-string", "5.0.0"},
                             {"is-fullwidth-code-point", "4.0.0"},
                             {"is-stream", "3.0.0"},
                             {"map-obj", "5.0.0"},
                             {"mimic-fn", "4.0.0"},
                             {"nanoid", "4.0.0"},
                             {"node-fetch", "3.0.0"},
                             {"npm-run-path", "5.0.0"},
                             {"onetime", "6.0.0"},
                             {"path-type", "5.0.0"},
                             {"quick-lru", "6.0.0"},
                             {"restore-cursor", "4.0.0"},
                             {"slash", "4.0.0"},
                             {"strip-ansi", "7.0.0"},
                             {"strip-final-newline", "3.0.0"},
                             {"widest-line", "4.0.0"},
                             {"wrap-ansi", "8.0.0"}};
/// As far from what is asked for, and loads.
constexpr Release kHonest = {"semver", "7.5.2"};

std::string advisory(const Release& fixed, std::size_t number) {
  const std::string id = "CGEX-2026-" + std::to_string(7000 + number);
  return R"({"schema_version":"1.6.0","id":")" + id +
         R"(","modified":"2026-06-01T00:00:00Z","published":"2026-05-01T00:00:00Z","summary":"x",)" +
         R"("affected":[{"package":{"ecosystem":"npm","name":")" + fixed.package +
         R"("},"ranges":[{"type":"SEMVER","events":[{"introduced":"0"},{"fixed":")" +
         fixed.version + R"("}]}]}],"database_specific":{"severity":"HIGH"}})" + "\n";
}

TEST(Breaking, OverridesThatNobodyCanLoadAreNoFix) {
  const auto bench = ProveBench::open("breaking");
  if (bench == nullptr) GTEST_SKIP() << kNoPackages;
  std::vector<Release> releases(std::begin(kFew), std::end(kFew));
  const char* all = std::getenv("CG_BREAKING");  // ./check --long has all of them
  if (all != nullptr) releases.insert(releases.end(), std::begin(kMore), std::end(kMore));
  std::size_t number = 0;
  std::string feed = read(bench->path("feed.jsonl")) + advisory(kHonest, number);
  for (const Release& release : releases) feed += advisory(release, ++number);
  bench->write("breaking.jsonl", feed);
  const Ran refreshed =
      bench->codegenie({"vuln-index", "refresh", "--from", bench->path("breaking.jsonl")});
  ASSERT_EQ(refreshed.exit, 0) << refreshed.err;

  const Proven proven = bench->prove();
  EXPECT_EQ(proven.ran.exit, 7) << proven.ran.out << proven.ran.err;
  std::set<std::string> broken;
  for (const json::Value& copy : list_of(proven.outcome, "copies")) {
    const std::string package = text_of(copy, "package");
    const bool fixed = text_of(copy, "verdict") == "fixed";
    EXPECT_EQ(fixed, package == kHonest.package) << json::write_json(copy);
    if (fixed) continue;
    EXPECT_EQ(text_of(copy, "blocker"), "gates") << json::write_json(copy);
    broken.insert(package);
  }
  for (const Release& release : releases) EXPECT_THAT(broken, Contains(release.package));
  for (const auto& [branch, commit] : bench->branches()) EXPECT_THAT(branch, HasSubstr("semver"));
  EXPECT_EQ(bench->branches().size(), 1U);
  // None but this gate can tell, and none needs to once it has.
  std::set<std::string> others;
  for (const json::Value& gate : list_of(proven.outcome, "gates")) {
    const std::string state = text_of(gate, "state");
    if (state == "failed" || state == "missing") others.insert(text_of(gate, "signal"));
  }
  EXPECT_THAT(others, ElementsAre("load", "tests"));
}

}  // namespace
}  // namespace cg::test
