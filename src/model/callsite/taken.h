// Taken: what pieces of a file take from other files of the repository.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "model/callsite/homes.h"
#include "model/callsite/piece.h"
#include "npm/syntax/language.h"
#include "npm/syntax/scopes.h"

namespace cg::callsite {

inline constexpr std::size_t kMaxTaken = 16;

/// By the names that are used in `ranges`, through import and require() of relative paths.
[[nodiscard]] std::vector<Taken> taken_by(const syntax::Syntax& syntax,
                                          const syntax::Scopes& scopes, std::vector<Range> ranges);

/// What a file exports as `name`, whole, with the lines it stands in; at most 2 KiB of it. Nothing
/// if it exports no such thing, or only what it takes from a third file.
[[nodiscard]] std::optional<Piece> find_export(std::string_view text, syntax::Language language,
                                               std::string_view name);

}  // namespace cg::callsite
