// How the people of a repository write their subjects.
#pragma once

#include "repository.h"

namespace cg::git {

/// More than half of the last 20 commits that are no merges, from `start` back by their
/// time, are Conventional Commits. Commits that a shallow clone lacks are passed over.
[[nodiscard]] bool mostly_conventional(git_repository* repo, const git_commit* start);

}  // namespace cg::git
