// The planner for npm's trees: every vulnerable copy gets a fix or the name of what
// stands in its way.
#pragma once

#include <string>
#include <vector>

#include "fix/plan/advisories.h"
#include "fix/plan/options.h"
#include "fix/plan/plan.h"
#include "npm/npm/manifest.h"
#include "npm/registry/packument.h"
#include "vuln/findings/match.h"

namespace cg::plan {

struct Input {
  std::string lockfile;
  const npm::Graph& graph;
  const std::vector<npm::Manifest>& manifests;  // the root's first
  const std::vector<findings::Hit>& hits;       // what is to be fixed
  registry::Source& source;
  Advisories& advisories;
  const Options& options;
  /// Overrides that an earlier plan made: they go when nothing needs them any more.
  std::vector<std::vector<std::string>> noted = {};
};

/// For package-lock.json and npm-shrinkwrap.json. Equal inputs give equal plans.
[[nodiscard]] Plan plan_npm(const Input& input);

}  // namespace cg::plan
