// Outlook: what could be done about a vulnerable copy, from the lock alone.
//
// Not a plan: whether the version exists, and what it brings along, only the registry
// knows. It says which way is open and what stands in the other ways.
#pragma once

#include "npm/npm/graph.h"
#include "npm/npm/manifest.h"
#include "vuln/findings/finding.h"
#include "vuln/findings/match.h"
#include "vuln/provenance/npm_adapter.h"

namespace cg::findings {

/// `root` is the manifest whose overrides count; null if it was not read.
[[nodiscard]] Outlook outlook_of(const npm::Graph& graph, const provenance::Paths& paths,
                                 const Hit& hit, const npm::Manifest* root);

}  // namespace cg::findings
