// Document: what a report says, before it is markdown or HTML. For this module only.
//
// Text stays untrusted until a writer makes it harmless; only `ours` is written as it is,
// and holds nothing but words of this program and numbers.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "fix/report/case.h"

namespace cg::report {

struct Review;  // fix/report/review.h

struct Span {
  enum class Kind { ours, strong, words, code, quote };
  Kind kind = Kind::ours;
  std::string text;
};
using Line = std::vector<Span>;

[[nodiscard]] Span ours(std::string text);
[[nodiscard]] Span strong(std::string text);
[[nodiscard]] Span words(std::string_view text);
[[nodiscard]] Span code(std::string_view text);
/// Words that are quoted whole, where a sentence would not do.
[[nodiscard]] Span quote(std::string_view text);
/// `code`s with commas between them, at most `most` of them.
[[nodiscard]] Line codes(const std::vector<std::string>& texts, std::size_t most);
Line& operator+=(Line& line, const Line& more);

/// Words longer than this are cut where they are shown.
inline constexpr std::size_t kLongest = 300;
inline constexpr std::size_t kLongestQuote = 2048;

struct Table {
  std::vector<std::string> head;  // ours
  std::vector<std::vector<Line>> rows;
};

struct Section {
  Line title;
  std::vector<Line> lines;
  Table table;
  std::vector<std::string> commands;  // safe to copy into a shell
};

struct Document {
  Line title;
  std::vector<std::pair<std::string, Line>> facts;
  std::vector<Line> notes;
  std::vector<Section> sections;
  std::string closing;  // ours
};

/// How much of a case: what fits into a pull request, or every way that was looked at.
enum class Depth { pull_request, all };
[[nodiscard]] Document document(const Case& c, Depth depth);

/// `a` +1 -1, `b` +2 -0 and 3 more.
[[nodiscard]] Line counted_files(const std::vector<FileChange>& files);
/// What a document says of a review above all sections; nothing if nothing changes.
[[nodiscard]] std::vector<Line> review_notes(const Review& review);
/// What cannot be proven and why, and which branches hold such a thing.
[[nodiscard]] Line unproven_fact(const Case& c);
/// What gates that were not passed said, each once: of the tests, which ones fail.
[[nodiscard]] Section refusals_section(const Case& c);
/// Of the packages that move: in a line; as a table; and what their new versions bring.
[[nodiscard]] Line supply_fact(const Case& c);
[[nodiscard]] Section moved_section(const Case& c);
[[nodiscard]] Section news_section(const Case& c);
/// What models said for their plans, whole. No rows if none was asked.
[[nodiscard]] Section said_section(const Review& review);

[[nodiscard]] std::string write_markdown(const Document& document);
/// Sections folded, and rows left out until it fits into `max_bytes`.
[[nodiscard]] std::string write_folded(const Document& document, std::size_t max_bytes);
[[nodiscard]] std::string write_html(const Document& document);

/// Unless it is there already.
void add_once(std::vector<std::string>& list, std::string text);
/// "relock", "parent bump".
[[nodiscard]] std::string spoken(std::string_view name);
/// The recipes of the fixes, each once.
[[nodiscard]] std::vector<std::string> recipes(const Case& c);
/// Copies that are, or are not, fixed.
[[nodiscard]] std::vector<const Copy*> fixed_copies(const Case& c);
[[nodiscard]] std::vector<const Copy*> open_copies(const Case& c);
/// "2 copies", or "2 copies (5 findings)": one that several advisories speak of is one copy.
[[nodiscard]] std::string counted_copies(const std::vector<const Copy*>& copies);
/// `text` if it can stand in a command unquoted, as one of these; else "".
[[nodiscard]] std::string package_word(std::string_view text);
[[nodiscard]] std::string version_word(std::string_view text);
[[nodiscard]] std::string path_word(std::string_view text);

}  // namespace cg::report
