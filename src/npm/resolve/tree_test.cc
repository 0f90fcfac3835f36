// The tree: who gets what, which rule decides, what flags follow, and taking changes back.
#include <gmock/gmock.h>

#include "base/json/json.h"
#include "npm/resolve/shop.h"

namespace cg::resolve {
namespace {

using test::at;
using test::locations;
using testing::ElementsAre;
using testing::IsEmpty;

Rules rules(const char* json) { return read_rules(*json::parse_json(json)); }
semver::Version version(const char* text) { return *semver::Version::parse(text); }

std::vector<std::string> asking(const Tree& tree, const std::string& place) {
  std::vector<std::string> out;
  for (const Asker& asker : tree.askers(at(tree, test::place(place)))) {
    out.push_back(tree.location(asker.from) + " " + std::string(tree.need(asker).spec));
  }
  return out;
}

TEST(Want, IsARangeAnythingSomethingElseOrNothing) {
  using Kind = Want::Kind;
  const struct {
    const char* spec;
    Kind kind;
    const char* name;
    const char* tag;
  } cases[] = {
      {"^1.0.0", Kind::range, "", ""},
      {"", Kind::any, "", ""},
      {"*", Kind::any, "", ""},
      {" * ", Kind::any, "", ""},
      {"latest", Kind::any, "", "latest"},
      {"npm:b@^1.0.0", Kind::range, "b", ""},
      {"npm:b", Kind::any, "b", ""},
      {"npm:b@next", Kind::any, "b", "next"},
      {"example/a", Kind::fixed, "", ""},
      {"file:../a", Kind::fixed, "", ""},
      {"workspace:^", Kind::fixed, "", ""},
      {"https://registry.example/a.tgz", Kind::fixed, "", ""},
      {"npm:b@npm:c@1", Kind::fixed, "b", ""},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.spec);
    const Want want = parse_want(c.spec);
    EXPECT_EQ(want.kind, c.kind);
    EXPECT_EQ(want.name, c.name);
    EXPECT_EQ(want.tag, c.tag);
    EXPECT_EQ(want.takes(version("1.5.0")), c.kind == Kind::any || c.kind == Kind::range);
    EXPECT_EQ(want.takes(version("2.0.0")), c.kind == Kind::any);
  }
  EXPECT_EQ(parse_want("npm:b@^1.0.0").text, "^1.0.0");
}

TEST(Want, IsParsedOnce) {
  Ranges ranges;
  EXPECT_EQ(&ranges.get("^1.0.0"), &ranges.get("^1.0.0"));
  EXPECT_NE(&ranges.get("^1.0.0"), &ranges.get("^1.0.1"));
}

TEST(Rules, ReadsWhatIsTextOrObject) {
  const Rules all =
      rules(R"({"a":"1","b":{".":"2","c@^1":"3","@s/d":{"e":"4"}},"f":5,"g":{".":6}})");
  ASSERT_EQ(all.size(), 4U);
  EXPECT_EQ(all[0].target, "a");
  EXPECT_EQ(all[1].path, std::vector<std::string>{"b"});
  EXPECT_EQ(all[1].value, "2");
  EXPECT_EQ(all[2].target, "c");
  EXPECT_EQ(all[2].key, "^1");
  EXPECT_EQ(all[2].parents, std::vector<std::string>{"b"});
  EXPECT_EQ(all[3].parents, (std::vector<std::string>{"b", "@s/d"}));
  EXPECT_FALSE(all[3].own);
  EXPECT_THAT(rules("[]"), IsEmpty());
  EXPECT_THAT(rules("null"), IsEmpty());
}

TEST(Rules, ADotTakesThePlaceOfTheRangeOfAKey) {  // trap 8
  const Rules all = rules(R"({"foo@<=20":{".":"21.0.0","bar":"2.0.0"},"baz":{"bar":"1"}})");
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0].target, "foo");
  EXPECT_EQ(all[0].value, "21.0.0");
  EXPECT_EQ(all[1].target, "bar");
  EXPECT_EQ(all[2].target, "bar");
}

TEST(Rules, AreReadSeventeenLevelsDeep) {
  const auto nested = [](int levels) {
    std::string json = "\"1\"";
    for (int i = 0; i < levels; ++i) json = "{\"a\":" + json + "}";
    return rules(json.c_str()).size();
  };
  EXPECT_EQ(nested(17), 1U);
  EXPECT_EQ(nested(18), 0U);
}

TEST(Rules, ApplyToANameAndItsRange) {
  const auto graph = test::written("a=^1.0.0 b=latest c=example/x",
                                   {"a 1.0.0 x=^1.0.0 y=^1.0.0", "x 1.0.0", "y 1.0.0"});
  const struct {
    const char* json;
    bool applies;
  } cases[] = {
      {R"({"x":"3.0.0"})", true},         {R"({"x@*":"3.0.0"})", true},
      {R"({"x@^1.0.0":"3.0.0"})", true},  {R"({"x@1.5.0":"3.0.0"})", true},
      {R"({"x@^2.0.0":"3.0.0"})", false}, {R"({"y":"3.0.0"})", false},
      {R"({"x@latest":"3.0.0"})", true},  {R"({"a":{"x":"3.0.0"}})", true},
      {R"({"y":{"x":"3.0.0"}})", false},  {R"({"a":{"y":"3.0.0"}})", false},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.json);
    Tree tree(graph, rules(c.json));
    const CopyId a = at(tree, "node_modules/a");
    const Need x = (*tree.copy(a).needs)[0];
    EXPECT_EQ(tree.rule_for(a, x) != nullptr, c.applies);
    EXPECT_EQ(tree.takes(a, x, "x", version("3.0.0")), c.applies);
    EXPECT_EQ(tree.takes(a, x, "x", version("1.0.0")), !c.applies);
  }
}

TEST(Rules, ARangeOfAKeyDoesNotSpeakOfWhatIsNoRange) {
  const auto graph = test::written("b=latest c=example/c", {"b 1.0.0", "c 1.0.0"});
  Tree tree(graph, rules(R"({"b@^1.0.0":"3.0.0","c@^1.0.0":"3.0.0"})"));
  const auto& needs = *tree.copy(tree.root()).needs;
  EXPECT_NE(tree.rule_for(tree.root(), needs[0]), nullptr);
  EXPECT_EQ(tree.rule_for(tree.root(), needs[1]), nullptr);
}

TEST(Rules, OfAParentSpeakOfEverythingBeneathIt) {
  const auto graph = test::written("a=^1.0.0 d=^1.0.0",
                                   {"a 1.0.0 b=^1.0.0", "b 1.0.0 a=^1.0.0 x=^1.0.0 missing=^1.0.0",
                                    "d 1.0.0 x=^1.0.0", "x 1.0.0"});
  Tree tree(graph, rules(R"({"a":{"x":"3.0.0"}})"));
  const CopyId b = at(tree, "node_modules/b");
  const CopyId d = at(tree, "node_modules/d");
  EXPECT_NE(tree.rule_for(b, (*tree.copy(b).needs)[1]), nullptr);
  EXPECT_EQ(tree.rule_for(d, (*tree.copy(d).needs)[0]), nullptr);
}

TEST(Rules, TheInnermostDecides) {
  const auto graph = test::written("a=^1.0.0", {"a 1.0.0 x=^1.0.0", "x 1.0.0"});
  for (const char* json :
       {R"({"x":"2.0.0","a":{"x":"3.0.0"}})", R"({"a":{"x":"3.0.0"},"x":"2.0.0"})"}) {
    Tree tree(graph, rules(json));
    const CopyId a = at(tree, "node_modules/a");
    EXPECT_EQ(tree.rule_for(a, (*tree.copy(a).needs)[0])->value, "3.0.0");
  }
  Tree tree(graph, rules(R"({"x":"2.0.0","x@^1.0.0":"3.0.0"})"));
  const CopyId a = at(tree, "node_modules/a");
  EXPECT_EQ(tree.rule_for(a, (*tree.copy(a).needs)[0])->value, "2.0.0");
}

TEST(Rules, ADollarStandsForWhatTheRootAsksFor) {
  const auto graph = test::written("a=^1.0.0 x=^3.0.0", {"a 1.0.0 x=^1.0.0", "x 3.0.0"});
  Tree tree(graph, rules(R"({"x":"$x"})"));
  const CopyId a = at(tree, "node_modules/a");
  const Need x = (*tree.copy(a).needs)[0];
  EXPECT_TRUE(tree.takes(a, x, "x", version("3.1.0")));
  EXPECT_FALSE(tree.takes(a, x, "x", version("1.0.0")));
  // What stands for nothing is a tag, which takes anything.
  Tree other(graph, rules(R"({"x":"$y"})"));
  EXPECT_TRUE(other.takes(a, x, "x", version("1.0.0")));
}

TEST(Rules, AValueWithoutADollarStandsForItself) {
  const auto graph = test::written("a=^1.0.0 atest=^3.0.0", {"a 1.0.0 x=^1.0.0", "x 1.0.0"});
  Tree tree(graph, rules(R"({"x":"latest"})"));
  const CopyId a = at(tree, "node_modules/a");
  EXPECT_TRUE(tree.takes(a, (*tree.copy(a).needs)[0], "x", version("1.0.0")));
}

TEST(Rules, OfAParentSpeakOfNothingThatCameLater) {
  const auto graph = test::written("a=^1.0.0", {"a 1.0.0 x=^1.0.0", "x 1.0.0"});
  Tree tree(graph, rules(R"({"a":{"x":"2.0.0"}})"));
  const CopyId a = at(tree, "node_modules/a");
  tree.set_rule(make_rule({"root", "a", "x"}, "4.0.0"));
  EXPECT_EQ(tree.rule_for(a, (*tree.copy(a).needs)[0])->value, "2.0.0");
  test::Shop shop;
  shop.stock("b", {"1.0.0 x=^1.0.0"});
  const Candidate b = shop.at("b", "1.0.0");
  const CopyId added = tree.add(a, tree.intern("b"), *b.release, *b.version);
  EXPECT_EQ(tree.rule_for(added, (*tree.copy(added).needs)[0]), nullptr);
}

TEST(Rules, AreSetDroppedAndTakenBack) {
  const auto graph = test::written("a=^1.0.0", {"a 1.0.0 x=^1.0.0", "x 1.0.0"});
  Tree tree(graph, rules(R"({"x":"2.0.0","y":"1.0.0"})"));
  const Tree::Mark mark = tree.mark();
  tree.set_rule(make_rule({"x"}, "3.0.0"));
  EXPECT_EQ(tree.rules().size(), 2U);
  EXPECT_EQ(tree.rules()[0].value, "3.0.0");
  tree.set_rule(make_rule({"a", "x"}, "4.0.0"));
  EXPECT_EQ(tree.rules().size(), 3U);
  tree.drop_rule({"y"});
  EXPECT_EQ(tree.rules()[1].target, "");
  EXPECT_EQ(tree.rules()[0].target, "x");
  tree.roll_back(mark);
  EXPECT_EQ(tree.rules(), rules(R"({"x":"2.0.0","y":"1.0.0"})"));
}

TEST(Tree, FitsWhatIsAskedForUnderItsRealName) {
  const auto graph = test::written("b=npm:a@^1.0.0 c=^1.0.0", {"b 1.0.0 real:a", "c 1.0.0 real:d"});
  Tree tree(graph, {});
  const auto& needs = *tree.copy(tree.root()).needs;
  EXPECT_TRUE(tree.fits(tree.root(), needs[0], at(tree, "node_modules/b")));
  EXPECT_FALSE(tree.fits(tree.root(), needs[1], at(tree, "node_modules/c")));
}

TEST(Tree, LeavesWhatIsNotOfTheRegistryToNpm) {
  const auto graph =
      test::written("g=^9.0.0 p=^1.0.0 f=https://registry.example/f.tgz n=^9.0.0",
                    {"g 1.0.0 from:git+ssh://git@example/g.git#1", "p 1.0.0 x=^9.0.0 bundle:x",
                     "p>x 1.0.0 +bundled", "f 1.0.0", "n -"});
  Tree tree(graph, {});
  EXPECT_THAT(unmet(tree), IsEmpty());
  test::Shop shop;
  shop.stock("f", {"2.0.0"});
  const Candidate f = shop.at("f", "2.0.0");
  tree.put(at(tree, "node_modules/f"), *f.release, *f.version);
  EXPECT_THAT(unmet(tree), ElementsAre(" f https://registry.example/f.tgz"));
}

TEST(Tree, LooksForPeersBesideAndForTheRestBeneath) {
  const auto graph = test::written("h=^1.0.0 p=^1.0.0 peer:k=^1.0.0",
                                   {"h 1.0.0", "k 1.0.0", "p 1.0.0 peer:h=^1.0.0 x=^1.0.0",
                                    "p>h 2.0.0", "p>x 1.0.0", "x 2.0.0"});
  Tree tree(graph, {});
  EXPECT_THAT(asking(tree, "h"), ElementsAre(" ^1.0.0", "node_modules/p ^1.0.0"));
  EXPECT_THAT(asking(tree, "p>h"), IsEmpty());
  EXPECT_THAT(asking(tree, "p>x"), ElementsAre("node_modules/p ^1.0.0"));
  EXPECT_THAT(asking(tree, "x"), IsEmpty());
  EXPECT_THAT(asking(tree, "k"), ElementsAre(" ^1.0.0"));
}

TEST(Tree, FindsTheHolderOfEveryFolder) {
  const auto graph =
      test::written("workspaces:packages/*",
                    {"packages/w - x=^1.0.0", "w - link:packages/w", "packages/w/deep/inner -",
                     "inner - link:packages/w/deep/inner", "packages/w/node_modules/x 1.0.0",
                     "packages/w/node_modules/x/node_modules/y 1.0.0", "z 1.0.0"});
  Tree tree(graph, {});
  const auto holder = [&](const char* location) {
    return tree.location(tree.copy(at(tree, location)).holder);
  };
  EXPECT_EQ(holder("packages/w"), "");
  EXPECT_EQ(holder("packages/w/deep/inner"), "packages/w");
  EXPECT_EQ(holder("packages/w/node_modules/x"), "packages/w");
  EXPECT_EQ(holder("packages/w/node_modules/x/node_modules/y"), "packages/w/node_modules/x");
  EXPECT_EQ(holder("node_modules/z"), "");
  EXPECT_EQ(tree.copy(at(tree, "node_modules/w")).target, at(tree, "packages/w"));
  EXPECT_TRUE(tree.is_within(at(tree, "packages/w/node_modules/x"), at(tree, "packages/w")));
  EXPECT_TRUE(tree.is_within(at(tree, "packages/w"), at(tree, "packages/w")));
  EXPECT_FALSE(tree.is_within(at(tree, "node_modules/z"), at(tree, "packages/w")));
}

TEST(Tree, KnowsWhatIsDictated) {
  const auto graph = test::written(
      "own=^1.0.0 p=^1.0.0 bundle:own",
      {"own 1.0.0 x=^1.0.0 +bundled", "own>x 1.0.0 +bundled", "p 1.0.0 b=^1.0.0 bundle:b",
       "p>b 1.0.0 +bundled", "p>b>c 1.0.0 +bundled", "p>d 1.0.0"});
  Tree tree(graph, {});
  EXPECT_FALSE(tree.copy(at(tree, "node_modules/own")).dictated);
  EXPECT_FALSE(tree.copy(at(tree, test::place("own>x"))).dictated);
  EXPECT_TRUE(tree.copy(at(tree, test::place("p>b"))).dictated);
  EXPECT_TRUE(tree.copy(at(tree, test::place("p>b>c"))).dictated);
  EXPECT_FALSE(tree.copy(at(tree, test::place("p>d"))).dictated);
}

TEST(Tree, AddsAndRemovesAndTakesBack) {
  const auto graph = test::written(
      "a=^1.0.0", {"a 1.0.0 x=^1.0.0", "a>x 1.0.0 y=^1.0.0", "a>x>y 1.0.0", "x 2.0.0"});
  Tree tree(graph, {});
  test::Shop shop;
  shop.stock("z", {"1.0.0 x=^2.0.0"});
  const Candidate z = shop.at("z", "1.0.0");
  const auto before = locations(tree);
  const Tree::Mark mark = tree.mark();
  const CopyId a = at(tree, "node_modules/a");
  const CopyId added = tree.add(a, tree.intern("z"), *z.release, *z.version);
  EXPECT_EQ(tree.location(added), "node_modules/a/node_modules/z");
  EXPECT_EQ(tree.child(a, tree.intern("z")), added);
  EXPECT_THAT(asking(tree, "a>x"),
              ElementsAre("node_modules/a ^1.0.0", "node_modules/a/node_modules/z ^2.0.0"));
  tree.remove(at(tree, test::place("a>x")));
  EXPECT_EQ(at(tree, test::place("a>x>y")), kNone);
  EXPECT_THAT(asking(tree, "x"),
              ElementsAre("node_modules/a ^1.0.0", "node_modules/a/node_modules/z ^2.0.0"));
  EXPECT_EQ(tree.touched(mark).size(), 3U);  // z, x and y; a only got and lost a child
  tree.roll_back(mark);
  EXPECT_EQ(locations(tree), before);
  EXPECT_THAT(tree.touched(mark), IsEmpty());
  EXPECT_THAT(asking(tree, "a>x"), ElementsAre("node_modules/a ^1.0.0"));
  EXPECT_THAT(asking(tree, "x"), IsEmpty());
  // The number of what was taken back is given to another, which asks for other things.
  shop.stock("w", {"1.0.0 y=^1.0.0"});
  const Candidate w = shop.at("w", "1.0.0");
  EXPECT_EQ(tree.add(a, tree.intern("w"), *w.release, *w.version), added);
  EXPECT_THAT(asking(tree, "a>x"), ElementsAre("node_modules/a ^1.0.0"));
}

TEST(Tree, RespecsOneRequestOfAnImporter) {
  const auto graph = test::written("a=^1.0.0 b=^1.0.0", {"a 1.0.0", "b 1.0.0"});
  Tree tree(graph, {});
  const Tree::Mark mark = tree.mark();
  tree.respec({tree.root(), 1}, "^2.0.0");
  EXPECT_THAT(unmet(tree), ElementsAre(" b ^2.0.0"));
  EXPECT_TRUE(tree.copy(tree.root()).respecced);
  EXPECT_THAT(tree.touched(mark), ElementsAre(tree.root()));
  tree.roll_back(mark);
  EXPECT_FALSE(tree.copy(tree.root()).respecced);
  EXPECT_THAT(unmet(tree), IsEmpty());
}

TEST(Tree, TellsWhatWasNeededBefore) {
  const auto graph =
      test::written("a=^1.0.0 b=^1.0.0",
                    {"a 1.0.0 x=^1.0.0 y=^1.0.0", "b 1.0.0 y=^1.0.0 z=^1.0.0", "c 1.0.0 w=^1.0.0"});
  Tree tree(graph, {});
  test::Shop shop;
  shop.stock("a", {"1.1.0"});
  const Candidate a = shop.at("a", "1.1.0");
  const Tree::Mark mark = tree.mark();
  EXPECT_THAT(tree.needed_before(mark), IsEmpty());
  tree.put(at(tree, "node_modules/a"), *a.release, *a.version);
  tree.remove(at(tree, "node_modules/b"));
  std::vector<std::string> names;
  for (const NameId name : tree.needed_before(mark)) names.emplace_back(tree.name(name));
  EXPECT_THAT(names, testing::UnorderedElementsAre("x", "y", "z"));
}

TEST(Flags, OfEveryCombination) {
  const auto graph =
      test::written("a=1.0.0 dev:d=1.0.0 opt:o=1.0.0 peer:p=1.0.0 workspaces:packages/*",
                    {"a 1.0.0 x=1.0.0", "d 1.0.0 x=1.0.0 y=1.0.0 z=1.0.0", "o 1.0.0 y=1.0.0",
                     "p 1.0.0 z=1.0.0 q=1.0.0", "x 1.0.0", "y 1.0.0", "z 1.0.0", "q 1.0.0",
                     "packages/w - v=1.0.0", "w - link:packages/w", "v 1.0.0", "stale 1.0.0"});
  Tree tree(graph, {});
  const auto flags = flags_of(tree);
  const auto words = [&](const char* place) {
    const npm::Flags& f = flags[at(tree, test::place(place))];
    return std::string(f.dev ? "dev " : "") + (f.optional ? "optional " : "") +
           (f.dev_optional ? "devOptional " : "") + (f.peer ? "peer " : "") +
           (f.extraneous ? "extraneous " : "");
  };
  EXPECT_EQ(words("a"), "");
  EXPECT_EQ(words("d"), "dev ");
  EXPECT_EQ(words("o"), "optional ");
  EXPECT_EQ(words("p"), "peer ");
  EXPECT_EQ(words("x"), "");
  EXPECT_EQ(words("y"), "devOptional ");
  EXPECT_EQ(words("z"), "");
  EXPECT_EQ(words("q"), "peer ");
  EXPECT_EQ(words("v"), "");
  EXPECT_EQ(words("w"), "extraneous ");
  EXPECT_EQ(words("stale"), "extraneous ");
  EXPECT_FALSE(flags[at(tree, "packages/w")].extraneous);
}

}  // namespace
}  // namespace cg::resolve
