// Names: those that are used of a package, looked for in documents.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
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
  /// A line of a list begins with a package that is called like this one and something else:
  /// "- [glob-cli](...)".
  [[nodiscard]] bool lists_kin(std::string_view line) const;

 private:
  [[nodiscard]] NameBits in_line(std::string_view line, bool is_code) const;
  [[nodiscard]] NameBits find(std::string_view word) const;

  std::unordered_map<std::string, NameBits> words_;
  std::unordered_map<std::string, NameBits> lower_;
  std::vector<std::pair<std::string, NameBits>> others_;  // "trust proxy": no words
  std::string package_;
};

}  // namespace cg::notes
