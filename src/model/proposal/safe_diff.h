// SafeDiff: a change of source files, and of nothing that judges the change.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/base/result.h"
#include "base/json/diff.h"
#include "model/proposal/path.h"

namespace cg::proposal {

inline constexpr std::size_t kMaxDiff = 32U << 10U;  // bytes, as read and as written
inline constexpr std::size_t kMaxAddedLine = 2000;   // bytes
inline constexpr std::size_t kMaxBlanks = 120;       // in a row: what follows is off the screen

enum class DiffFault {
  too_large,
  not_a_diff,  // json::parse_loose_diff() refuses it: modes, renames, binary, paths, bytes
  creation,    // of a file: a call site is in a file that is there
  removal,
  outside,    // of `files`
  untouched,  // a file of `files` that the diff does not change
  hidden,     // what follows is Protection by name
  dependency,
  not_source,
  declaration,
  configuration,
  test,
  no_context,   // a hunk that would fit anywhere
  hidden_text,  // an added line with characters that nobody sees, or far off to the right
  long_line,    // an added one
};
[[nodiscard]] std::string_view name(DiffFault fault);

struct DiffRefusal {
  DiffFault fault;
  /// What of the diff it is about: a line of it, or the first, second … of its files or hunks.
  enum class Unit { whole, line, file, hunk } unit = Unit::whole;
  std::size_t number = 0;  // from 1
  friend bool operator==(const DiffRefusal&, const DiffRefusal&) = default;
};
/// "no_context hunk 2"
[[nodiscard]] std::string text_of(const DiffRefusal& refusal);
/// Takes exactly what text_of() writes.
[[nodiscard]] std::optional<DiffRefusal> parse_refusal(std::string_view text);

/// A unified diff of text that modifies each file of `files` and no other; none of them is
/// protected (Protection). What is added can be seen by who reviews it. What it says of lines,
/// counts and ends is not believed: where it belongs is for json::place() to find.
class SafeDiff {
 public:
  [[nodiscard]] static Result<SafeDiff, DiffRefusal> parse(std::string_view text,
                                                           const std::vector<RepoPath>& files);
  [[nodiscard]] const json::Patch& patch() const { return patch_; }
  /// In our spelling: nothing of what a diff may say beside its change is kept, and its numbers
  /// are those of hunks that follow upon each other. For machines: people are shown what came of
  /// it (Rewrite::diff).
  [[nodiscard]] const std::string& text() const { return text_; }
  friend bool operator==(const SafeDiff&, const SafeDiff&) = default;

 private:
  SafeDiff(json::Patch patch, std::string text)
      : patch_(std::move(patch)), text_(std::move(text)) {}
  json::Patch patch_;
  std::string text_;
};

}  // namespace cg::proposal
