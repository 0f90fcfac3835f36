// Whatever an SBOM says, its parts are text and its errors lie in it; so are those of the
// package URLs that parse.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/base/assert.h"
#include "base/base/text.h"
#include "vuln/provenance/image_adapter.h"
#include "vuln/provenance/purl.h"
#include "vuln/provenance/sbom.h"

namespace {

void check_purl(std::string_view text) {
  const auto purl = cg::provenance::parse_purl(text);
  CG_ASSERT(!purl || (cg::is_utf8(purl->name) && !purl->name.empty()));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace cg::provenance;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check_purl(text);
  auto sbom = read_sbom(text);
  if (!sbom) {
    CG_ASSERT(sbom.error().at.offset <= size);
    CG_ASSERT(sbom.error().what.size() < 1000);
    return 0;
  }
  const ImageLayer layer{{}, *std::move(sbom), "", {"/app"}};
  for (const Component& component : layer.sbom->components) {
    CG_ASSERT(cg::is_utf8(component.name) && !component.name.empty());
    check_purl(component.purl);
    const auto found = find_in_image(layer, {component.type, component.name, component.version});
    CG_ASSERT(!found || !is_app_layer(*found));
  }
  return 0;
}
