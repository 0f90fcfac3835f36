// Words: what a text is about, as far as words show it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace cg::notes {

enum class Tone : std::uint8_t {
  plain,
  noise,     // housekeeping: dependencies, tests, documents, nothing but security
  hint,      // something was removed, renamed, replaced
  breaking,  // said to break, or that only modules or newer versions of node are supported
};
/// Of an item or a paragraph of a changelog or a guide.
[[nodiscard]] Tone tone_of(std::string_view text);
/// Of a README, where "removed" need not speak of an older version.
[[nodiscard]] Tone readme_tone_of(std::string_view text);
/// Of a heading, which holds for what stands below it.
[[nodiscard]] Tone title_tone_of(std::string_view title);
/// A heading or an entry of a changelog: where "removed" speaks of what never should have been.
[[nodiscard]] bool is_about_fixes(std::string_view title);

/// What a heading of a README leads to.
enum class Topic : std::uint8_t { none, usage, upgrade, releases, aside };
[[nodiscard]] Topic topic_of(std::string_view title);

/// Links as their texts; badges, and links to commits and numbers of issues, are gone.
[[nodiscard]] std::string without_addresses(std::string_view line);
/// A row of a table with one space, or one dash, where there were many.
[[nodiscard]] std::string without_padding(std::string_view row);
/// Something is left to read when tags are taken away.
[[nodiscard]] bool has_words(std::string_view text);
/// More than links: no table of contents, no sponsors.
[[nodiscard]] bool has_own_words(std::string_view text);

}  // namespace cg::notes
