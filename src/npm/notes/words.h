// Words: what a text is about, as far as words show it.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace cg::notes {

/// A bit for each name; those beyond the 64th share bits.
using NameBits = std::uint64_t;

/// The names of a package that are looked for in texts, each as a whole word.
class Names {
 public:
  Names(const std::vector<std::string>& names, std::string_view package);

  /// In Markdown. "get" in a sentence is a word like any other: it counts in code, before "(" and
  /// behind "."; a name that can be no word ("readFile") counts everywhere.
  [[nodiscard]] NameBits in_text(std::string_view text) const;
  /// In a heading, whatever its capitals.
  [[nodiscard]] NameBits in_title(std::string_view title) const;
  /// What a line of a list or a table explains: the name that it begins with.
  [[nodiscard]] NameBits at_start(std::string_view line) const;
  /// The package is imported or required.
  [[nodiscard]] bool imports(std::string_view code) const;

 private:
  [[nodiscard]] NameBits in_line(std::string_view line, bool is_code) const;
  [[nodiscard]] NameBits find(std::string_view word) const;

  std::unordered_map<std::string, NameBits> words_;
  std::unordered_map<std::string, NameBits> lower_;
  std::vector<std::pair<std::string, NameBits>> others_;  // "trust proxy": no words
  std::string package_;
};

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
