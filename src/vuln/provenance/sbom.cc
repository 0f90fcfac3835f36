#include "vuln/provenance/sbom.h"

#include <cstdlib>
#include <map>

#include "base/base/text.h"
#include "base/json/parsing.h"
#include "vuln/provenance/purl.h"
#include "vuln/provenance/sbom_pieces.h"

namespace cg::provenance {

namespace {

using json::Value;

constexpr std::size_t kMaxPaths = 100;  // per component
constexpr std::size_t kMaxRelations = 1'000'000;

void add_path(Component& component, std::string path) {
  if (path.empty() || component.paths.size() == kMaxPaths) return;
  component.paths.push_back(std::move(path));
}

/// The purl knows the type, and the scope of an npm package.
void apply_purl(Component& component) {
  const auto purl = parse_purl(component.purl);
  if (!purl) return;
  component.type = purl->type;
  if (const auto name = npm_name(*purl)) component.name = *name;
  if (component.version.empty()) component.version = purl->version;
}

class Reader {
 public:
  explicit Reader(const SbomPieces& pieces) : pieces_(pieces) {}

  Result<Sbom, SbomError> run() {
    if (pieces_.text_of("bomFormat") == "CycloneDX") {
      CG_TRY(read_cyclonedx());
    } else if (pieces_.has("spdxVersion")) {
      CG_TRY(read_spdx());
    } else if (pieces_.has("artifacts") && (pieces_.has("descriptor") || pieces_.has("schema"))) {
      CG_TRY(read_syft());
    } else {
      return fail(SbomError{
          SbomError::Kind::unknown_format, {}, "neither CycloneDX nor SPDX nor syft JSON"});
    }
    return std::move(out_);
  }

 private:
  Result<Done, SbomError> begin(Sbom::Format format, std::string version,
                                const std::vector<std::string_view>& known) {
    out_.format = format;
    for (const std::string_view each : known) {
      if (version != each) continue;
      out_.format_version = std::move(version);
      return Done{};
    }
    return fail(SbomError{
        SbomError::Kind::version,
        {},
        std::string(name(format)) + " of version `" + json::excerpt(version) + "` is not read"});
  }

  Result<Done, SbomError> add(Component component) {
    if (out_.components.size() == kMaxComponents) {
      return fail(SbomError{SbomError::Kind::too_large, {}, "more than 200 000 components"});
    }
    if (!component.purl.empty()) apply_purl(component);
    out_.components.push_back(std::move(component));
    return Done{};
  }

  // CycloneDX

  Result<Done, SbomError> read_cyclonedx() {
    CG_TRY(begin(Sbom::Format::cyclonedx, pieces_.text_of("specVersion"), {"1.4", "1.5", "1.6"}));
    const Value metadata = pieces_.value_of("metadata");
    if (const Value* subject = metadata.find("component")) {
      out_.subject = text_in(*subject, "name");
      const std::string version = text_in(*subject, "version");
      if (!version.empty()) out_.subject += (version.starts_with("sha256:") ? "@" : ":") + version;
    }
    return pieces_.each("components", [&](const Value& item) { return add_cyclonedx(item); });
  }

  Result<Done, SbomError> add_cyclonedx(const Value& item) {
    Component found;
    found.name = text_in(item, "name");
    const std::string group = text_in(item, "group");
    if (!group.empty()) found.name = group + "/" + found.name;
    found.version = text_in(item, "version");
    found.type = text_in(item, "type");
    found.purl = text_in(item, "purl");
    add_property_paths(item, found);
    add_occurrences(item, found);
    if (!found.name.empty()) CG_TRY(add(std::move(found)));
    const Value* inner = item.find("components");
    if (inner == nullptr || !inner->is_array()) return Done{};
    // As deep as a piece may be nested, not deeper.
    for (const Value& each : *inner->as_array()) CG_TRY(add_cyclonedx(each));
    return Done{};
  }

  /// syft's "syft:location:0:path" and trivy's "aquasecurity:trivy:FilePath".
  static void add_property_paths(const Value& item, Component& found) {
    const Value* properties = item.find("properties");
    if (properties == nullptr || !properties->is_array()) return;
    for (const Value& property : *properties->as_array()) {
      const std::string key = text_in(property, "name");
      const bool syft = key.starts_with("syft:location:") && key.ends_with(":path");
      if (syft || key.ends_with(":FilePath") || key.ends_with(":PkgPath")) {
        add_path(found, text_in(property, "value"));
      }
    }
  }

  static void add_occurrences(const Value& item, Component& found) {
    const Value* evidence = item.find("evidence");
    const Value* all = evidence == nullptr ? nullptr : evidence->find("occurrences");
    if (all == nullptr || !all->is_array()) return;
    for (const Value& each : *all->as_array()) add_path(found, text_in(each, "location"));
  }

  // SPDX

  Result<Done, SbomError> read_spdx() {
    CG_TRY(begin(Sbom::Format::spdx, pieces_.text_of("spdxVersion"), {"SPDX-2.2", "SPDX-2.3"}));
    out_.subject = pieces_.text_of("name");
    CG_TRY(pieces_.each("packages", [&](const Value& item) { return add_spdx(item); }));
    CG_TRY(pieces_.each("relationships", [&](const Value& item) { return add_relation(item); }));
    return pieces_.each("files", [&](const Value& item) -> Result<Done, SbomError> {
      const auto [first, last] = files_.equal_range(text_in(item, "SPDXID"));
      for (auto each = first; each != last; ++each) {
        add_path(out_.components[each->second], text_in(item, "fileName"));
      }
      return Done{};
    });
  }

  Result<Done, SbomError> add_spdx(const Value& item) {
    Component found;
    found.name = text_in(item, "name");
    found.version = text_in(item, "versionInfo");
    const std::string purpose = text_in(item, "primaryPackagePurpose");
    if (found.name.empty() || purpose == "CONTAINER") return Done{};
    const Value* references = item.find("externalRefs");
    if (references != nullptr && references->is_array()) {
      for (const Value& reference : *references->as_array()) {
        if (text_in(reference, "referenceType") != "purl") continue;
        found.purl = text_in(reference, "referenceLocator");
      }
    }
    // syft: "acquired package info from … manifest file: /a/package.json, /b/package.json".
    const std::string source = text_in(item, "sourceInfo");
    const std::size_t colon = source.find(": /");
    if (colon != std::string::npos) {
      for (const std::string_view path : split(std::string_view(source).substr(colon + 1), ',')) {
        add_path(found, std::string(trim(path)));
      }
    }
    packages_.insert_or_assign(text_in(item, "SPDXID"), out_.components.size());
    return add(std::move(found));
  }

  Result<Done, SbomError> add_relation(const Value& item) {
    const auto package = packages_.find(text_in(item, "spdxElementId"));
    if (package == packages_.end()) return Done{};
    const std::string other = text_in(item, "relatedSpdxElement");
    if (other.empty() || packages_.contains(other)) return Done{};
    if (files_.size() == kMaxRelations) {
      return fail(SbomError{SbomError::Kind::too_large, {}, "more than a million relationships"});
    }
    files_.emplace(other, package->second);
    return Done{};
  }

  // syft

  Result<Done, SbomError> read_syft() {
    out_.format = Sbom::Format::syft;
    const Value schema = pieces_.value_of("schema");
    out_.format_version = text_in(schema, "version");
    const Value source = pieces_.value_of("source");
    out_.subject = text_in(source, "name");
    for (const std::string_view key : {"metadata", "target"}) {
      const Value* inner = source.find(key);
      if (inner != nullptr && !text_in(*inner, "userInput").empty()) {
        out_.subject = text_in(*inner, "userInput");
      }
    }
    return pieces_.each("artifacts", [&](const Value& item) -> Result<Done, SbomError> {
      Component found{text_in(item, "name"),
                      text_in(item, "version"),
                      text_in(item, "type"),
                      text_in(item, "purl"),
                      {}};
      const Value* locations = item.find("locations");
      if (locations != nullptr && locations->is_array()) {
        for (const Value& each : *locations->as_array()) add_path(found, text_in(each, "path"));
      }
      if (found.name.empty()) return Done{};
      return add(std::move(found));
    });
  }

  const SbomPieces& pieces_;
  Sbom out_;
  std::map<std::string, std::size_t, std::less<>> packages_;  // SPDXID, index of component
  std::multimap<std::string, std::size_t, std::less<>> files_;
};

}  // namespace

std::string_view name(Sbom::Format format) {
  switch (format) {
    case Sbom::Format::cyclonedx:
      return "CycloneDX";
    case Sbom::Format::spdx:
      return "SPDX";
    case Sbom::Format::syft:
      return "syft";
  }
  std::abort();
}

Result<Sbom, SbomError> read_sbom(std::string_view text) {
  CG_TRY_ASSIGN(const SbomPieces pieces, SbomPieces::read(text));
  return Reader(pieces).run();
}

}  // namespace cg::provenance
