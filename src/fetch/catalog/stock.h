// Stock: the packages of lockfiles as files. take_stock() of tarball.h makes one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fetch/catalog/lack.h"
#include "fetch/catalog/tarball_cache.h"
#include "npm/registry/release.h"

namespace cg::catalog {

/// A package that is there.
struct Held {
  std::string name;
  std::string version;
  std::string integrity;  // as it was checked: the strongest part
  Tarball tarball;
  /// Where installers ask for it: paths beneath a registry, without repetition. The usual
  /// one first, then those that `resolved` names.
  std::vector<std::string> paths;
  std::vector<std::string> mirror;  // and its names in yarn's mirror
  /// Nothing where nobody had to ask: the lock tells installers all that they need.
  std::optional<registry::Release> release;
  /// Dependencies, by the graph.
  std::vector<registry::Need> needs;
  bool install_script = false;
  /// It is no release of the registry, which does not know of it: `paths` are all there is.
  bool elsewhere = false;
};

struct Stock {
  std::vector<Held> held;                 // by name, version and integrity
  std::vector<Missing> missing;           // likewise
  std::vector<registry::Release> listed;  // not installed: listed.h
  /// "name@version" of those whose lock does not say which bytes it means, so that the
  /// registry's word had to do.
  std::vector<std::string> unpinned;
  struct Counts {
    std::size_t cached = 0;
    std::size_t fetched = 0;
    std::uint64_t bytes = 0;  // of all that is held
  };
  Counts counts;
};

}  // namespace cg::catalog
