// Words: short texts that may stand in a prompt unfenced, because they cannot carry a sentence.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace cg::prompt {

/// GHSA-xxxx-xxxx-xxxx, CVE-2020-1234, MAL-2024-12 and their like.
[[nodiscard]] bool is_advisory_id(std::string_view text);
/// npm's rule, 100 bytes at most, and nothing that the canary knows.
[[nodiscard]] bool is_package_word(std::string_view text);
/// In its one spelling, 64 bytes at most; nothing if it is no version.
[[nodiscard]] std::optional<std::string> version_word(std::string_view text);
/// Relative, beneath the root, of letters, digits and `._-+@/()[]$~`, 256 bytes at most, and
/// nothing that the canary knows. A path with a space is none.
[[nodiscard]] bool is_path_word(std::string_view text);

}  // namespace cg::prompt
