// Sugar taken off a range: caret, tilde, x-ranges and hyphens become comparators.
//
// Text in, text out, as node-semver does it. Written like that because what npm
// accepts is defined by how one rewriting feeds the next, down to "1.2.3*" and
// "^01.2" in loose mode; a tree would have to describe each of those by itself.
#pragma once

#include <string>
#include <string_view>

#include "npm/semver/options.h"

namespace cg::semver {

/// Appends what one word of a range stands for: nothing (any version), one comparator
/// or two with a space between. A word that is no sugar is appended as it is, whether
/// it is a comparator or not. `word` contains no spaces and no build.
void desugar(std::string_view word, const Options& options, std::string& out);

/// If all of `text` is a hyphen range, "1.2 - 3", then `out` gets its two words
/// instead (possibly sugared, possibly empty).
[[nodiscard]] bool desugar_hyphen(std::string_view text, const Options& options, std::string& out);

}  // namespace cg::semver
