// Spec: what stands to the right of a name in a manifest or lock.
#pragma once

#include <string_view>

#include "npm/npm/graph.h"

namespace cg::npm {

/// How a dependency is asked for. Views point into what was parsed.
struct Spec {
  enum class Kind {
    range,      // also the empty one
    tag,        // "latest": any word that is no range
    alias,      // npm:name@rest
    git,        // git+…, github:…, user/repo
    tarball,    // http(s) URL or file: of an archive
    directory,  // file:, link:, portal:, a path
    workspace,  // workspace:rest
  };
  Kind kind = Kind::range;
  std::string_view name;  // of an alias
  std::string_view rest;  // behind the prefix of an alias or workspace; else all of it
};

/// Never fails: what is nothing else is a tag.
[[nodiscard]] Spec parse_spec(std::string_view text);

/// What the `resolved` of a lock entry for the package `name` says. A URL is the
/// registry's if its path has the registry's shape, `/name/-/file.tgz`: the host may
/// be any, as registries are mirrored.
[[nodiscard]] Source source_of_resolved(std::string_view resolved, std::string_view name);

}  // namespace cg::npm
