// The tree of copies: who gets what, what may be put where, and taking changes back.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json/json.h"
#include "npm/resolve/shop.h"

namespace cg::resolve {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

using test::at;
using test::locations;
using test::read;
using test::Shop;

const char* kTwoLevels = R"("":{"name":"r","dependencies":{"a":"^1.0.0","b":"^1.0.0"}},)"
                         R"("node_modules/a":{"version":"1.0.0","dependencies":{"x":"^1.0.0"}},)"
                         R"("node_modules/b":{"version":"1.0.0","dependencies":{"x":"^2.0.0"}},)"
                         R"("node_modules/b/node_modules/x":{"version":"2.0.0"},)"
                         R"("node_modules/x":{"version":"1.0.0"})";

TEST(Tree, FindsWhoGetsWhichCopy) {
  const npm::Graph graph = read(kTwoLevels);
  Tree tree(graph, {});
  const auto outer = tree.askers(at(tree, "node_modules/x"));
  ASSERT_EQ(outer.size(), 1U);
  EXPECT_EQ(tree.location(outer[0].from), "node_modules/a");
  const auto inner = tree.askers(at(tree, "node_modules/b/node_modules/x"));
  ASSERT_EQ(inner.size(), 1U);
  EXPECT_EQ(tree.location(inner[0].from), "node_modules/b");
  EXPECT_THAT(unmet(tree), IsEmpty());
}

TEST(Tree, TakesEveryChangeBack) {
  const npm::Graph graph = read(kTwoLevels);
  Tree tree(graph, {});
  Shop shop;
  shop.publish("x", "1.5.0", R"(,"dependencies":{"y":"^1.0.0"})");
  shop.publish("y", "1.0.0");
  const auto before = locations(tree);
  const Tree::Mark mark = tree.mark();
  tree.put(at(tree, "node_modules/x"), *shop.at("x", "1.5.0").release,
           *shop.at("x", "1.5.0").version);
  ASSERT_TRUE(settle(tree, at(tree, "node_modules/x"), shop).has_value());
  tree.remove(at(tree, "node_modules/b"));
  tree.respec({tree.root(), 0}, "^9.0.0");
  tree.set_rule(make_rule({"x"}, "3.0.0"));
  EXPECT_NE(locations(tree), before);
  tree.roll_back(mark);
  EXPECT_EQ(locations(tree), before);
  EXPECT_TRUE(tree.rules().empty());
  EXPECT_THAT(unmet(tree), IsEmpty());
}

TEST(Place, WhatIsMissingGoesAsHighAsItDisturbsNobody) {
  const npm::Graph graph = read(kTwoLevels);
  Tree tree(graph, {});
  Shop shop;
  shop.publish("a", "1.1.0", R"(,"dependencies":{"x":"^2.0.0","z":"^1.0.0"})");
  shop.publish("x", "2.0.0");
  shop.publish("z", "1.2.3");
  const CopyId a = at(tree, "node_modules/a");
  const Tree::Mark mark = tree.mark();
  tree.put(a, *shop.at("a", "1.1.0").release, *shop.at("a", "1.1.0").version);
  ASSERT_TRUE(settle(tree, a, shop).has_value());
  prune(tree, mark);
  // Only a had x 1.0.0, so that moves; z is new and goes to the top.
  EXPECT_THAT(locations(tree), ElementsAre("node_modules/a 1.1.0", "node_modules/b 1.0.0",
                                           "node_modules/b/node_modules/x 2.0.0",
                                           "node_modules/x 2.0.0", "node_modules/z 1.2.3"));
  EXPECT_THAT(unmet(tree), IsEmpty());
}

TEST(Place, NeverShadowsWhatADependentHas) {
  // c asks for any x and has 1.0.0 from the top; an x 2.0.0 in its own folder's way
  // would take its place.
  const npm::Graph graph =
      read(R"("":{"name":"r","dependencies":{"c":"^1.0.0"}},)"
           R"("node_modules/c":{"version":"1.0.0","dependencies":{"d":"^1.0.0","x":"^1.0.0"}},)"
           R"("node_modules/d":{"version":"1.0.0"},)"
           R"("node_modules/x":{"version":"1.0.0"})");
  Tree tree(graph, {});
  Shop shop;
  shop.publish("d", "1.1.0", R"(,"dependencies":{"x":"^2.0.0"})");
  shop.publish("x", "2.0.0");
  const CopyId d = at(tree, "node_modules/d");
  tree.put(d, *shop.at("d", "1.1.0").release, *shop.at("d", "1.1.0").version);
  ASSERT_TRUE(settle(tree, d, shop).has_value());
  EXPECT_NE(at(tree, "node_modules/d/node_modules/x"), kNone);
  EXPECT_THAT(unmet(tree), IsEmpty());
}

TEST(Place, PeersAreMetOrTheTryFails) {
  const npm::Graph graph =
      read(R"("":{"name":"r","dependencies":{"host":"^1.0.0","plug":"^1.0.0"}},)"
           R"("node_modules/host":{"version":"1.0.0"},)"
           R"("node_modules/plug":{"version":"1.0.0","peerDependencies":{"host":"^1.0.0"}})");
  Tree tree(graph, {});
  Shop shop;
  shop.publish("plug", "1.1.0", R"(,"peerDependencies":{"host":"^2.0.0"})");
  shop.publish("host", "1.0.0");
  shop.publish("host", "2.0.0");
  const CopyId plug = at(tree, "node_modules/plug");
  tree.put(plug, *shop.at("plug", "1.1.0").release, *shop.at("plug", "1.1.0").version);
  const auto settled = settle(tree, plug, shop);
  ASSERT_FALSE(settled.has_value());
  EXPECT_EQ(settled.error().kind, Failure::Kind::peer);
}

TEST(Place, AnOptionalDependencyMayBeMissing) {
  const npm::Graph graph =
      read(R"("":{"name":"r","dependencies":{"a":"^1.0.0"}},"node_modules/a":{"version":"1.0.0"})");
  Tree tree(graph, {});
  Shop shop;
  shop.publish("a", "1.1.0", R"(,"optionalDependencies":{"gone":"^1.0.0"})");
  const CopyId a = at(tree, "node_modules/a");
  tree.put(a, *shop.at("a", "1.1.0").release, *shop.at("a", "1.1.0").version);
  EXPECT_TRUE(settle(tree, a, shop).has_value());
}

TEST(Prune, OptionalPeersKeepTheirEntries) {
  const npm::Graph graph = read(
      R"("":{"name":"r","dependencies":{"a":"^1.0.0","p":"^1.0.0"}},)"
      R"("node_modules/a":{"version":"1.0.0","dependencies":{"o":"^1.0.0"}},)"
      R"("node_modules/o":{"version":"1.0.0"},)"
      R"("node_modules/p":{"version":"1.0.0","peerDependencies":{"o":"*"},"peerDependenciesMeta":{"o":{"optional":true}}})");
  Tree tree(graph, {});
  Shop shop;
  shop.publish("a", "1.1.0");
  const Tree::Mark mark = tree.mark();
  const CopyId a = at(tree, "node_modules/a");
  tree.put(a, *shop.at("a", "1.1.0").release, *shop.at("a", "1.1.0").version);
  prune(tree, mark);
  EXPECT_NE(at(tree, "node_modules/o"), kNone);
}

TEST(Prune, CirclesThatNobodyReachesGo) {
  const npm::Graph graph =
      read(R"("":{"name":"r","dependencies":{"a":"^1.0.0"}},)"
           R"("node_modules/a":{"version":"1.0.0","dependencies":{"m":"^1.0.0"}},)"
           R"("node_modules/m":{"version":"1.0.0","dependencies":{"n":"^1.0.0"}},)"
           R"("node_modules/n":{"version":"1.0.0","dependencies":{"m":"^1.0.0"}})");
  Tree tree(graph, {});
  Shop shop;
  shop.publish("a", "1.1.0");
  const CopyId a = at(tree, "node_modules/a");
  tree.put(a, *shop.at("a", "1.1.0").release, *shop.at("a", "1.1.0").version);
  prune_unreachable(tree);
  EXPECT_THAT(locations(tree), ElementsAre("node_modules/a 1.1.0"));
}

TEST(Rules, KeysHaveANameAndMaybeARange) {
  EXPECT_EQ(split_key("a").name, "a");
  EXPECT_EQ(split_key("a@^1").range, "^1");
  EXPECT_EQ(split_key("@s/a").name, "@s/a");
  EXPECT_EQ(split_key("@s/a@1").range, "1");
}

TEST(Rules, AKeyWithARangeForcesItOnThePackageItself) {  // trap 8
  const auto value = json::parse_json(R"({"foo@<=20":{"bar":"2.0.0"}})");
  const Rules rules = read_rules(*value);
  ASSERT_EQ(rules.size(), 2U);
  EXPECT_EQ(rules[0].path, (std::vector<std::string>{"foo@<=20", "bar"}));
  EXPECT_EQ(rules[1].target, "foo");
  EXPECT_EQ(rules[1].value, "<=20");
}

TEST(Rules, AnOverrideDecidesWhatFits) {
  const npm::Graph graph = read(kTwoLevels);
  Tree tree(graph, read_rules(*json::parse_json(R"({"x@^2.0.0":"3.0.0"})")));
  const CopyId a = at(tree, "node_modules/a");
  const CopyId b = at(tree, "node_modules/b");
  const auto one = *semver::Version::parse("1.0.0");
  const auto three = *semver::Version::parse("3.0.0");
  EXPECT_TRUE(tree.takes(a, (*tree.copy(a).needs)[0], "x", one));
  EXPECT_FALSE(tree.takes(a, (*tree.copy(a).needs)[0], "x", three));
  EXPECT_TRUE(tree.takes(b, (*tree.copy(b).needs)[0], "x", three));
}

TEST(Flags, ComeFromWhoNeedsACopy) {
  const npm::Graph graph = read(
      R"("":{"name":"r","dependencies":{"a":"1"},"devDependencies":{"d":"1"},"optionalDependencies":{"o":"1"}},)"
      R"("node_modules/a":{"version":"1.0.0"},)"
      R"("node_modules/d":{"version":"1.0.0","dependencies":{"both":"1"}},)"
      R"("node_modules/o":{"version":"1.0.0","dependencies":{"both":"1"}},)"
      R"("node_modules/both":{"version":"1.0.0"})");
  Tree tree(graph, {});
  const auto flags = flags_of(tree);
  EXPECT_FALSE(flags[at(tree, "node_modules/a")].dev);
  EXPECT_TRUE(flags[at(tree, "node_modules/d")].dev);
  EXPECT_TRUE(flags[at(tree, "node_modules/o")].optional);
  EXPECT_TRUE(flags[at(tree, "node_modules/both")].dev_optional);
}

}  // namespace
}  // namespace cg::resolve
