// What CI runners and terminals obey, and whether a text still holds any of it. Reads texts the
// way GitHub's, Azure's, TeamCity's and GitLab's runners do, and shares no code with what makes
// texts harmless.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cg::test {

/// Texts that give orders to at least one of the four, as a test, an advisory, a package or a
/// folder might bring them along; some with characters that are not UTF-8 or not to be seen.
[[nodiscard]] const std::vector<std::string>& marker_texts();

/// What somebody would obey in `text`, one line for each; empty if it is harmless. Newlines and
/// tabs are.
[[nodiscard]] std::vector<std::string> orders_in(std::string_view text);

}  // namespace cg::test
