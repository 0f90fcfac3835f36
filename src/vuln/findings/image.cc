#include "vuln/findings/image.h"

#include "npm/semver/version.h"
#include "vuln/advisory/version_key.h"

namespace cg::findings {

std::vector<ImageHit> match_image(const provenance::ImageLayer& layer, const RuleSet& rules) {
  std::vector<ImageHit> out;
  if (!layer.sbom) return out;
  for (std::size_t i = 0; i < layer.sbom->components.size(); ++i) {
    const provenance::Component& component = layer.sbom->components[i];
    if (component.type != "npm") continue;
    for (Hit& hit : match_version(component.name, component.version, rules)) {
      out.push_back({i, std::move(hit)});
    }
  }
  return out;
}

void add_image_findings(const provenance::ImageLayer& layer, const std::string& sbom_file,
                        const std::vector<ImageHit>& hits, const Briefs& briefs, Scan& scan) {
  const std::size_t application = scan.findings.size();
  for (const ImageHit& found : hits) {
    const provenance::Component& component = layer.sbom->components[found.component];
    const auto origin =
        provenance::find_in_image(layer, {"npm", component.name, component.version});
    if (!origin) continue;  // the application's own folder: its lockfile has told already
    Finding finding;
    describe_advisory(found.hit, briefs, finding);
    finding.package = component.name;
    finding.version = component.version;
    finding.lockfile = sbom_file;
    finding.location = component.paths.empty() ? component.purl : component.paths.front();
    finding.provenance = *origin;
    finding.outlook = {Strategy::none, "", provenance::describe(*origin)};
    for (std::size_t i = 0; i < application; ++i) {
      Finding& app = scan.findings[i];
      if (app.advisory == finding.advisory && app.package == finding.package) {
        app.provenance = provenance::combine(app.provenance, origin);
      }
    }
    scan.findings.push_back(std::move(finding));
  }
}

}  // namespace cg::findings
