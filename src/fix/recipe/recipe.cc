#include "fix/recipe/recipe.h"

#include <algorithm>
#include <cstdlib>
#include <tuple>

#include "fix/recipe/fields.h"
#include "trust/hash/sha256.h"

namespace cg::recipe {

namespace {

constexpr std::string_view kSchema = "codegenie/recipe/v1";
constexpr std::size_t kMaxSummary = 200;
constexpr int kMaxVersion = 100'000;
constexpr int kMaxPrecedence = 1000;
constexpr int kMaxDepthLimit = 64;
constexpr int kMaxMoved = 1000;
constexpr int kMaxExpiryDays = 3650;

/// Only what the strategy obeys; a limit of another one stays untaken and is unknown.
Limits read_limits(Fields& fields, const std::string& strategy) {
  Limits limits;
  if (strategy == "parent_bump") {
    limits.max_depth = fields.number("max_depth", 1, kMaxDepthLimit);
    limits.max_moved = fields.number("max_moved", 1, kMaxMoved);
  }
  if (strategy == "override") {
    limits.max_moved = fields.number("max_moved", 1, kMaxMoved);
    if (fields.has("expiry_days")) {
      limits.expiry_days = fields.number("expiry_days", 1, kMaxExpiryDays);
    }
    const std::string across = fields.one_of("across_major", {"refuse", "allow"});
    limits.across_major = across == "allow" ? AcrossMajor::allow : AcrossMajor::refuse;
  }
  return limits;
}

bool share_a_lock(const Recipe& a, const Recipe& b) {
  return std::any_of(a.locks.begin(), a.locks.end(), [&](npm::LockKind kind) {
    return std::binary_search(b.locks.begin(), b.locks.end(), kind);
  });
}

}  // namespace

std::string_view name(AcrossMajor across) {
  switch (across) {
    case AcrossMajor::refuse:
      return "refuse";
    case AcrossMajor::allow:
      return "allow";
  }
  std::abort();
}

Result<Recipe, RecipeError> parse_recipe(std::string_view yaml) {
  CG_TRY_ASSIGN(const json::Value root, parse_mapping(yaml, kMaxRecipeBytes));
  Fields fields(root, "");
  static_cast<void>(fields.one_of("schema", {kSchema}));
  Recipe recipe;
  recipe.id = fields.text("id", 64);
  recipe.version = fields.number("version", 1, kMaxVersion);
  recipe.precedence = fields.number("precedence", 1, kMaxPrecedence);
  recipe.strategy = fields.one_of(
      "strategy", {kStrategies[0], kStrategies[1], kStrategies[2], kStrategies[3], kStrategies[4]});
  recipe.locks = lock_kinds(fields, "locks");
  recipe.summary = fields.text("summary", kMaxSummary);
  const json::Value none = json::Value::Object{};
  const json::Value* limits = fields.nested("limits");
  Fields inner(limits == nullptr ? none : *limits, "limits.");
  recipe.limits = read_limits(inner, recipe.strategy);
  fields.adopt(std::move(inner));
  if (!is_word(recipe.id)) fields.refuse("`id` must be of small letters, digits and dashes", 0);
  if (recipe.locks.empty()) fields.refuse("`locks` must name a kind of lockfile", 0);
  if (auto error = fields.finish()) return fail(*std::move(error));
  recipe.digest = hash::sha256(as_bytes(yaml));
  return recipe;
}

Result<RecipeBook, RecipeError> RecipeBook::make(std::vector<Recipe> recipes) {
  if (recipes.size() > kMaxRecipes) return fail(RecipeError{"too many recipes"});
  std::sort(recipes.begin(), recipes.end(), [](const Recipe& a, const Recipe& b) {
    return std::tie(a.precedence, a.id) < std::tie(b.precedence, b.id);
  });
  for (std::size_t i = 0; i < recipes.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const Recipe& a = recipes[j];
      const Recipe& b = recipes[i];
      if (a.id == b.id) return fail(RecipeError{"two recipes are called " + a.id});
      if (a.precedence == b.precedence && share_a_lock(a, b)) {
        return fail(RecipeError{a.id + " and " + b.id + " have the same precedence"});
      }
    }
  }
  return RecipeBook(std::move(recipes));
}

std::vector<Recipe> RecipeBook::recipes_for(npm::LockKind kind) const {
  std::vector<Recipe> out;
  std::copy_if(recipes_.begin(), recipes_.end(), std::back_inserter(out), [&](const Recipe& r) {
    return std::binary_search(r.locks.begin(), r.locks.end(), kind);
  });
  return out;
}

const Recipe* RecipeBook::find(std::string_view id) const {
  const auto it = std::find_if(recipes_.begin(), recipes_.end(),
                               [&](const Recipe& recipe) { return recipe.id == id; });
  return it == recipes_.end() ? nullptr : &*it;
}

}  // namespace cg::recipe
