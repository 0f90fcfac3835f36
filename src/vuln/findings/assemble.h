// From hits in a graph to findings that say where, why, through whom and what now.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "npm/npm/graph.h"
#include "npm/npm/manifest.h"
#include "vuln/advisory/brief.h"
#include "vuln/findings/finding.h"
#include "vuln/findings/match.h"

namespace cg::findings {

/// One lockfile of the repository.
struct Tree {
  std::string lockfile;  // relative to the repository
  const npm::Graph& graph;
  const std::vector<npm::Manifest>& manifests;  // the root's first
};

using Briefs = std::map<std::string, advisory::Brief, std::less<>>;

/// Adds the findings of `matches` to `scan`; a hit whose advisory is not in `briefs` keeps
/// its id and level and nothing else.
void add_findings(const Tree& tree, const Matches& matches, const Briefs& briefs, Scan& scan);

/// The part of a finding that the advisory tells.
void describe_advisory(const Hit& hit, const Briefs& briefs, Finding& finding);

/// What the lock holds, counted.
[[nodiscard]] LockFacts facts_of(const Tree& tree);

/// Every package of the lock, with who depends on whom.
void add_components(const Tree& tree, Scan& scan);

}  // namespace cg::findings
