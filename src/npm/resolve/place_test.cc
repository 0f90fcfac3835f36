// Placing: where what is missing goes, what moves for it, what fails, what goes away.
#include <gmock/gmock.h>

#include "base/json/json.h"
#include "npm/resolve/shop.h"

namespace cg::resolve {
namespace {

using test::at;
using test::locations;
using testing::ElementsAre;
using testing::IsEmpty;

class Placing : public testing::Test {
 protected:
  /// The copy at `place` becomes the version, and is settled.
  Result<Done, Failure> move(Tree& tree, const std::string& place, const std::string& version) {
    const CopyId id = at(tree, test::place(place));
    const Candidate candidate = shop_.at(std::string(tree.copy(id).package), version);
    tree.put(id, *candidate.release, *candidate.version);
    return settle(tree, id, shop_);
  }
  static Need need(Tree& tree, const std::string& from, std::size_t index = 0) {
    return (*tree.copy(at(tree, test::place(from))).needs)[index];
  }
  static std::vector<std::string> moved(const Tree& tree, Tree::Mark mark) {
    std::vector<std::string> out;
    for (const CopyId id : tree.touched(mark)) out.push_back(tree.location(id));
    return out;
  }

  test::Shop shop_;
};

TEST_F(Placing, LeavesWhatIsMetAlready) {
  const auto graph = test::written("a=^1.0.0", {"a 1.0.0", "x 1.0.0"});
  Tree tree(graph, {});
  shop_.stock("a", {"1.1.0 x=^1.0.0"});
  shop_.stock("x", {"1.5.0"});
  ASSERT_TRUE(move(tree, "a", "1.1.0"));
  EXPECT_THAT(locations(tree), ElementsAre("node_modules/a 1.1.0", "node_modules/x 1.0.0"));
}

TEST_F(Placing, MovesACopyThatEverybodyCanHaveNewer) {
  const auto graph =
      test::written("a=^1.0.0 b=^1.0.0", {"a 1.0.0", "b 1.0.0 x=>=1.0.0", "x 1.0.0"});
  Tree tree(graph, {});
  shop_.stock("a", {"1.1.0 x=^2.0.0"});
  shop_.stock("x", {"1.0.0", "2.0.0"});
  ASSERT_TRUE(move(tree, "a", "1.1.0"));
  EXPECT_THAT(locations(tree),
              ElementsAre("node_modules/a 1.1.0", "node_modules/b 1.0.0", "node_modules/x 2.0.0"));
  EXPECT_THAT(unmet(tree), IsEmpty());
}

TEST_F(Placing, NeverMovesACopyDown) {
  const auto graph =
      test::written("a=^1.0.0 b=^1.0.0", {"a 1.0.0", "b 1.0.0 x=>=1.0.0", "x 2.0.0"});
  Tree tree(graph, {});
  shop_.stock("a", {"1.1.0 x=^1.0.0"});
  shop_.stock("x", {"1.0.0", "2.0.0"});
  ASSERT_TRUE(move(tree, "a", "1.1.0"));
  EXPECT_THAT(locations(tree),
              ElementsAre("node_modules/a 1.1.0", "node_modules/a/node_modules/x 1.0.0",
                          "node_modules/b 1.0.0", "node_modules/x 2.0.0"));
}

TEST_F(Placing, PutsASecondCopyWhereOthersKeepTheirs) {
  const auto graph = test::written("a=^1.0.0 b=^1.0.0", {"a 1.0.0", "b 1.0.0 x=^1.0.0", "x 1.0.0"});
  Tree tree(graph, {});
  shop_.stock("a", {"1.1.0 x=^2.0.0"});
  shop_.stock("x", {"1.0.0", "2.0.0"});
  ASSERT_TRUE(move(tree, "a", "1.1.0"));
  EXPECT_THAT(locations(tree),
              ElementsAre("node_modules/a 1.1.0", "node_modules/a/node_modules/x 2.0.0",
                          "node_modules/b 1.0.0", "node_modules/x 1.0.0"));
  EXPECT_THAT(unmet(tree), IsEmpty());
}

TEST_F(Placing, HoistsNoFurtherThanTheFirstWhoWouldMind) {
  // g has a folder of its own; above it lies an x 1.0.0 that h asks for.
  const auto graph = test::written(
      "h=^1.0.0 p=^1.0.0", {"h 1.0.0 x=^1.0.0", "p 1.0.0 a=^1.0.0", "p>a 1.0.0", "x 1.0.0"});
  Tree tree(graph, {});
  shop_.stock("a", {"1.1.0 x=^2.0.0"});
  shop_.stock("x", {"1.0.0", "2.0.0"});
  ASSERT_TRUE(move(tree, "p>a", "1.1.0"));
  EXPECT_NE(at(tree, "node_modules/p/node_modules/x"), kNone);
  EXPECT_THAT(unmet(tree), IsEmpty());
}

TEST_F(Placing, HoistsPastThoseWhoHaveTheirOwn) {
  // q has its own y beneath it, so a y at the top disturbs nobody.
  const auto graph =
      test::written("a=^1.0.0 q=^1.0.0", {"a 1.0.0", "q 1.0.0 y=^1.0.0", "q>y 1.0.0"});
  Tree tree(graph, {});
  shop_.stock("a", {"1.1.0 y=^2.0.0"});
  shop_.stock("y", {"2.0.0"});
  ASSERT_TRUE(move(tree, "a", "1.1.0"));
  EXPECT_NE(at(tree, "node_modules/y"), kNone);
  EXPECT_THAT(unmet(tree), IsEmpty());
}

TEST_F(Placing, DoesNotHoistWhereSomebodyWhoHasNoneWouldRefuse) {
  // q misses its optional y; one at the top would be the wrong one for it.
  const auto graph = test::written("a=^1.0.0 q=^1.0.0", {"a 1.0.0", "q 1.0.0 opt:y=^1.0.0"});
  Tree tree(graph, {});
  shop_.stock("a", {"1.1.0 y=^2.0.0"});
  shop_.stock("y", {"2.0.0"});
  ASSERT_TRUE(move(tree, "a", "1.1.0"));
  EXPECT_NE(at(tree, "node_modules/a/node_modules/y"), kNone);
  EXPECT_THAT(unmet(tree), IsEmpty());
}

TEST_F(Placing, TriesTheNextCandidateWhereOneHasNeedsThatCannotBeMet) {
  const auto graph = test::written("a=^1.0.0", {"a 1.0.0"});
  Tree tree(graph, {});
  shop_.stock("a", {"1.1.0 x=^1.0.0"});
  shop_.stock("x", {"1.0.0", "1.1.0 missing=^1.0.0"});
  ASSERT_TRUE(move(tree, "a", "1.1.0"));
  EXPECT_THAT(locations(tree), ElementsAre("node_modules/a 1.1.0", "node_modules/x 1.0.0"));
}

TEST_F(Placing, ReplacesWithTheNextCandidateLikewise) {
  const auto graph = test::written("a=^1.0.0 x=>=1.0.0", {"a 1.0.0", "x 1.0.0"});
  Tree tree(graph, {});
  shop_.stock("a", {"1.1.0 x=^2.0.0"});
  shop_.stock("x", {"1.0.0", "2.0.0", "2.1.0 missing=^1.0.0"});
  ASSERT_TRUE(move(tree, "a", "1.1.0"));
  EXPECT_THAT(locations(tree), ElementsAre("node_modules/a 1.1.0", "node_modules/x 2.0.0"));
}

TEST_F(Placing, SaysWhatCannotBeMet) {
  const auto graph = test::written("a=^1.0.0", {"a 1.0.0"});
  Tree tree(graph, {});
  shop_.stock("a", {"1.1.0 x=^9.0.0"});
  const auto settled = move(tree, "a", "1.1.0");
  ASSERT_FALSE(settled);
  EXPECT_EQ(settled.error().kind, Failure::Kind::range);
  EXPECT_EQ(settled.error().what, "x ^9.0.0 for a 1.1.0");
}

TEST_F(Placing, CannotAddWhatIsInNoRegistry) {
  const auto graph = test::written("a=^1.0.0", {"a 1.0.0"});
  Tree tree(graph, {});
  shop_.stock("a", {"1.1.0 x=example/x", "1.2.0 opt:x=example/x"});
  const auto settled = move(tree, "a", "1.1.0");
  ASSERT_FALSE(settled);
  EXPECT_EQ(settled.error().kind, Failure::Kind::source);
}

TEST_F(Placing, KeepsWhatComesFromElsewhereAsItIs) {
  const auto graph = test::written("a=^1.0.0 x=example/x",
                                   {"a 1.0.0", "x 1.0.0 from:git+ssh://git@example/x.git#1"});
  Tree tree(graph, {});
  shop_.stock("a", {"1.1.0 x=^2.0.0"});
  shop_.stock("x", {"2.0.0"});
  // What the lock says of git is npm's business: it fits.
  ASSERT_TRUE(move(tree, "a", "1.1.0"));
  EXPECT_THAT(locations(tree), ElementsAre("node_modules/a 1.1.0", "node_modules/x 1.0.0"));
}

TEST_F(Placing, DropsItsOwnCopyWhereOneFurtherUpWillDo) {
  const auto graph =
      test::written("a=^1.0.0 x=^2.0.0", {"a 1.0.0 x=^1.0.0", "a>x 1.0.0", "x 2.0.0"});
  Tree tree(graph, {});
  shop_.stock("a", {"1.1.0 x=^2.0.0"});
  shop_.stock("x", {"1.0.0", "2.0.0"});
  ASSERT_TRUE(move(tree, "a", "1.1.0"));
  EXPECT_THAT(locations(tree), ElementsAre("node_modules/a 1.1.0", "node_modules/x 2.0.0"));
}

TEST_F(Placing, MovesItsOwnCopyWhereNothingFurtherUpWillDo) {
  const auto graph =
      test::written("a=^1.0.0 x=^1.0.0", {"a 1.0.0 x=^2.0.0", "a>x 2.0.0", "x 1.0.0"});
  Tree tree(graph, {});
  shop_.stock("a", {"1.1.0 x=^3.0.0"});
  shop_.stock("x", {"3.0.0"});
  ASSERT_TRUE(move(tree, "a", "1.1.0"));
  EXPECT_THAT(locations(tree),
              ElementsAre("node_modules/a 1.1.0", "node_modules/a/node_modules/x 3.0.0",
                          "node_modules/x 1.0.0"));
}

TEST_F(Placing, FailsWhereItsOwnCopyIsAskedForByOthers) {
  const auto graph =
      test::written("a=^1.0.0", {"a 1.0.0 b=^1.0.0 x=^1.0.0", "a>b 1.0.0 x=^1.0.0", "a>x 1.0.0"});
  Tree tree(graph, {});
  shop_.stock("a", {"1.1.0 b=^1.0.0 x=^2.0.0"});
  shop_.stock("x", {"2.0.0"});
  const auto settled = move(tree, "a", "1.1.0");
  ASSERT_FALSE(settled);
  EXPECT_EQ(settled.error().what, "x ^2.0.0 for a 1.1.0");
}

TEST_F(Placing, KeepsItsOwnCopyWhereOthersAskForIt) {
  // One further up would do for a, but not for b.
  const auto graph =
      test::written("a=^1.0.0 x=^2.0.0",
                    {"a 1.0.0 b=^1.0.0 x=^1.0.0", "a>b 1.0.0 x=^1.0.0", "a>x 1.0.0", "x 2.0.0"});
  Tree tree(graph, {});
  shop_.stock("a", {"1.1.0 b=^1.0.0 x=^2.0.0"});
  shop_.stock("x", {"2.0.0"});
  EXPECT_FALSE(move(tree, "a", "1.1.0"));
}

TEST_F(Placing, MovesACopyBesideRatherThanDroppingIt) {
  const auto graph = test::written(
      "p=^1.0.0 x=^2.0.0", {"p 1.0.0 a=^1.0.0", "p>a 1.0.0 x=^1.0.0", "p>x 1.0.0", "x 2.0.0"});
  Tree tree(graph, {});
  shop_.stock("a", {"1.1.0 x=^2.0.0"});
  shop_.stock("x", {"2.0.0", "2.5.0"});
  ASSERT_TRUE(move(tree, "p>a", "1.1.0"));
  EXPECT_EQ(tree.copy(at(tree, test::place("p>x"))).version->str(), "2.5.0");
}

TEST_F(Placing, PrunesByTheNumbersThatCopiesHaveNow) {
  const auto graph = test::written("a=^1.0.0", {"a 1.0.0 z=^1.0.0"});
  Tree tree(graph, {});
  shop_.stock("a", {"1.1.0"});
  shop_.stock("z", {"1.0.0"});
  shop_.stock("w", {"1.0.0"});
  const Candidate z = shop_.at("z", "1.0.0");
  const Candidate w = shop_.at("w", "1.0.0");
  const Tree::Mark mark = tree.mark();
  const CopyId taken_back = tree.add(tree.root(), tree.intern("z"), *z.release, *z.version);
  tree.roll_back(mark);
  ASSERT_TRUE(move(tree, "a", "1.1.0"));
  prune(tree, mark);  // nobody has the number of z any more
  EXPECT_EQ(tree.add(tree.root(), tree.intern("w"), *w.release, *w.version), taken_back);
  prune(tree, mark);  // w has it, and is no z
  EXPECT_NE(at(tree, "node_modules/w"), kNone);
}

TEST_F(Placing, PrunesWhatWasAddedAndIsOutOfReach) {
  const auto graph = test::written(
      "a=^1.0.0", {"a 1.0.0", "m 1.0.0 n=^1.0.0 +extraneous", "n 1.0.0 m=^1.0.0 +extraneous"});
  Tree tree(graph, {});
  shop_.stock("w", {"1.0.0"});
  const Candidate w = shop_.at("w", "1.0.0");
  tree.add(tree.root(), tree.intern("w"), *w.release, *w.version);
  prune_unreachable(tree);
  EXPECT_THAT(locations(tree),
              ElementsAre("node_modules/a 1.0.0", "node_modules/m 1.0.0", "node_modules/n 1.0.0"));
}

TEST_F(Placing, MeetsAPeerByMovingIt) {
  const auto graph = test::written("h=>=1.0.0 p=^1.0.0", {"h 1.0.0", "p 1.0.0"});
  Tree tree(graph, {});
  shop_.stock("p", {"1.1.0 peer:h=^2.0.0"});
  shop_.stock("h", {"1.0.0", "2.0.0"});
  ASSERT_TRUE(move(tree, "p", "1.1.0"));
  EXPECT_THAT(locations(tree), ElementsAre("node_modules/h 2.0.0", "node_modules/p 1.1.0"));
}

TEST_F(Placing, AddsAPeerThatIsMissingBesideWhoNeedsIt) {
  const auto graph = test::written("p=^1.0.0", {"p 1.0.0"});
  Tree tree(graph, {});
  shop_.stock("p", {"1.1.0 peer:h=^2.0.0"});
  shop_.stock("h", {"2.0.0"});
  ASSERT_TRUE(move(tree, "p", "1.1.0"));
  EXPECT_THAT(locations(tree), ElementsAre("node_modules/h 2.0.0", "node_modules/p 1.1.0"));
}

TEST_F(Placing, SaysThatAPeerCannotBeAdded) {
  const auto graph = test::written("p=^1.0.0", {"p 1.0.0"});
  Tree tree(graph, {});
  shop_.stock("p", {"1.1.0 peer:h=^2.0.0"});
  const auto settled = move(tree, "p", "1.1.0");
  ASSERT_FALSE(settled);
  EXPECT_EQ(settled.error().kind, Failure::Kind::peer);
  EXPECT_EQ(settled.error().what, "h ^2.0.0 for p 1.1.0");
}

TEST_F(Placing, LetsAnOptionalPeerBeMissingButNotWrong) {
  shop_.stock("p", {"1.1.0 maybe:h=^2.0.0"});
  shop_.stock("h", {"1.0.0", "2.0.0"});
  const auto without = test::written("p=^1.0.0", {"p 1.0.0"});
  Tree lacks(without, {});
  ASSERT_TRUE(move(lacks, "p", "1.1.0"));
  EXPECT_THAT(locations(lacks), ElementsAre("node_modules/p 1.1.0"));
  const auto with = test::written("h=>=1.0.0 p=^1.0.0", {"h 1.0.0", "p 1.0.0"});
  Tree has(with, {});
  const auto settled = move(has, "p", "1.1.0");
  ASSERT_FALSE(settled);
  EXPECT_EQ(settled.error().kind, Failure::Kind::peer);
}

TEST_F(Placing, LetsAnOptionalDependencyBeMissingButNotWrong) {
  shop_.stock("a", {"1.1.0 opt:x=^9.0.0"});
  const auto without = test::written("a=^1.0.0", {"a 1.0.0"});
  Tree lacks(without, {});
  EXPECT_TRUE(move(lacks, "a", "1.1.0"));
  const auto with = test::written("a=^1.0.0", {"a 1.0.0 opt:x=^1.0.0", "a>x 1.0.0"});
  Tree has(with, {});
  EXPECT_FALSE(move(has, "a", "1.1.0"));
}

TEST_F(Placing, TakesBackWhatAnOptionalDependencyHadAdded) {
  const auto graph = test::written("a=^1.0.0", {"a 1.0.0"});
  Tree tree(graph, {});
  shop_.stock("a", {"1.1.0 opt:x=^1.0.0"});
  shop_.stock("x", {"1.0.0 missing=^1.0.0"});
  ASSERT_TRUE(move(tree, "a", "1.1.0"));
  EXPECT_THAT(locations(tree), ElementsAre("node_modules/a 1.1.0"));
}

TEST_F(Placing, AddsWhatAnAliasStandsFor) {
  const auto graph = test::written("a=^1.0.0", {"a 1.0.0"});
  Tree tree(graph, {});
  shop_.stock("a", {"1.1.0 x=npm:y@^1.0.0"});
  shop_.stock("y", {"1.0.0"});
  ASSERT_TRUE(move(tree, "a", "1.1.0"));
  EXPECT_EQ(tree.copy(at(tree, "node_modules/x")).package, "y");
}

TEST_F(Placing, AddsWhatARuleAsksFor) {
  const auto graph = test::written("a=^1.0.0 b=^2.0.0", {"a 1.0.0", "b 2.0.0"});
  shop_.stock("a", {"1.1.0 x=^1.0.0 y=^1.0.0"});
  shop_.stock("x", {"1.0.0", "3.0.0"});
  shop_.stock("y", {"1.0.0", "2.0.0"});
  Tree tree(graph, read_rules(*json::parse_json(R"({"x":"3.0.0"})")));
  ASSERT_TRUE(move(tree, "a", "1.1.0"));
  EXPECT_NE(at(tree, "node_modules/x"), kNone);
  EXPECT_EQ(tree.copy(at(tree, "node_modules/x")).version->str(), "3.0.0");
  EXPECT_EQ(tree.copy(at(tree, "node_modules/y")).version->str(), "1.0.0");
}

TEST_F(Placing, LeavesWhatLiesInsideAnotherPackage) {
  const auto graph = test::written(
      "p=^1.0.0", {"p 1.0.0 a=^1.0.0 x=^1.0.0 bundle:x", "p>a 1.0.0", "p>x 1.0.0 +bundled"});
  Tree tree(graph, {});
  shop_.stock("a", {"1.1.0 x=^2.0.0"});
  shop_.stock("x", {"2.0.0"});
  // A bundled copy fits, whatever it is.
  ASSERT_TRUE(move(tree, "p>a", "1.1.0"));
  EXPECT_NE(at(tree, "node_modules/p/node_modules/x"), kNone);
}

TEST_F(Placing, StopsAtSixtyFourLevelsAndTwoHundredAndFiftySixAdditions) {
  const auto chain = [&](int count) {
    test::Shop shop;
    std::swap(shop, shop_);
    shop_.stock("a", {"1.1.0 n1=^1.0.0"});
    for (int i = 1; i <= count; ++i) {
      const std::string next = "n" + std::to_string(i + 1);
      shop_.stock("n" + std::to_string(i), {i < count ? "1.0.0 " + next + "=^1.0.0" : "1.0.0"});
    }
    const auto graph = test::written("a=^1.0.0", {"a 1.0.0"});
    Tree tree(graph, {});
    return move(tree, "a", "1.1.0");
  };
  EXPECT_TRUE(chain(kMaxNested));
  const auto deep = chain(kMaxNested + 1);
  ASSERT_FALSE(deep);
  EXPECT_EQ(deep.error().kind, Failure::Kind::limit);
  const auto wide = [&](int count) {
    test::Shop shop;
    std::swap(shop, shop_);
    std::string needs;
    for (int i = 1; i <= count; ++i) {
      shop_.stock("n" + std::to_string(i), {"1.0.0"});
      needs += " n" + std::to_string(i) + "=^1.0.0";
    }
    shop_.stock("a", {"1.1.0" + needs});
    const auto graph = test::written("a=^1.0.0", {"a 1.0.0"});
    Tree tree(graph, {});
    return move(tree, "a", "1.1.0");
  };
  EXPECT_TRUE(wide(kMaxAdded));
  const auto many = wide(kMaxAdded + 1);
  ASSERT_FALSE(many);
  EXPECT_EQ(many.error().kind, Failure::Kind::limit);
}

TEST_F(Placing, GivesUpASearchThatBranchesWithoutEnd) {
  // Three versions of each need the next package, and the last need cannot be met: without a
  // bound every one of three to the twelfth ways would be tried.
  const auto graph = test::written("a=^1.0.0", {"a 1.0.0"});
  Tree tree(graph, {});
  shop_.stock("a", {"1.1.0 n0=^1.0.0"});
  for (int i = 0; i < 12; ++i) {
    const std::string next = " n" + std::to_string(i + 1) + "=^1.0.0";
    shop_.stock("n" + std::to_string(i), {"1.0.0" + next, "1.1.0" + next, "1.2.0" + next});
  }
  const auto moved = move(tree, "a", "1.1.0");
  ASSERT_FALSE(moved);
  EXPECT_EQ(moved.error().kind, Failure::Kind::limit);
  EXPECT_EQ(moved.error().what, "n0 ^1.0.0 for a 1.1.0; more than 2000 placements were tried");
}

TEST_F(Placing, PrunesWhatNobodyAsksForSinceTheMark) {
  const auto graph =
      test::written("a=^1.0.0 b=^1.0.0", {"a 1.0.0 x=^1.0.0 y=^1.0.0", "b 1.0.0 y=^1.0.0",
                                          "stale 1.0.0", "x 1.0.0 z=^1.0.0", "y 1.0.0", "z 1.0.0"});
  Tree tree(graph, {});
  shop_.stock("a", {"1.1.0"});
  const Tree::Mark mark = tree.mark();
  ASSERT_TRUE(move(tree, "a", "1.1.0"));
  prune(tree, mark);
  EXPECT_THAT(locations(tree), ElementsAre("node_modules/a 1.1.0", "node_modules/b 1.0.0",
                                           "node_modules/stale 1.0.0", "node_modules/y 1.0.0"));
  EXPECT_THAT(moved(tree, mark), ElementsAre("node_modules/a", "node_modules/x", "node_modules/z"));
}

TEST_F(Placing, PrunesNothingThatWasAskedForByNobodyBefore) {
  // p's own copy of x is stale: p asks for none.
  const auto graph =
      test::written("a=^1.0.0 p=^1.0.0", {"a 1.0.0 x=^1.0.0", "p 1.0.0", "p>x 1.0.0", "x 1.0.0"});
  Tree tree(graph, {});
  shop_.stock("a", {"1.1.0"});
  const Tree::Mark mark = tree.mark();
  ASSERT_TRUE(move(tree, "a", "1.1.0"));
  prune(tree, mark);
  EXPECT_THAT(locations(tree), ElementsAre("node_modules/a 1.1.0", "node_modules/p 1.0.0",
                                           "node_modules/p/node_modules/x 1.0.0"));
}

TEST_F(Placing, PrunesWhatItAddedItself) {
  const auto graph = test::written("a=^1.0.0", {"a 1.0.0"});
  Tree tree(graph, {});
  shop_.stock("a", {"1.1.0 x=^1.0.0", "1.2.0"});
  shop_.stock("x", {"1.0.0"});
  const Tree::Mark mark = tree.mark();
  ASSERT_TRUE(move(tree, "a", "1.1.0"));
  ASSERT_TRUE(move(tree, "a", "1.2.0"));
  prune(tree, mark);
  EXPECT_THAT(locations(tree), ElementsAre("node_modules/a 1.2.0"));
}

TEST_F(Placing, KeepsLinksAndWhatOthersCarryInside) {
  const auto graph = test::written(
      "a=^1.0.0 workspaces:packages/*",
      {"packages/w - x=^1.0.0", "w - link:packages/w", "a 1.0.0 p=^1.0.0 w=^1.0.0",
       "p 1.0.0 x=^1.0.0 bundle:x", "p>x 1.0.0 +bundled", "x 1.0.0", "loose 1.0.0 +extraneous"});
  Tree tree(graph, {});
  shop_.stock("a", {"1.1.0"});
  const Tree::Mark mark = tree.mark();
  ASSERT_TRUE(move(tree, "a", "1.1.0"));
  prune(tree, mark);
  EXPECT_THAT(locations(tree), ElementsAre("node_modules/a 1.1.0", "node_modules/loose 1.0.0",
                                           "node_modules/w ", "node_modules/x 1.0.0"));
  prune_unreachable(tree);
  EXPECT_THAT(locations(tree), ElementsAre("node_modules/a 1.1.0", "node_modules/loose 1.0.0",
                                           "node_modules/w ", "node_modules/x 1.0.0"));
}

TEST_F(Placing, NamesWhatIsNotMet) {
  const auto graph = test::written("a=^2.0.0 b=^1.0.0 opt:c=^1.0.0 opt:e=^2.0.0",
                                   {"a 1.0.0 maybe:m=^1.0.0 peer:n=^1.0.0", "e 1.0.0",
                                    "p 1.0.0 q=^1.0.0 bundle:q", "p>q 1.0.0 r=^1.0.0 +bundled"});
  Tree tree(graph, {});
  EXPECT_THAT(unmet(tree),
              ElementsAre(" a ^2.0.0", " b ^1.0.0", " e ^2.0.0", "node_modules/a n ^1.0.0"));
}

}  // namespace
}  // namespace cg::resolve
