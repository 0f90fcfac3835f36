// Tripwires: what a rewrite of call sites has no business with.
//
// Words in a text, so they can be got around by who means to; gates, the trace and the
// reviewer are what stands behind. They catch the plain ways to make a check pass or to
// bring code that comes from elsewhere.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "npm/npm/manifest.h"

namespace cg::proposal {

/// `after` has more orders to the type checker to look away than `before`, or fewer to look.
[[nodiscard]] bool silences_checks(std::string_view before, std::string_view after);

/// `after` starts programs, makes code of text or reaches into the loader where `before` did
/// so less often.
[[nodiscard]] bool gains_power(std::string_view before, std::string_view after);

/// One of `commands` (of shells, as scripts of a manifest are) names the file: `node run.js`,
/// `mocha ./lib/all`. Relative to whatever folder.
[[nodiscard]] bool names_file(const std::vector<std::string>& commands, std::string_view path);

/// What `npm test` runs of the manifest: test, what npm runs before and behind it, and every
/// script that one of these names.
[[nodiscard]] std::vector<std::string> gate_commands(const npm::Manifest& manifest);

}  // namespace cg::proposal
