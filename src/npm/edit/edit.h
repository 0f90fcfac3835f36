// Edits: what a plan changes in manifests and lockfiles, said without their bytes.
//
// The functions below turn an edit into new text. Only what the edit names changes;
// indentation, line ends, key order, unknown fields and the final newline stay. Where
// that cannot be done exactly the answer is an error that says why, never a rewrite.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/base/result.h"
#include "npm/npm/graph.h"
#include "npm/npm/manifest.h"
#include "npm/registry/release.h"

namespace cg::edit {

/// The copy at `location` becomes (or is added as) this release.
struct PutCopy {
  std::string location;  // as in the graph; for yarn and pnpm the lock's own key
  const registry::Release* release = nullptr;  // outlives the edit
  npm::Flags flags;                            // dev, optional, dev_optional, peer
};
/// An importer's request: in the manifest, and in the lock's copy of it.
struct Ask {
  std::string importer;  // location: "" for the root, "packages/a"
  std::string name;      // as asked for
  std::string from;      // the whole spec as written: "^1.0.0", "npm:x@^1.0.0"
  std::string to;
  npm::EdgeKind kind = npm::EdgeKind::prod;
};
/// Flags of a copy that is otherwise untouched.
struct Reflag {
  std::string location;
  npm::Flags flags;
};

struct LockEdit {
  std::vector<PutCopy> put;
  std::vector<std::string> removed;  // locations
  std::vector<Reflag> reflagged;
  std::vector<Ask> asks;
  [[nodiscard]] bool empty() const {
    return put.empty() && removed.empty() && reflagged.empty() && asks.empty();
  }
};

/// A rule of the root manifest that replaces what packages ask for.
struct OverrideRule {
  std::vector<std::string> path;  // keys from the outside in: {"express", "qs"}, {"qs@^6.0.0"}
  std::string value;              // empty: the rule goes away, and what it leaves empty with it
};

struct ManifestEdit {
  std::string path;                     // of the package.json
  std::vector<Ask> asks;                // of this manifest alone
  std::vector<OverrideRule> overrides;  // of the root alone: `overrides` of npm
};

struct EditError {
  enum class Kind {
    not_found,    // the edit names what is not there
    unsupported,  // this format cannot be edited like that; `what` names what is missing
    shape,        // the text is not as the edit expects it
  };
  Kind kind;
  std::string what;  // one line, printable
};

/// package.json. Both trees of version 2; version 1 in its own shape.
[[nodiscard]] Result<std::string, EditError> edit_manifest(std::string_view text,
                                                           const ManifestEdit& edit);

/// package-lock.json and npm-shrinkwrap.json. `registry` is the address that new
/// `resolved` values start with where the lock's own entries show no other.
[[nodiscard]] Result<std::string, EditError> edit_package_lock(const npm::Graph& graph,
                                                               const LockEdit& edit,
                                                               std::string_view registry);

/// yarn.lock, classic and berry; pnpm-lock.yaml. No package can be added.
[[nodiscard]] Result<std::string, EditError> edit_yarn_lock(const npm::Graph& graph,
                                                            const LockEdit& edit,
                                                            std::string_view registry);
[[nodiscard]] Result<std::string, EditError> edit_pnpm_lock(const npm::Graph& graph,
                                                            const LockEdit& edit);

}  // namespace cg::edit
