// Unified diffs: read strictly, applied exactly, written back.
//
// For patches that a tool wrote. What is accepted can be understood in one way only;
// where git apply accepts it too, it makes the same text of it. What a model wrote
// is read loosely: it counts and numbers badly, and placing.h does without.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/base/result.h"

namespace cg::json {

struct DiffLimits {
  std::size_t max_bytes = 64U << 10U;
};

struct DiffLine {
  enum class Kind { context, removed, added };
  enum class End { newline, none };  // none: the file ends here, without a newline
  Kind kind;
  std::string text;  // without the newline
  End end = End::newline;

  [[nodiscard]] bool is_old() const { return kind != Kind::added; }
  [[nodiscard]] bool is_new() const { return kind != Kind::removed; }
  friend bool operator==(const DiffLine&, const DiffLine&) = default;
};

/// Lines in one place. The starts are as written: the first line from 1, or the
/// line before if the hunk has no lines on that side.
struct Hunk {
  std::size_t old_start = 0;
  std::size_t new_start = 0;
  std::string section;  // what follows the second @@; no meaning
  std::vector<DiffLine> lines;

  [[nodiscard]] std::size_t old_count() const;
  [[nodiscard]] std::size_t new_count() const;
  /// How many lines of the original stand before the hunk.
  [[nodiscard]] std::size_t lines_before() const;
  friend bool operator==(const Hunk&, const Hunk&) = default;
};

struct FilePatch {
  enum class Action { modify, create, remove };
  Action action = Action::modify;
  std::string path;  // relative, without a/ or b/
  std::vector<Hunk> hunks;
  friend bool operator==(const FilePatch&, const FilePatch&) = default;
};

struct Patch {
  std::vector<FilePatch> files;
  friend bool operator==(const Patch&, const Patch&) = default;
};

struct DiffError {
  enum class Kind {
    too_large,
    not_utf8,
    not_text,
    truncated,
    no_patch,
    bad_header,
    mode_line,
    rename_line,
    copy_line,
    binary,
    bad_path,
    paths_differ,
    duplicate_path,
    no_hunks,
    bad_hunk_header,
    bad_line,
    bad_end_marker,
    counts_differ,
    no_change,
    hunks_overlap,
    starts_disagree,
    bad_creation,
    bad_removal,
    file_not_empty,
    does_not_match,
    contents_left
  };
  Kind kind;
  std::size_t line;    // of the diff; of the original where apply_patch() stopped
  std::string detail;  // short and printable, often empty
};

/// One line: "line 7: the hunk has other line counts than its header says".
[[nodiscard]] std::string describe(const DiffError& error);

/// Reads a diff of one or more files, nothing before, between or after them. Each
/// is `--- a/x`, `+++ b/x` (either may be /dev/null) and hunks, after an optional
/// `diff --git a/x b/x` with optional `index` and `new file mode 100644` or
/// `deleted file mode 100644` lines. Every line ends with a newline.
///
/// A path is relative UTF-8 with / between components, none of them empty, `.`,
/// `..` or `.git` or with a space at an end, and has no backslash, percent sign,
/// quote, control or invisible character. It stands in at most one file patch.
///
/// The counts of a hunk are those of its lines, hunks ascend without overlap, and
/// both starts of a hunk agree with the hunks before it. A creation or removal has
/// one hunk with lines of one side only.
[[nodiscard]] Result<Patch, DiffError> parse_diff(std::string_view text,
                                                  const DiffLimits& limits = {});

/// As parse_diff(), but that what a hunk says about itself is not believed. A hunk
/// begins with `@@`, whatever follows behind a space, and goes on until the next one,
/// the next header of a file (`--- ` and directly below it `+++ `), or a line that is
/// none of a hunk. Counts and starts of the Patch are ours: its hunks follow upon each
/// other from line 1 on, and place() finds where they belong.
///
/// Carriage returns at the end of any line are not seen, nor are marks of a missing
/// newline, so each line ends with End::newline. An empty line is a context line
/// that lost its space; at the end of a hunk it is nothing. The last line of the text
/// may lack its newline.
[[nodiscard]] Result<Patch, DiffError> parse_loose_diff(std::string_view text,
                                                        const DiffLimits& limits = {});

/// The new text of the file; "" after a removal. Exact: every context and removed
/// line must stand at the line the hunk names, with or without a final newline as
/// the patch says. A creation needs an empty `original`, a removal removes all.
[[nodiscard]] Result<std::string, DiffError> apply_patch(const FilePatch& patch,
                                                         std::string_view original);

/// The diff without optional lines. parse_diff() gives back an equal Patch if
/// `patch` is one that parse_diff() could have made.
[[nodiscard]] std::string write_diff(const Patch& patch);

}  // namespace cg::json
