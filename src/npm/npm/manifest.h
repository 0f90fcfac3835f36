// Manifest: what a package.json asks for.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/base/result.h"
#include "base/json/value.h"
#include "npm/npm/graph.h"

namespace cg::npm {

struct Dependency {
  std::string name;
  std::string spec;  // as written
  EdgeKind kind = EdgeKind::prod;
  json::Position at;  // of the spec
};

struct Manifest {
  std::string path;  // relative to the repository: "packages/a/package.json"
  std::string name;
  std::string version;
  std::string main;  // as written; empty if it does not say
  /// As npm sees them: a name in optionalDependencies is not in dependencies too.
  std::vector<Dependency> dependencies;
  std::vector<std::string> workspaces;  // glob patterns, of `workspaces` or `workspaces.packages`
  std::vector<std::string> bundled;     // names; with `true`, all of dependencies
  std::vector<std::pair<std::string, std::string>> scripts;
  std::vector<std::pair<std::string, std::string>> engines;
  std::vector<std::pair<std::string, std::string>> volta;  // versions of tools, by name
  std::string package_manager;                             // "pnpm@9.1.0"
  json::Value overrides;                                   // npm's, null if there are none
  json::Value resolutions;                                 // yarn's
  json::Value pnpm_overrides;                              // pnpm.overrides

  [[nodiscard]] const Dependency* find(std::string_view dependency) const;
  /// "packages/a" of "packages/a/package.json"; "" for the root.
  [[nodiscard]] std::string_view folder() const;
};

struct ManifestError {
  json::Position at;
  std::string what;  // "line 3, column 4: duplicate key `name`"
};

/// Larger ones are refused: the largest real ones are a hundred kilobytes.
inline constexpr std::size_t kMaxManifestBytes = 4U << 20U;

/// Reads a package.json. A byte order mark is accepted, as npm accepts it. Fields of
/// the wrong type are an error where they decide what is installed (dependencies,
/// workspaces, overrides) and are passed over otherwise.
[[nodiscard]] Result<Manifest, ManifestError> parse_manifest(std::string path,
                                                             std::string_view text);

}  // namespace cg::npm
