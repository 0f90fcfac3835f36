// Markup: untrusted text in markdown, without effect.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace cg::formats {

/// "&#42;" for an asterisk.
[[nodiscard]] std::string entity(char c);

/// Untrusted words as words, at most `max` bytes of them: no markup, HTML, mention, link
/// or reference.
[[nodiscard]] std::string prose(std::string_view text, std::size_t max);

/// A name or version. In code GitHub looks for nothing; but a backtick ends it and a
/// pipe ends the cell around it, so a text that has one is written as prose.
[[nodiscard]] std::string code(std::string_view text, std::size_t max);

}  // namespace cg::formats
