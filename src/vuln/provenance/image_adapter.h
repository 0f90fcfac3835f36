// Where a package in a container image comes from, and whether the application has it
// as well.
//
// A Dockerfile names images but not what is in them; only an SBOM does. Without one,
// nothing is known to be in an image, and nothing is claimed.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vuln/provenance/provenance.h"
#include "vuln/provenance/sbom.h"

namespace cg::provenance {

/// One image that a Dockerfile builds on.
struct ImageFact {
  std::string image;
  std::string dockerfile;
  std::size_t line = 0;
};

struct ImageLayer {
  std::vector<ImageFact> images;
  /// Of the base image, or of the built one; nothing if none was given.
  std::optional<Sbom> sbom;
  /// Why an SBOM that was given could not be used; "" otherwise. Every answer is then
  /// Unknown.
  std::string failure;
  /// Folders of the image that hold the application ("/app"): copies beneath them are
  /// the application's own and count for nothing here.
  std::vector<std::string> app_folders;
};

/// The package that is looked for: type as in package URLs.
struct PackageId {
  std::string_view type = "npm";
  std::string_view name;
  std::string_view version;
};

/// "npm", "corepack", "yarn" or "node" if the path belongs to what is shipped with node;
/// empty otherwise: usr/local/lib/node_modules/npm/node_modules/tar/package.json.
[[nodiscard]] std::string_view runtime_of(std::string_view path);

/// BaseImage or RuntimeBundled if the image has the package, Unknown if its contents
/// could not be read, nothing if it does not have it or nobody knows. Of several copies
/// one outside of the runtime counts first: the image's maker can change it.
[[nodiscard]] std::optional<Provenance> find_in_image(const ImageLayer& layer,
                                                      const PackageId& package);

/// Both if either side has it; Unknown if either side is, because who does not know
/// must not claim; Unknown if neither has it.
[[nodiscard]] Provenance combine(const std::optional<Provenance>& app,
                                 const std::optional<Provenance>& image);

}  // namespace cg::provenance
