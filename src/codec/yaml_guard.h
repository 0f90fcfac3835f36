// What libfyaml 0.7.12 must not see, and what it must not be believed.
//
// That version (the one in Debian 12) frees memory twice on some malformed texts,
// takes unbounded memory for others, and gets the text of some scalars wrong. All
// of it was found by fuzzing and by comparison with another reader. Each check
// here can go when a libfyaml without the fault is the oldest one in use.
#pragma once

#include <cstddef>
#include <string_view>

#include "base/result.h"
#include "codec/value.h"

namespace cg::codec {

/// Refuses, before libfyaml sees `text`: characters that YAML forbids, a CR that is
/// not before LF, directives, a `?` that could announce a key, too many blank lines
/// in a row, too long lines with brackets, too many brackets left open.
[[nodiscard]] Result<Done, ParseError> guard_text(std::string_view text);

enum class ScalarStyle { plain, single_quoted, double_quoted, literal, folded };

/// True if libfyaml may misread a scalar. `source` is what stands between the
/// quotes, or the lines of the block; `parent_column` is the column of the block
/// mapping or sequence around it, 0 if there is none.
[[nodiscard]] bool is_misread(std::string_view source, ScalarStyle style,
                              std::size_t parent_column);

}  // namespace cg::codec
