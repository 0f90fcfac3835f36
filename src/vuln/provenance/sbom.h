// Sbom: what somebody found inside a container image, read from a file they wrote.
//
// CycloneDX JSON 1.4 to 1.6, SPDX 2.3 JSON (2.2 has the same fields) and syft's own
// JSON. Only what provenance needs is kept. The text is untrusted: it is read piece by
// piece, each bounded in size, and the pieces in number.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/base/result.h"
#include "vuln/provenance/sbom_error.h"

namespace cg::provenance {

inline constexpr std::size_t kMaxComponents = 200'000;

struct Component {
  std::string name;  // npm packages with their scope
  std::string version;
  std::string type;  // of the purl: "npm", "deb"; else what the document says: "binary"
  std::string purl;  // as written; empty if there is none
  std::vector<std::string> paths;  // in the image, as written
};

struct Sbom {
  enum class Format { cyclonedx, spdx, syft };
  Format format = Format::cyclonedx;
  std::string format_version;
  std::string subject;  // the image it describes, if it says so
  std::vector<Component> components;
};
/// "CycloneDX", "SPDX", "syft".
[[nodiscard]] std::string_view name(Sbom::Format format);

[[nodiscard]] Result<Sbom, SbomError> read_sbom(std::string_view text);

}  // namespace cg::provenance
