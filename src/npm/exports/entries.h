// Entries: the ways into a package, from package.json.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/value.h"
#include "npm/exports/api.h"

namespace cg::exports {

/// The ways in, in the order of the manifest, patterns made out; files that are not there are
/// left out. Without `exports` every source can be imported by its path, too.
[[nodiscard]] std::vector<Entry> find_entries(const json::Value& manifest, const Files& files);

/// The file that `path` means where endings may be left out: itself, with an ending, or the
/// index of a folder. Nothing if it is not there.
[[nodiscard]] std::optional<std::string> find_file(const Files& files, std::string_view path);
/// The declarations that a compiler takes for `path`: x.d.ts for x.js and x.
[[nodiscard]] std::optional<std::string> find_types(const Files& files, std::string_view path);

/// "lib/b.js" of "./b.js" in "lib/a.js"; nothing if it leads out of the package.
[[nodiscard]] std::optional<std::string> beside(std::string_view file, std::string_view relative);

[[nodiscard]] bool is_declaration(std::string_view path);

}  // namespace cg::exports
