// The text of a range made ready: spaces, builds and detached operators.
#pragma once

#include <string>
#include <string_view>

namespace cg::semver {

/// Trimmed, with every run of white space as one space.
[[nodiscard]] std::string collapse_spaces(std::string_view text);
/// Surely so already; text with bytes beyond ASCII is never sure.
[[nodiscard]] bool is_collapsed(std::string_view text);

/// Without "+build" wherever it stands; may leave two spaces side by side.
[[nodiscard]] std::string strip_builds(std::string_view text);

/// "> 1.2.3" becomes ">1.2.3", "~> 1" becomes "~1", "^ 1" becomes "^1".
[[nodiscard]] std::string attach_operators(std::string_view text);
/// attach_operators() would change nothing.
[[nodiscard]] bool is_attached(std::string_view text);

}  // namespace cg::semver
