// Characters that a reader does not see as what they are.
//
// For what a model wrote and people review: where a line holds one of these, what is read
// differs from what is run.
#pragma once

#include <string_view>

namespace cg::proposal {

/// Some character of `utf8` shows nothing or changes how others are shown: controls but tab,
/// bidi, zero-width, fillers, tags, variation selectors, private use, noncharacters. Not UTF-8
/// counts too.
[[nodiscard]] bool has_hidden(std::string_view utf8);

/// As has_hidden(), for prose: line feeds and the selectors of emoji are allowed.
[[nodiscard]] bool has_hidden_in_prose(std::string_view utf8);

/// Some character looks like, or is made on some file system into, a dot, a slash, a backslash,
/// a colon or a percent sign.
[[nodiscard]] bool has_lookalike(std::string_view utf8);

}  // namespace cg::proposal
