// Which fixes go on one branch, and how copies are named across runs.
#include "flow/propose/groups.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cg::propose {
namespace {

using Fixes = std::vector<std::vector<std::size_t>>;

report::Fix fix(const std::string& package, std::vector<std::string> touched,
                const std::string& lockfile = "package-lock.json") {
  report::Fix out;
  out.package = package;
  out.touched = std::move(touched);
  out.lockfile = lockfile;
  return out;
}

TEST(GroupFixes, WhatTouchesNothingInCommonStandsAlone) {
  EXPECT_EQ(group_fixes({fix("a", {"node_modules/a"}), fix("b", {"node_modules/b"})},
                        job::Grouping::each),
            (Fixes{{1}, {2}}));
}

TEST(GroupFixes, OfOnePackageGoTogetherEvenInTwoLockfiles) {
  EXPECT_EQ(group_fixes({fix("a", {"node_modules/a"}), fix("b", {"node_modules/b"}),
                         fix("a", {"node_modules/a"}, "web/package-lock.json")},
                        job::Grouping::each),
            (Fixes{{1, 3}, {2}}));
}

TEST(GroupFixes, ThatTouchTheSameKeyGoTogetherThroughOthers) {
  EXPECT_EQ(
      group_fixes({fix("a", {"x"}), fix("b", {"y"}), fix("c", {"x", "y"})}, job::Grouping::each),
      (Fixes{{1, 2, 3}}));
  EXPECT_EQ(
      group_fixes({fix("a", {"x"}), fix("b", {"x"}, "web/package-lock.json")}, job::Grouping::each),
      (Fixes{{1}, {2}}));
}

report::Fix fix_by(plan::Strategy strategy, const std::string& package,
                   std::vector<std::string> touched) {
  report::Fix out = fix(package, std::move(touched));
  out.strategy = strategy;
  return out;
}

TEST(GroupFixes, WhatStaysInsideRangesGoesTogetherIfThatIsSafe) {
  using enum plan::Strategy;
  EXPECT_EQ(group_fixes({fix_by(direct_bump, "a", {"a"}), fix_by(relock, "b", {"b"}),
                         fix_by(override_rule, "c", {"c"}), fix_by(relock, "d", {"d"}),
                         fix_by(parent_bump, "e", {"e"}), fix_by(relock, "f", {"f"})},
                        job::Grouping::safe),
            (Fixes{{1}, {2, 4, 6}, {3}, {5}}));
}

/// Another branch would have half of what they need.
TEST(GroupFixes, WhatSharesSomethingWithAMoveBeyondRangesStaysWithIt) {
  using enum plan::Strategy;
  EXPECT_EQ(group_fixes({fix_by(relock, "a", {"x"}), fix_by(direct_bump, "b", {"x"}),
                         fix_by(relock, "c", {"c"}), fix_by(relock, "d", {"d"})},
                        job::Grouping::safe),
            (Fixes{{1, 2}, {3, 4}}));
}

TEST(GroupFixes, AllGoTogetherIfAsked) {
  EXPECT_EQ(group_fixes({fix("a", {"x"}), fix("b", {"y"})}, job::Grouping::one), (Fixes{{1, 2}}));
  EXPECT_EQ(group_fixes({}, job::Grouping::one), Fixes{});
}

report::Copy copy(const std::string& location, const std::string& advisory, std::size_t in) {
  report::Copy out;
  out.lockfile = "package-lock.json";
  out.location = location;
  out.advisory = advisory;
  out.fix = in;
  return out;
}

report::Case sample() {
  report::Case c;
  c.copies = {copy("node_modules/a", "CVE-1", 1), copy("node_modules/b", "CVE-2", 2),
              copy("node_modules/c", "CVE-3", 0)};
  c.branches = {{"codegenie/a", "", {1}}, {"codegenie/b", "", {2}}};
  return c;
}

TEST(Groups, AreTakenApartByLockfiles) {
  report::Case c;
  c.fixes = {fix("a", {"a"}), fix("a", {"a"}, "web/package-lock.json"), fix("b", {"b"})};
  c.copies = {copy("node_modules/a", "GHSA-1", 1), copy("node_modules/b", "GHSA-1", 3)};
  const auto [web, others] =
      split(c, Group{"g", {1, 2, 3}, {}, std::nullopt}, {"web/package-lock.json", "x"});
  EXPECT_EQ(web.fixes, std::vector<std::size_t>{2});
  EXPECT_EQ(others.fixes, (std::vector<std::size_t>{1, 3}));
  EXPECT_EQ(others.copies.size(), 2U);
  EXPECT_NE(web.id, others.id);
}

TEST(PlannedGroups, AreThoseOfTheBranches) {
  const std::vector<Group> groups = planned_groups(sample());
  ASSERT_EQ(groups.size(), 2U);
  EXPECT_EQ(groups[0].fixes, std::vector<std::size_t>{1});
  EXPECT_THAT(groups[0].copies, testing::ElementsAre("package-lock.json\nnode_modules/a\nCVE-1"));
  EXPECT_FALSE(groups[0].handed_on);
  EXPECT_NE(groups[0].id, groups[1].id);
}

TEST(PlannedGroups, ComeApartAndTogetherAgain) {
  report::Case c = sample();
  c.fixes = {fix("a", {"a"}), fix("b", {"b"}), fix("c", {"b"})};
  c.copies[2].fix = 3;
  c.branches = {{"codegenie/all", "", {1, 2, 3}}};
  const Group whole = planned_groups(c).front();
  const std::vector<Group> parts = parts_of(c, whole);
  ASSERT_EQ(parts.size(), 2U);
  EXPECT_THAT(parts[0].fixes, testing::ElementsAre(1));
  EXPECT_THAT(parts[1].fixes, testing::ElementsAre(2, 3));
  EXPECT_THAT(parts[1].copies, testing::ElementsAre("package-lock.json\nnode_modules/b\nCVE-2",
                                                    "package-lock.json\nnode_modules/c\nCVE-3"));
  c.fixes[0].touched.emplace_back(plan::kTouchesRules);
  c.fixes[1].touched.emplace_back(plan::kTouchesRules);
  EXPECT_EQ(parts_of(c, whole).size(), 2U);
  const Group again = joined(parts, {0, 1});
  EXPECT_EQ(again.id, whole.id);
  EXPECT_EQ(again.fixes, whole.fixes);
  EXPECT_EQ(joined(parts, {1}).id, parts[1].id);
}

/// A run that was killed is gone on with by this id: it may not depend on the fix.
TEST(PlannedGroups, AreNamedAfterTheirCopiesAlone) {
  report::Case other = sample();
  other.copies[0].to = "2.0.0";
  other.branches[0].name = "codegenie/other";
  std::swap(other.copies[0], other.copies[1]);
  EXPECT_EQ(planned_groups(other)[0].id, planned_groups(sample())[0].id);
  other.copies[1].location = "node_modules/z/node_modules/a";
  EXPECT_NE(planned_groups(other)[0].id, planned_groups(sample())[0].id);
}

}  // namespace
}  // namespace cg::propose
