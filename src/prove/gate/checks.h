// Checks: what a repository can be asked to show about itself.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "npm/npm/graph.h"
#include "npm/npm/manifest.h"
#include "prove/gate/load.h"

namespace cg::gate {

/// A check that this repository has no means for.
struct Absent {
  std::string signal;  // "build"
  std::string why;     // "no build script"
};

struct Checks {
  npm::LockKind lock = npm::LockKind::package_lock;
  bool load = false;  // of a fix, not of the repository: set_load()
  bool build = false;
  bool tests = false;
  bool typecheck = false;
  std::string test_script;  // as written
  /// What the compiler is run with, one after the other (runners/tsconfig.h).
  std::vector<std::string> projects = {"tsconfig.json"};
  std::vector<Absent> absent;

  /// Why there is no such check; empty if there is one.
  [[nodiscard]] std::string_view why_absent(std::string_view signal) const;
};

/// Whether a fix moves or forces something that others import.
void set_load(Checks& checks, const std::vector<Moved>& moved);

/// Of the package whose scripts are run, and of the lock that fills its node_modules. `projects` as
/// runners::projects_of() gives them.
[[nodiscard]] Checks checks_of(const npm::Manifest& manifest, const npm::Graph& lock,
                               std::optional<std::vector<std::string>> projects);

}  // namespace cg::gate
