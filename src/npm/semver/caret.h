// Which changes of a version may break who depends on it.
#pragma once

#include "npm/semver/version.h"

namespace cg::semver {

/// As a caret sees it: another major number; before 1.0.0 another minor one; before 0.1.0
/// any.
[[nodiscard]] inline bool is_breaking(const Version& from, const Version& to) {
  if (from.major() != to.major()) return true;
  if (from.major() != 0) return false;
  return from.minor() != to.minor() || (from.minor() == 0 && from.patch() != to.patch());
}

}  // namespace cg::semver
