// Reading: what two versions of a package say for themselves, for who asks how to get from one to
// the other.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "flow/propose/situation.h"
#include "flow/propose/sources.h"
#include "npm/exports/exports.h"

namespace cg::propose {

struct Reading {
  std::optional<exports::Api> api;  // of the new version
  std::vector<tiers::Text> texts;   // what changed in it, and what its authors say; to be fenced
  std::vector<std::string> notes;   // what could not be read, one line each
};

/// From the tarballs, by way of the catalog, and from those of @types where the package brings no
/// declarations. `sources` are ours: what they use comes first.
[[nodiscard]] Result<Reading, Problem> read_versions(Situation& situation,
                                                     const std::string& package,
                                                     const semver::Version& from,
                                                     const semver::Version& to,
                                                     const Sources& sources);

}  // namespace cg::propose
