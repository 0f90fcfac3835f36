// What the parsers of this module share.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/base/result.h"
#include "base/json/value.h"

namespace cg::json {

/// What Limits::max_depth counts for at most: parsing, writing and freeing recurse.
inline constexpr std::size_t kDepthCeiling = 256;

[[nodiscard]] constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Size, byte order mark and UTF-8.
[[nodiscard]] Result<Done, ParseError> check_text(std::string_view text, const Limits& limits);

/// The Position of `offset`. Counts on from `from`, which must not lie behind it.
[[nodiscard]] Position locate(std::string_view text, std::size_t offset, Position from = {});

/// Untrusted text made fit for an error message: short and printable.
[[nodiscard]] std::string excerpt(std::string_view text);

/// Digits with an optional minus, fraction and exponent. What is too small becomes
/// zero; nothing if it is too large or not a number.
[[nodiscard]] std::optional<double> parse_double(std::string_view text);

/// The lines of a text, each with its newline if it has one.
[[nodiscard]] std::vector<std::string_view> lines_of(std::string_view text);

/// Stands in a diff below the last line of a file that ends without a newline.
inline constexpr std::string_view kEndMarker = "\\ No newline at end of file";

}  // namespace cg::json
