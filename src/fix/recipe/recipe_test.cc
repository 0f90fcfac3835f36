#include "fix/recipe/recipe.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fix/recipe/fields.h"

namespace cg::recipe {
namespace {

using npm::LockKind;
using testing::ElementsAre;
using testing::HasSubstr;

std::string yaml_of(const std::string& id, int precedence, const std::string& strategy,
                    const std::string& locks, const std::string& limits = "") {
  return "schema: codegenie/recipe/v1\nid: " + id +
         "\nversion: 3\nsummary: Says what it does.\nprecedence: " + std::to_string(precedence) +
         "\nstrategy: " + strategy + "\nlocks: [" + locks + "]\n" + limits;
}

Recipe recipe(const std::string& id, int precedence, const std::string& strategy,
              const std::string& locks = "package-lock", const std::string& limits = "") {
  return *parse_recipe(yaml_of(id, precedence, strategy, locks, limits));
}

std::vector<std::string> ids(const std::vector<Recipe>& recipes) {
  std::vector<std::string> out;
  for (const Recipe& one : recipes) out.push_back(one.id);
  return out;
}

TEST(Recipe, SaysWhatItsFileSays) {
  const auto read =
      parse_recipe(yaml_of("npm-override", 50, "override", "npm-shrinkwrap, package-lock",
                           "limits:\n  max_moved: 7\n  expiry_days: 30\n  across_major: allow\n"));
  ASSERT_TRUE(read) << read.error().what;
  EXPECT_EQ(read->id, "npm-override");
  EXPECT_EQ(read->label(), "npm-override@3");
  EXPECT_EQ(read->precedence, 50);
  EXPECT_EQ(read->strategy, "override");
  EXPECT_THAT(read->locks, ElementsAre(LockKind::package_lock, LockKind::npm_shrinkwrap));
  EXPECT_EQ(read->limits, (Limits{3, 7, 30, AcrossMajor::allow}));
  EXPECT_EQ(read->summary, "Says what it does.");
}

TEST(Recipe, OverridesEndAfterHalfAYearUnlessTheFileSaysOtherwise) {
  const Recipe read = recipe("a", 1, "override", "package-lock",
                             "limits:\n  max_moved: 40\n  across_major: refuse\n");
  EXPECT_EQ(read.limits, (Limits{3, 40, 180, AcrossMajor::refuse}));
}

TEST(Recipe, RefusesWhatItDoesNotKnow) {
  const std::string good = yaml_of("a", 1, "relock", "pnpm");
  ASSERT_TRUE(parse_recipe(good));
  const struct {
    std::string yaml;
    std::string why;
  } cases[] = {
      {"", "keys and values"},
      {"[]", "keys and values"},
      {"id: a\n", "`schema` must be one of"},
      {good + "precedance: 2\n", "unknown key `precedance`"},
      {good + "id: b\n", "duplicate key"},
      {good + "limits:\n  max_depth: 2\n", "unknown key `limits.max_depth`"},
      {good + "limits: 3\n", "`limits` must hold keys"},
      {yaml_of("a", 0, "relock", "pnpm"), "from 1 to"},
      {yaml_of("a", 1001, "relock", "pnpm"), "from 1 to"},
      {yaml_of("a", 1, "rewrite", "pnpm"), "`strategy` must be one of"},
      {yaml_of("a", 1, "relock", "cargo"), "no kind of lockfile is called `cargo`"},
      {yaml_of("a", 1, "relock", "pnpm, pnpm"), "each once"},
      {yaml_of("a", 1, "relock", ""), "must name a kind of lockfile"},
      {yaml_of("A", 1, "relock", "pnpm"), "`id` must be"},
      {yaml_of("a--b", 1, "relock", "pnpm"), "`id` must be"},
      {yaml_of("../a", 1, "relock", "pnpm"), "`id` must be"},
      {yaml_of("a", 1, "parent_bump", "pnpm"), "`limits.max_depth` must be a number"},
      {yaml_of("a", 1, "parent_bump", "pnpm", "limits:\n  max_depth: 65\n  max_moved: 1\n"),
       "from 1 to 64"},
      {yaml_of("a", 1, "override", "pnpm", "limits:\n  max_moved: 1\n  across_major: perhaps\n"),
       "must be one of"},
      {yaml_of("a", 1, "override", "pnpm",
               "limits:\n  max_moved: 1\n  across_major: allow\n  expiry_days: 0\n"),
       "`limits.expiry_days` must be a number from 1 to"},
      {yaml_of("a", 1, "override", "pnpm", "limits:\n  across_major: allow\n"),
       "`limits.max_moved` must be a number from 1 to 1000"},
      {yaml_of("a", 1, "override", "pnpm", "limits:\n  max_moved: 1001\n  across_major: allow\n"),
       "`limits.max_moved` must be a number from 1 to 1000"},
      {yaml_of("a", 1, "override", "pnpm",
               "limits:\n  max_depth: 3\n  max_moved: 1\n  across_major: allow\n"),
       "unknown key `limits.max_depth`"},
      {good + std::string(kMaxRecipeBytes, '#'), ""},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.yaml.substr(0, 300));
    const auto read = parse_recipe(c.yaml);
    ASSERT_FALSE(read);
    EXPECT_THAT(read.error().what, HasSubstr(c.why));
  }
}

TEST(Recipe, ACutOrAlteredFileNeverReadsAsTheSame) {
  const std::string good = yaml_of("npm-parent-bump", 40, "parent_bump", "package-lock",
                                   "limits:\n  max_depth: 8\n  max_moved: 12\n");
  const Recipe whole = *parse_recipe(good);
  for (std::size_t i = 0; i + 1 < good.size(); ++i) {
    const auto cut = parse_recipe(good.substr(0, i));
    EXPECT_TRUE(!cut || *cut != whole) << i;
    std::string bad = good;
    bad[i] = static_cast<char>(static_cast<Byte>(bad[i]) ^ 1U);
    const auto altered = parse_recipe(bad);
    EXPECT_TRUE(!altered || *altered != whole) << i;
  }
}

TEST(RecipeBook, GivesEachLockfileItsOwnInOrderOfPrecedence) {
  const auto book = RecipeBook::make(
      {recipe("late", 30, "direct_bump", "package-lock, pnpm"), recipe("npm", 10, "relock"),
       recipe("pnpm", 20, "relock", "pnpm"), recipe("first", 5, "relock")});
  ASSERT_TRUE(book);
  EXPECT_THAT(ids(book->recipes_for(LockKind::package_lock)), ElementsAre("first", "npm", "late"));
  EXPECT_THAT(ids(book->recipes_for(LockKind::pnpm)), ElementsAre("pnpm", "late"));
  EXPECT_THAT(ids(book->recipes_for(LockKind::yarn_berry)), ElementsAre());
  EXPECT_EQ(book->find("pnpm")->precedence, 20);
  EXPECT_EQ(book->find("cargo"), nullptr);
}

TEST(RecipeBook, RefusesAnOrderThatWouldBeAnAccident) {
  EXPECT_FALSE(RecipeBook::make({recipe("a", 1, "relock"), recipe("a", 2, "relock")}));
  EXPECT_FALSE(RecipeBook::make({recipe("a", 1, "relock"), recipe("b", 1, "relock")}));
  EXPECT_TRUE(RecipeBook::make({recipe("a", 1, "relock"), recipe("b", 1, "relock", "pnpm")}));
  std::vector<Recipe> many;
  for (int i = 0; i <= static_cast<int>(kMaxRecipes); ++i) {
    many.push_back(recipe("r" + std::to_string(i), i + 1, "relock"));
  }
  EXPECT_FALSE(RecipeBook::make(many));
}

TEST(Words, AreSafeInFileNames) {
  for (const char* good : {"a", "npm-relock", "v8"}) EXPECT_TRUE(is_word(good)) << good;
  for (const char* bad : {"", "-a", "a-", "a--b", "A", "a/b", ".", "a.b", "8a", "a b"}) {
    EXPECT_FALSE(is_word(bad)) << bad;
  }
  EXPECT_FALSE(is_word(std::string(65, 'a')));
}

}  // namespace
}  // namespace cg::recipe
