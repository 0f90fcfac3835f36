#include "recipe/matcher.h"

#include <algorithm>

namespace cg::recipe {

namespace {

Answer yes(std::string reason) { return {true, std::move(reason)}; }
Answer no(std::string reason) { return {false, std::move(reason)}; }

Answer ask_relock(const Case& one) {
  if (one.safe == Case::Safe::in_range) return yes("a safe version is within every range");
  return no("no safe version is within every range");
}

Answer ask_direct_bump(const Case& one) {
  if (one.depth > 0) return no("the repository does not ask for it itself");
  if (one.safe == Case::Safe::in_range) return no("a safe version is within every range");
  if (one.safe == Case::Safe::across_major) return no("every safe version is over a breaking one");
  return yes("the repository's own range can be moved");
}

Answer ask_parent_bump(const Recipe& recipe, const Case& one) {
  if (one.depth == 0) return no("the repository asks for it itself");
  if (one.depth > recipe.limits.max_depth) {
    return no("it lies " + std::to_string(one.depth) + " deep, the recipe goes " +
              std::to_string(recipe.limits.max_depth));
  }
  return yes("another release of who asks for it may ask for a safe version");
}

Answer ask_override(const Recipe& recipe, const Case& one) {
  if (one.depth == 0) return no("an override cannot contradict the repository's own request");
  if (one.safe == Case::Safe::across_major && recipe.limits.across_major == AcrossMajor::refuse) {
    return no("every safe version is over a breaking one");
  }
  return yes("a rule of the root manifest can ask for a safe version");
}

}  // namespace

Answer ask(const Recipe& recipe, const Case& one) {
  if (!std::binary_search(recipe.locks.begin(), recipe.locks.end(), one.lock)) {
    return no("the recipe is not for " + std::string(npm::name(one.lock)));
  }
  if (one.dictated) return no("the version of this copy is not for a lockfile to choose");
  if (one.safe == Case::Safe::nowhere) return no("no safe version is published");
  if (recipe.strategy == "relock") return ask_relock(one);
  if (recipe.strategy == "direct_bump") return ask_direct_bump(one);
  if (recipe.strategy == "parent_bump") return ask_parent_bump(recipe, one);
  if (recipe.strategy == "override") return ask_override(recipe, one);
  return no("the repository's own code would have to change");
}

record::Event answered(const Recipe& recipe, const Case& one, const Answer& answer) {
  return record::RecipeAnswered{answer.applies ? "yes" : "no", one.location, one.package,
                                answer.reason, recipe.label()};
}

}  // namespace cg::recipe
