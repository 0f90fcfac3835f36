#include "vuln/provenance/provenance.h"

#include "base/base/match.h"
#include "base/base/text.h"

namespace cg::provenance {

namespace {

std::string place(const std::string& file, std::size_t line) {
  return line == 0 ? printable(file) : printable(file) + ":" + std::to_string(line);
}

std::string joined(const std::vector<std::string>& chain) {
  std::string out;
  for (const std::string& link : chain) out += (out.empty() ? "" : " > ") + printable(link);
  return out;
}

std::string describe_image(const BaseImage& image) {
  std::string out = "brought by ";
  out += image.image.empty() ? "the image" : "the image " + printable(image.image);
  if (!image.dockerfile.empty()) out += " of " + place(image.dockerfile, image.line);
  if (!image.layer_path.empty()) out += ", at " + printable(image.layer_path);
  return out;
}

}  // namespace

std::string_view kind_name(const Provenance& provenance) {
  return match(
      provenance, [](const AppDirect&) -> std::string_view { return "app_direct"; },
      [](const AppTransitive&) -> std::string_view { return "app_transitive"; },
      [](const AppVendored&) -> std::string_view { return "app_vendored"; },
      [](const Both&) -> std::string_view { return "both"; },
      [](const BaseImage&) -> std::string_view { return "base_image"; },
      [](const RuntimeBundled&) -> std::string_view { return "runtime_bundled"; },
      [](const Unknown&) -> std::string_view { return "unknown"; });
}

std::string describe(const Provenance& provenance) {
  return match(
      provenance,
      [](const AppDirect& app) { return "asked for by " + place(app.manifest, app.line); },
      [](const AppTransitive& app) { return "brought by " + joined(app.chain); },
      [](const AppVendored& app) { return "inside " + printable(app.holder); },
      [](const Both& both) { return both.app + "; also " + both.image; },
      [](const BaseImage& image) { return describe_image(image); },
      [](const RuntimeBundled& part) {
        return "part of " + printable(part.runtime) +
               (part.path.empty() ? "" : ", at " + printable(part.path));
      },
      [](const Unknown& unknown) { return "unknown: " + printable(unknown.reason); });
}

bool is_app_layer(const Provenance& provenance) {
  return match(
      provenance, [](const AppDirect&) { return true; }, [](const AppTransitive&) { return true; },
      [](const AppVendored&) { return true; }, [](const Both&) { return true; },
      [](const BaseImage&) { return false; }, [](const RuntimeBundled&) { return false; },
      [](const Unknown&) { return false; });
}

}  // namespace cg::provenance
