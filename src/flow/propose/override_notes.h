// OverrideNotes: .codegenie/overrides.json of a repository. What a later run needs to know
// about overrides: why each is there, and when to see whether it still has to be.
#pragma once

#include <string>
#include <vector>

#include "base/base/time.h"
#include "base/json/value.h"
#include "base/os/dir.h"
#include "fix/plan/planner.h"

namespace cg::propose {

inline constexpr const char* kOverrideNotes = ".codegenie/overrides.json";

class OverrideNotes {
 public:
  /// Those of earlier runs; none if there is no such file, or one that is no such list.
  explicit OverrideNotes(const os::Dir& repo);

  /// Of the lock's own rules, the paths that somebody gave a reason for.
  [[nodiscard]] std::vector<std::vector<std::string>> paths(const std::string& lockfile) const;

  /// Notes of rules that the plan takes away go with them; those that it adds are due for
  /// review so many days after `dated`.
  void add(const plan::Plan& plan, Time dated);

  [[nodiscard]] std::string text() const;

 private:
  void drop(const std::string& lockfile, const std::vector<std::string>& path);

  json::Value::Array rows_;
};

}  // namespace cg::propose
