// Matcher: whether a recipe is for a copy at all, from facts and nothing else.
//
// "Yes" means that the strategy is worth trying; what it comes to, and whether peers,
// engines and policy let it, is for the planner to say.
#pragma once

#include <string>

#include "npm/graph.h"
#include "recipe/recipe.h"
#include "record/event.h"

namespace cg::recipe {

/// What is known of one vulnerable copy before anything was tried.
struct Case {
  npm::LockKind lock = npm::LockKind::package_lock;
  std::string package;
  std::string location;
  /// Whether the nearest safe version lies where all who ask for the copy allow it,
  /// beyond that, beyond it and over a breaking version, or nowhere.
  enum class Safe { in_range, out_of_range, across_major, nowhere };
  Safe safe = Safe::nowhere;
  /// Who asks: an importer of the repository, or packages up to an importer's own
  /// request. 0: a direct dependency, 1: a dependency of one, and so on.
  int depth = 0;
  /// The copy's version is not for a lockfile to choose: bundled, from git, a tarball.
  bool dictated = false;
};

struct Answer {
  bool applies = false;
  std::string reason;  // one sentence without a full stop
};

[[nodiscard]] Answer ask(const Recipe& recipe, const Case& one);

/// The answer as the log keeps it.
[[nodiscard]] record::Event answered(const Recipe& recipe, const Case& one, const Answer& answer);

}  // namespace cg::recipe
