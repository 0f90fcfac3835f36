// SafeDiff: a change of source files, and of nothing that judges the change.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/base/result.h"
#include "base/json/diff.h"
#include "model/proposal/path.h"

namespace cg::proposal {

inline constexpr std::size_t kMaxDiff = 64U << 10U;  // bytes, as read and as written
inline constexpr std::size_t kMaxAddedLine = 2000;   // bytes
inline constexpr std::size_t kMaxBlanks = 120;       // in a row: what follows is off the screen

enum class DiffFault {
  too_large,
  not_a_diff,  // json::parse_diff() refuses it: modes, renames, binary, counts, paths, bytes
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
  line_ends,    // CR on some lines of a file and not on others
  hidden_text,  // an added line with characters that nobody sees, or far off to the right
  long_line,    // an added one
};
[[nodiscard]] std::string_view name(DiffFault fault);

/// A unified diff of text that modifies each file of `files` and no other; none of them is
/// protected (Protection). What is added can be seen by who reviews it.
class SafeDiff {
 public:
  [[nodiscard]] static Result<SafeDiff, DiffFault> parse(std::string_view text,
                                                         const std::vector<RepoPath>& files);
  [[nodiscard]] const json::Patch& patch() const { return patch_; }
  /// In our spelling: nothing of what a diff may say beside its change is kept.
  [[nodiscard]] const std::string& text() const { return text_; }
  friend bool operator==(const SafeDiff&, const SafeDiff&) = default;

 private:
  SafeDiff(json::Patch patch, std::string text)
      : patch_(std::move(patch)), text_(std::move(text)) {}
  json::Patch patch_;
  std::string text_;
};

}  // namespace cg::proposal
