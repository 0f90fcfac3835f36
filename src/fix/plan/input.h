// Input: what a planner is given. For one lockfile; all of it outlives the planning.
#pragma once

#include <string>
#include <vector>

#include "fix/plan/advisories.h"
#include "fix/plan/options.h"
#include "npm/npm/graph.h"
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

}  // namespace cg::plan
