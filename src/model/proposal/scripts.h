// Scripts: which sources the scripts of a manifest name.
//
// What builds, lints, tests or starts a program runs such a file by its name, so a rewrite of
// it would change who judges the rewrite, or what is started without anybody testing it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "npm/npm/manifest.h"

namespace cg::proposal {

/// Every script of the manifest, whatever it is called: any of them may run another. `node .`
/// says which file that is, and a package without `start` has the one that npm takes.
[[nodiscard]] std::vector<std::string> script_commands(const npm::Manifest& manifest);

/// One of `commands` (of shells, as scripts of a manifest are) names the file: `node run.js`,
/// `node run`, `mocha ./lib/all`, `node tools` for tools/index.js. Relative to whatever folder.
[[nodiscard]] bool names_file(const std::vector<std::string>& commands, std::string_view path);

}  // namespace cg::proposal
