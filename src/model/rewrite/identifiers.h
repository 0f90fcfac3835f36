// Identifiers: whether the names of a source are what they look like.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "model/rewrite/file.h"

namespace cg::rewrite {

/// Every name that a file writes, of whatever kind, with where it first stands.
using Identifiers = std::map<std::string, std::uint32_t, std::less<>>;
[[nodiscard]] Identifiers identifiers_of(const File& file);

/// Where a name of `after` stands that `before` has not, and that is written with escapes,
/// mixes scripts, has letters that no name of `before` has, or looks like another name.
[[nodiscard]] std::optional<std::uint32_t> find_disguised(const Identifiers& before,
                                                          const Identifiers& after);

}  // namespace cg::rewrite
