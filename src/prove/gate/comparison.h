// Comparison: what the gates know without running anything: locks and advisories, before and
// after.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "npm/lockfile/lint.h"
#include "npm/npm/graph.h"
#include "prove/gate/checks.h"
#include "prove/gate/load.h"

namespace cg::gate {

/// One installed copy as a lock has it, without its views.
struct LockEntry {
  std::string location;
  std::string name;
  std::string version;
  std::string resolved;
  std::string integrity;
  npm::Source source = npm::Source::registry;
  bool bundled = false;
  friend bool operator==(const LockEntry&, const LockEntry&) = default;
};

struct LockSide {
  std::vector<LockEntry> entries;  // sorted by location; importers are not among them
  lockfile::Lint lint;
};
[[nodiscard]] LockSide lock_side(const npm::Graph& lock);

/// A copy that an advisory speaks of.
struct AdvisoryAt {
  std::string id;
  std::string package;
  std::string location;
  friend auto operator<=>(const AdvisoryAt&, const AdvisoryAt&) = default;
};

/// What becomes of a fix whose gates all passed, some of which show little (Signal::weak).
enum class WeakProof { allow, handoff, refuse };

struct Comparison {
  Checks checks;
  std::optional<LockSide> lock_before;
  std::optional<LockSide> lock_after;
  /// URLs of which one must begin each `resolved` that the fix brings: "https://registry.example/".
  std::vector<std::string> registries;
  std::optional<std::vector<AdvisoryAt>> advisories_before;
  std::optional<std::vector<AdvisoryAt>> advisories_after;
  std::vector<AdvisoryAt> to_fix;  // of those before: what must be gone
  Loading loading;
  WeakProof weak = WeakProof::allow;
};

}  // namespace cg::gate
