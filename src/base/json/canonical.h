// Canonical JSON: the one text of a Value, for hashing and signing.
//
// The part of RFC 8785 that needs no floating point: its output is valid RFC 8785
// output, and equal values give equal bytes.
#pragma once

#include <string>
#include <string_view>

#include "base/base/result.h"
#include "base/json/value.h"

namespace cg::json {

struct CanonicalError {
  enum class Kind { real_number, integer_too_large, not_utf8, duplicate_key };
  Kind kind;
  std::string where;  // a JSON pointer to the value, short and printable; "" is the whole
};

[[nodiscard]] std::string describe(const CanonicalError& error);

/// No spaces, members sorted by the UTF-16 code units of their keys, strings as
/// append_canonical_string() writes them. Refuses doubles and integers beyond
/// 2^53 - 1, which other readers of JSON would round.
[[nodiscard]] Result<std::string, CanonicalError> canonical(const Value& value);

/// Appends `text`, which must be UTF-8, as a JSON string with its quotes. Escapes
/// only what JSON demands: \b \t \n \f \r \" \\ and \u00xx for other controls.
void append_canonical_string(std::string& out, std::string_view text);

/// How many bytes at the start of `text` stand in a JSON string as they are.
[[nodiscard]] std::size_t plain_run(std::string_view text);

}  // namespace cg::json
