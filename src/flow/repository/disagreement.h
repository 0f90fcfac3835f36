// Disagreement: a lockfile and a manifest that do not say the same.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "npm/npm/graph.h"
#include "npm/npm/manifest.h"

namespace cg::repository {

struct Disagreement {
  enum class Kind {
    missing_in_lock,      // the manifest asks for it, the lock does not know
    missing_in_manifest,  // the lock says the manifest asks for it
    different_spec,
    leads_nowhere,     // a required dependency has no copy in the lock
    manifest_unknown,  // a workspace that the lock does not have
    manifest_gone,     // a workspace of the lock that is not in the repository
  };
  Kind kind;
  std::string lockfile;
  std::string manifest;  // for leads_nowhere: "" unless a manifest itself asks
  std::string name;      // of the dependency; of the workspace for the last two
  std::string manifest_spec;
  std::string lock_spec;
  std::size_t line = 0;  // in the manifest; for leads_nowhere in the lock; 0 if unknown
  std::string asked_by;  // for leads_nowhere: location of who asks, "" for the root
  npm::EdgeKind edge = npm::EdgeKind::prod;
};
[[nodiscard]] std::string_view name(Disagreement::Kind kind);

/// What is compared. Paths of manifests are relative to the repository, those of the
/// graph to `lock_folder`.
struct Comparison {
  std::string_view lockfile;
  std::string_view lock_folder;
  const npm::Graph& graph;
  const std::vector<npm::Manifest>& manifests;
  /// Names whose specs an override replaces: pnpm records the replacement.
  const std::vector<std::string>& overridden;
};

/// In the order of the manifests, then of the lock.
[[nodiscard]] std::vector<Disagreement> compare(const Comparison& comparison);

}  // namespace cg::repository
