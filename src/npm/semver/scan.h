// Scanner: the grammar of versions, without meaning.
//
// Accepts exactly what the regular expressions of node-semver accept, including how
// long a number or an identifier may be, in one pass and without memory of its own.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "npm/semver/options.h"

namespace cg::semver {

[[nodiscard]] constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
/// A part of an x-range that stands for anything.
[[nodiscard]] constexpr bool is_wildcard(char c) { return c == 'x' || c == 'X' || c == '*'; }

/// Length in bytes of the white space at `at`, as JavaScript knows it: no-break
/// space, byte order mark and others included. 0 if there is none.
[[nodiscard]] std::size_t space_at(std::string_view text, std::size_t at);
[[nodiscard]] std::string_view trim_spaces(std::string_view text);
/// What JavaScript calls the length of well-formed UTF-8.
[[nodiscard]] std::size_t utf16_length(std::string_view text);

/// The parts of a version or an x-range as they are spelled. A part that is absent is
/// empty; in an x-range a part may also be "x", "X" or "*".
struct Parts {
  std::string_view major;
  std::string_view minor;
  std::string_view patch;
  std::string_view prerelease;
  std::string_view build;
};

/// All of `text` is a version: "v1.2.3-beta+build"; with loose also "= v01.2.3beta",
/// and "1.2.34.5", which is 1.2.3-4.5.
[[nodiscard]] std::optional<Parts> match_version(std::string_view text, const Options& options);

/// All of `text` is an x-range without operator, "v" or build: "1", "1.x", "1.2.3-beta".
[[nodiscard]] std::optional<Parts> match_partial(std::string_view text, const Options& options);

/// All of `text` is a list of identifiers fit for a prerelease.
[[nodiscard]] bool is_prerelease(std::string_view text, const Options& options);

/// Where the longest thing that looks like a loose version, or else like an x-range,
/// ends if it starts at `at`, which is a digit or a wildcard.
[[nodiscard]] std::size_t version_like_end(std::string_view text, std::size_t at);

}  // namespace cg::semver
