// Renamed: a source as somebody else would have written it who uses the same package alike.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

namespace cg::quality {

using Words = std::set<std::string, std::less<>>;

/// Names that a text has, of two letters or more.
[[nodiscard]] Words words_of(std::string_view text);

/// All names are others but those of `kept` (what the package speaks of), of the language and of
/// node; names that the file itself declares are others even then, unless they are taken from an
/// import. Comments are gone; quotes, semicolons and indentation are in another style; texts of
/// several words are others. Another seed, other names.
[[nodiscard]] std::string renamed(std::string_view source, const Words& kept, std::uint64_t seed);

}  // namespace cg::quality
