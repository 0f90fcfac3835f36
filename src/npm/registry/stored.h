// The lines that a packument is kept as.
//
//   codegenie-packument 1 TAB name TAB versions left out TAB dist-tags, as JSON
//   version TAB flags TAB published, ms since 1970, may be empty TAB release, as JSON
//   …one per version, ascending
//
// Flags: d, deprecated; s, has an install script. Every line ends with a newline; JSON
// has neither tabs nor newlines of its own.
#pragma once

#include <string>
#include <string_view>

#include "base/base/result.h"
#include "npm/registry/packument_error.h"

namespace cg::registry {

inline constexpr std::string_view kStoredMagic = "codegenie-packument 1";

/// A registry's answer as lines.
[[nodiscard]] Result<std::string, PackumentError> stored_lines(std::string_view name,
                                                               std::string_view json);

}  // namespace cg::registry
