// Which folders a workspace pattern names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cg::npm {

/// True if `path` matches `pattern`: `*` and `?` within a part of the path, `**` for
/// any parts, `{a,b}` for either, `[ab]` for one character. A leading `./` and a
/// trailing `/` do not count. Takes time bounded by the product of both lengths.
[[nodiscard]] bool glob_match(std::string_view pattern, std::string_view path);

/// True if the patterns, taken in order, name the folder: one that begins with `!`
/// takes back what those before it named.
[[nodiscard]] bool is_workspace(const std::vector<std::string>& patterns, std::string_view folder);

}  // namespace cg::npm
