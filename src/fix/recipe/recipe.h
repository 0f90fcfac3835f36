// Recipes: the ways to fix a copy that are allowed, as data.
//
// A recipe names a strategy of the planner, the lockfiles it is for, when it is its
// turn, and how far it may go. It holds no code: a file that a person can read in a
// minute decides which of the built-in strategies run, in which order and within which
// limits. The files are those of a plugin; doc/format/plugins.md describes them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/base/result.h"
#include "fix/recipe/error.h"
#include "npm/npm/graph.h"
#include "trust/hash/digest.h"

namespace cg::recipe {

/// The words for what a recipe may be: those of plan::name(plan::Strategy), in the
/// order in which a planner without recipes would try them.
inline constexpr std::string_view kStrategies[] = {"relock", "direct_bump", "parent_bump",
                                                   "override", "callsite_rewrite"};

enum class AcrossMajor : std::uint8_t { refuse, allow };
[[nodiscard]] std::string_view name(AcrossMajor across);

/// How far a recipe may go. A limit that its strategy does not know is refused when the
/// file is read, so that nobody believes in one that nothing obeys.
struct Limits {
  int max_depth = 3;      // parent_bump: how many dependents up the bumped one may be
  int max_moved = 12;     // parent_bump, override: how many lock entries may change for it
  int expiry_days = 180;  // override: after how many days it is to be looked at again
  AcrossMajor across_major = AcrossMajor::refuse;  // override: over a breaking version
  friend bool operator==(const Limits&, const Limits&) = default;
};

struct Recipe {
  std::string id;                    // "npm-relock": lower case, digits and single dashes
  int version = 1;                   // counts up with every change of what it does
  int precedence = 1;                // the lowest is asked first
  std::string strategy;              // one of kStrategies
  std::vector<npm::LockKind> locks;  // sorted, no two the same, not empty
  Limits limits;
  std::string summary;    // one sentence
  hash::Digest digest{};  // SHA-256 of the file

  /// "npm-relock@1", as reports and events name it.
  [[nodiscard]] std::string label() const { return id + "@" + std::to_string(version); }
  friend bool operator==(const Recipe&, const Recipe&) = default;
};

inline constexpr std::size_t kMaxRecipeBytes = 64 * 1024;
inline constexpr std::size_t kMaxRecipes = 64;

/// A recipe file: strict YAML, schema codegenie/recipe/v1. Unknown keys, missing ones
/// and values out of their bounds are refused.
[[nodiscard]] Result<Recipe, RecipeError> parse_recipe(std::string_view yaml);

/// Recipes that can be told apart and put in one order.
class RecipeBook {
 public:
  /// Fails if two have the same id, or the same precedence for the same lockfile: then
  /// the order would be an accident of how files are listed.
  [[nodiscard]] static Result<RecipeBook, RecipeError> make(std::vector<Recipe> recipes);

  /// Those for this kind of lockfile, the lowest precedence first.
  [[nodiscard]] std::vector<Recipe> recipes_for(npm::LockKind kind) const;
  /// All of them, by precedence, then id.
  [[nodiscard]] const std::vector<Recipe>& all() const { return recipes_; }
  [[nodiscard]] const Recipe* find(std::string_view id) const;

 private:
  explicit RecipeBook(std::vector<Recipe> recipes) : recipes_(std::move(recipes)) {}
  std::vector<Recipe> recipes_;
};

}  // namespace cg::recipe
