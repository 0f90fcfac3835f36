// Copy: one installed copy of a tree that can be changed.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "npm/npm/graph.h"
#include "npm/registry/release.h"
#include "npm/semver/version.h"

namespace cg::resolve {

using CopyId = std::uint32_t;
inline constexpr CopyId kNone = UINT32_MAX;
/// A name that dependents use, as a number.
using NameId = std::uint32_t;

struct Need {
  NameId name = 0;
  std::string_view spec;  // as written
  npm::EdgeKind kind = npm::EdgeKind::prod;
};

struct Copy {
  std::string_view package;                  // its real name
  NameId folder = 0;                         // what dependents call it; of importers: nothing
  const semver::Version* version = nullptr;  // null where it has none that can be read
  CopyId holder = kNone;
  CopyId target = kNone;                       // of a link
  npm::NodeId origin = npm::kNoNode;           // in the graph; none if it was added
  const registry::Release* release = nullptr;  // if it was added or moved
  const std::vector<Need>* needs = nullptr;    // of the tree; never changed
  std::vector<CopyId> children;
  npm::Source source = npm::Source::registry;
  npm::Flags flags;
  /// Inside the tarball of another package. What the repository itself bundles is not: it
  /// is installed like anything else.
  bool dictated = false;
  bool gone = false;
  bool respecced = false;  // an importer whose requests changed

  [[nodiscard]] bool is_importer() const { return npm::is_importer(source); }
};

/// A dependent and which of its needs.
struct Asker {
  CopyId from = kNone;
  std::size_t need = 0;
};

}  // namespace cg::resolve
