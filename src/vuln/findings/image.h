// Vulnerable npm packages inside a container image, as an SBOM lists them.
#pragma once

#include <string>
#include <vector>

#include "vuln/findings/assemble.h"
#include "vuln/findings/finding.h"
#include "vuln/findings/match.h"
#include "vuln/provenance/image_adapter.h"

namespace cg::findings {

struct ImageHit {
  std::size_t component;  // in the SBOM
  Hit hit;                // its node means nothing
};

[[nodiscard]] std::vector<ImageHit> match_image(const provenance::ImageLayer& layer,
                                                const RuleSet& rules);

/// Adds a finding for each, with the SBOM for its lockfile. Where the application has a
/// copy under the same advisory, that finding becomes Both: one change does not do.
void add_image_findings(const provenance::ImageLayer& layer, const std::string& sbom_file,
                        const std::vector<ImageHit>& hits, const Briefs& briefs, Scan& scan);

}  // namespace cg::findings
