// Phrase: an expression in one spelling, for comparison.
//
// White space and comments are gone; what comes out of the package is one sign, since that is
// what a rewrite may change; functions are one sign, since what is in them is judged by itself;
// a name is all that it is ever given (its first value, or which part of what; assignments,
// defaults) and what is done to that, so that neither giving something a name nor changing what is
// behind one goes unseen. Empty once there is no work left.
#pragma once

#include <string>

#include "model/rewrite/origins.h"

namespace cg::rewrite {

[[nodiscard]] std::string phrase_of(const File& file, const Origins& origins, Index node,
                                    Work& work);

/// The text of a node without comments and needless white space; nothing else is changed.
[[nodiscard]] std::string plain_text(const File& file, Index node, Work& work);

}  // namespace cg::rewrite
