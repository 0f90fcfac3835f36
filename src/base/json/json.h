// JSON: RFC 8259 read strictly, and written so that it reads back the same.
#pragma once

#include <string>
#include <string_view>

#include "base/base/result.h"
#include "base/json/value.h"

namespace cg::json {

/// Reads one JSON text. Beyond RFC 8259 it refuses what readers disagree about,
/// so that nobody else can understand an accepted text differently:
///   - a byte order mark, bad UTF-8, anything after the value;
///   - two members with the same key, compared after decoding escapes;
///   - half a surrogate pair in a \u escape;
///   - an integer outside 64 bits, a number too large for a double.
/// A number is an integer if it has neither fraction nor exponent, except `-0`,
/// which is the double -0.0. A fraction too small for a double becomes zero.
[[nodiscard]] Result<Value, ParseError> parse_json(std::string_view text,
                                                   const Limits& limits = {});

/// On one line, without spaces. Parsing the result gives an equal Value as long
/// as `value` keeps the promises of Value; a double that is not finite becomes null.
[[nodiscard]] std::string write_json(const Value& value);

/// Indented by two spaces, one item to a line, with a newline at the end. People read it, and CI
/// runners read along: what they would act on is written as an escape (base/base/defuse.h).
[[nodiscard]] std::string write_json_pretty(const Value& value);

}  // namespace cg::json
