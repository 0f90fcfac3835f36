#include "vuln/provenance/image_adapter.h"

#include <algorithm>

#include "base/base/text.h"

namespace cg::provenance {

namespace {

constexpr std::string_view kModulesFolder = "node_modules/";

std::string_view without_slash(std::string_view path) {
  while (path.starts_with('/')) path.remove_prefix(1);
  if (path.starts_with("./")) path.remove_prefix(2);
  return path;
}

bool is_beneath(std::string_view path, std::string_view folder) {
  path = without_slash(path);
  folder = without_slash(folder);
  while (folder.ends_with('/')) folder.remove_suffix(1);
  if (folder.empty() || !path.starts_with(folder)) return false;
  return path.size() == folder.size() || path[folder.size()] == '/';
}

/// Where a distribution of node keeps its own modules, as opposed to an application
/// that depends on npm.
bool is_runtime_prefix(std::string_view prefix) {
  if (prefix == "usr/local/lib/" || prefix == "usr/lib/" || prefix == "usr/lib64/" ||
      prefix == "usr/share/") {
    return true;
  }
  if (!prefix.ends_with("lib/")) return false;
  for (const std::string_view manager : {".nvm/", ".fnm/", ".volta/", ".asdf/", "n/versions/",
                                         "versions/node/", "node-v", "nodejs"}) {
    if (prefix.find(manager) != std::string_view::npos) return true;
  }
  return false;
}

std::string_view first_part(std::string_view path) { return path.substr(0, path.find('/')); }

bool is_runtime_name(std::string_view name) {
  return name == "npm" || name == "corepack" || name == "yarn";
}

std::string_view runtime_in_modules(std::string_view path) {
  const std::size_t at = path.find(kModulesFolder);
  if (at == std::string_view::npos || !is_runtime_prefix(path.substr(0, at))) return {};
  const std::string_view name = first_part(path.substr(at + kModulesFolder.size()));
  return is_runtime_name(name) ? name : std::string_view();
}

/// Debian's /usr/share/nodejs/npm, Fedora's /usr/share/npm, the docker image's
/// /opt/yarn-v1.22.19.
std::string_view runtime_in_share(std::string_view path) {
  for (const std::string_view prefix : {"usr/share/nodejs/", "usr/share/"}) {
    if (!path.starts_with(prefix)) continue;
    const std::string_view name = first_part(path.substr(prefix.size()));
    if (is_runtime_name(name)) return name;
  }
  return path.starts_with("opt/yarn-") || path.starts_with("opt/yarn/") ? "yarn"
                                                                        : std::string_view();
}

BaseImage image_of(const ImageLayer& layer, std::string_view path) {
  BaseImage out;
  out.layer_path = path;
  // With one FROM there is no doubt which image it is; with several, the subject of
  // the SBOM decides.
  const std::string subject = layer.sbom ? layer.sbom->subject : std::string();
  const ImageFact* fact = layer.images.size() == 1 ? &layer.images.front() : nullptr;
  for (const ImageFact& each : layer.images) {
    if (each.image == subject) fact = &each;
  }
  if (fact == nullptr) {
    out.image = subject;
    return out;
  }
  out.image = fact->image;
  out.dockerfile = fact->dockerfile;
  out.line = fact->line;
  return out;
}

bool is_app_path(const ImageLayer& layer, std::string_view path) {
  return std::any_of(layer.app_folders.begin(), layer.app_folders.end(),
                     [&](const std::string& folder) { return is_beneath(path, folder); });
}

bool is_same(const Component& component, const PackageId& package) {
  return component.name == package.name && component.version == package.version &&
         component.type == package.type;
}

/// What one component says. Nothing if all its copies are the application's.
std::optional<Provenance> judge(const ImageLayer& layer, const Component& component) {
  std::optional<Provenance> runtime;
  bool only_app = !component.paths.empty();
  for (const std::string& path : component.paths) {
    if (is_app_path(layer, path)) continue;
    only_app = false;
    const std::string_view name = runtime_of(path);
    if (name.empty()) return image_of(layer, path);
    if (!runtime) runtime = RuntimeBundled{std::string(name), path};
  }
  if (runtime || only_app) return runtime;
  return image_of(layer, "");
}

}  // namespace

std::string_view runtime_of(std::string_view path) {
  path = without_slash(path);
  if (const std::string_view found = runtime_in_modules(path); !found.empty()) return found;
  if (const std::string_view found = runtime_in_share(path); !found.empty()) return found;
  const std::string_view file = path.substr(path.rfind('/') + 1);
  const bool bin = path.starts_with("usr/") || path.starts_with("opt/");
  if (bin && (path.ends_with("/bin/node") || path.ends_with("/bin/nodejs"))) return "node";
  return file == "node_version.h" ? "node" : std::string_view();
}

std::optional<Provenance> find_in_image(const ImageLayer& layer, const PackageId& package) {
  if (!layer.failure.empty()) return Unknown{"the image: " + layer.failure};
  if (!layer.sbom) return std::nullopt;
  std::optional<Provenance> runtime;
  for (const Component& component : layer.sbom->components) {
    if (!is_same(component, package)) continue;
    auto found = judge(layer, component);
    if (!found) continue;
    if (std::holds_alternative<BaseImage>(*found)) return found;
    if (!runtime) runtime = std::move(found);
  }
  return runtime;
}

Provenance combine(const std::optional<Provenance>& app, const std::optional<Provenance>& image) {
  if (!app && !image) return Unknown{"neither the application nor the image is known to have it"};
  for (const auto* side : {&app, &image}) {
    if (*side && std::holds_alternative<Unknown>(**side)) return **side;
  }
  if (!image) return *app;
  if (!app) return *image;
  return Both{describe(*app), describe(*image)};
}

}  // namespace cg::provenance
