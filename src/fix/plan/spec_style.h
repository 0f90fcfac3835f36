// The user's way of writing a range, kept when the version changes (trap 18).
#pragma once

#include <string>
#include <string_view>

#include "npm/semver/version.h"

namespace cg::plan {

/// `spec` such that it accepts `target`: "^1.0.0" becomes "^1.2.6", "~1.0" becomes "~1.2",
/// "1.0.0" becomes "1.2.6", "1.x" becomes "2.x", "npm:a@^1.0.0" keeps its alias. Ranges that
/// have no such shape (">=1 <2", "1 || 2") become a caret.
[[nodiscard]] std::string restyle(std::string_view spec, const semver::Version& target);

}  // namespace cg::plan
