// Reading lockfiles. One function per format, and one that picks it by name and text.
//
// All are bounded by kMaxLockBytes and by the limits of the readers beneath. None
// looks at anything but its arguments.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/base/result.h"
#include "npm/npm/graph.h"
#include "npm/npm/manifest.h"

namespace cg::lockfile {

using npm::Dependency;
using npm::Edge;
using npm::EdgeKind;
using npm::Flags;
using npm::Graph;
using npm::GraphBuilder;
using npm::kNoNode;
using npm::LockKind;
using npm::Manifest;
using npm::Node;
using npm::NodeId;
using npm::Source;
using npm::Span;

inline constexpr std::size_t kMaxLockBytes = 64U << 20U;

struct LockError {
  enum class Kind {
    too_large,
    syntax,   // not JSON, not YAML, not yarn's format, not UTF-8, a duplicate key
    version,  // a lockfileVersion that is not read
    shape,    // a field of the wrong type, a key that names nothing
  };
  Kind kind;
  json::Position at;
  std::string what;  // one line, printable, without the place
};

/// package-lock.json and npm-shrinkwrap.json of lockfileVersion 1, 2 and 3. `root` is
/// needed for version 1 alone, which does not say what the root asks for.
[[nodiscard]] Result<Graph, LockError> read_package_lock(LockKind kind, std::string text,
                                                         const Manifest* root);

/// yarn.lock, classic or berry by its text. A classic lock does not know the manifests:
/// `manifests` are the root's, first, and those of its workspaces.
[[nodiscard]] Result<Graph, LockError> read_yarn_lock(std::string text,
                                                      const std::vector<Manifest>& manifests);

/// pnpm-lock.yaml 5.x, 6 and 9; in a stream of several documents the one with importers.
[[nodiscard]] Result<Graph, LockError> read_pnpm_lock(std::string text);

/// The kind that a file of this name is; nothing if it is no lockfile we read. A
/// yarn.lock is called yarn_classic whichever it is.
[[nodiscard]] std::optional<LockKind> lock_kind_of(std::string_view file_name);

/// Dispatches on `kind`.
[[nodiscard]] Result<Graph, LockError> read_lock(LockKind kind, std::string text,
                                                 const std::vector<Manifest>& manifests);

}  // namespace cg::lockfile
