// Lint: entries of a lockfile that do not say what they seem to (trap 48).
//
// Whoever can change a lock can change `resolved` and `integrity` together, so that one
// package comes under the name of another. A fix built on such a lock would carry the
// lie along.
#pragma once

#include <string>
#include <vector>

#include "npm/npm/graph.h"

namespace cg::lockfile {

struct Doubt {
  std::string location;
  std::string what;  // "comes from …, though a version was asked for"
};

struct Lint {
  /// A version was asked for, and what is installed is no release of that package: the
  /// address is another package's, or not a registry's, or can be changed on the way and
  /// has no integrity.
  std::vector<Doubt> lies;
  /// Worth a warning, one line each: plain http, no integrity.
  std::vector<std::string> weak;
};

[[nodiscard]] Lint lint(const npm::Graph& graph);

}  // namespace cg::lockfile
