// Advisories: the port through which planning asks about versions it thinks of.
#pragma once

#include <string_view>

#include "npm/semver/version.h"

namespace cg::plan {

class Advisories {
 public:
  virtual ~Advisories() = default;
  /// True if any advisory of the index speaks of this version.
  [[nodiscard]] virtual bool affected(std::string_view package, const semver::Version& version) = 0;
};

}  // namespace cg::plan
