// Loaded: which files of a package run.
#pragma once

#include <set>
#include <string>

#include "base/json/value.h"
#include "npm/exports/api.h"

namespace cg::exports {

/// The files that run when any way into the package is taken, programs too: followed by require()
/// and import of paths that are written down; what cannot be read is left out. Without `exports`
/// the files that can only be had by their path are not followed.
[[nodiscard]] std::set<std::string> loaded_files(const json::Value& manifest, const Files& files,
                                                 const Limits& limits);

}  // namespace cg::exports
