// Provenance: where a vulnerable package comes from, and so who can fix it.
//
// Closed: seven kinds and no eighth. The first four belong to the application, and a
// change of its manifests or lockfile can fix them; the others are refused before
// anything is spent. What could not be decided is Unknown with its reason, never a
// guess.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace cg::provenance {

/// A manifest of the repository asks for it by name.
struct AppDirect {
  std::string manifest;  // "packages/a/package.json"
  std::size_t line = 0;  // of the dependency, if the manifest was read
  friend bool operator==(const AppDirect&, const AppDirect&) = default;
};

/// Only other packages ask for it.
struct AppTransitive {
  std::vector<std::string> chain;  // "express@4.17.1", …; without the package itself
  friend bool operator==(const AppTransitive&, const AppTransitive&) = default;
};

/// Its files lie inside another package (bundled) or inside the repository.
struct AppVendored {
  std::string holder;  // "npm@9.8.1", or a folder
  friend bool operator==(const AppVendored&, const AppVendored&) = default;
};

/// A container image brings it.
struct BaseImage {
  std::string image;       // as FROM names it; "" if only an SBOM tells
  std::string dockerfile;  // "" likewise
  std::size_t line = 0;
  std::string layer_path;  // where in the image, if the SBOM says so
  friend bool operator==(const BaseImage&, const BaseImage&) = default;
};

/// It is part of node or npm itself.
struct RuntimeBundled {
  std::string runtime;  // "npm", "node", "corepack", "yarn"
  std::string path;
  friend bool operator==(const RuntimeBundled&, const RuntimeBundled&) = default;
};

/// The application has a copy and so has the image or runtime; both must change.
struct Both {
  std::string app;  // describe() of either part
  std::string image;
  friend bool operator==(const Both&, const Both&) = default;
};

struct Unknown {
  std::string reason;
  friend bool operator==(const Unknown&, const Unknown&) = default;
};

using Provenance =
    std::variant<AppDirect, AppTransitive, AppVendored, Both, BaseImage, RuntimeBundled, Unknown>;

/// "app_direct", "app_transitive", "app_vendored", "both", "base_image",
/// "runtime_bundled", "unknown".
[[nodiscard]] std::string_view kind_name(const Provenance& provenance);
/// One line for people: "asked for by package.json:14".
[[nodiscard]] std::string describe(const Provenance& provenance);
/// True for the kinds that a change of this repository can fix.
[[nodiscard]] bool is_app_layer(const Provenance& provenance);

}  // namespace cg::provenance
