// The lines that a packument is kept as.
//
//   codegenie-packument 1 TAB name TAB versions left out TAB dist-tags, as JSON
//   version TAB flags TAB published, ms since 1970, may be empty TAB release, as JSON
//   …one per version, ascending
//
// Flags: d, deprecated; s, has an install script. Every line ends with a newline; JSON
// has neither tabs nor newlines of its own.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/base/result.h"
#include "base/base/time.h"
#include "npm/registry/packument.h"
#include "npm/registry/release.h"

namespace cg::registry {

inline constexpr std::string_view kStoredMagic = "codegenie-packument 1";

/// A registry's answer as lines.
[[nodiscard]] Result<std::string, PackumentError> stored_lines(std::string_view name,
                                                               std::string_view json);

/// Packument::read() believes the JSON of releases until one is asked for. This does not:
/// true if every line is what we would write. For lines from another machine.
[[nodiscard]] bool is_sound(const Packument& packument);

/// The name in the header; empty if these are not such lines.
[[nodiscard]] std::string_view stored_name(std::string_view stored);

/// As registries write times: RFC 3339 in UTC, with or without a fraction.
[[nodiscard]] std::optional<Time> parse_published(std::string_view text);

}  // namespace cg::registry
