#include "base/json/diff.h"

namespace cg::json {

namespace {

using Kind = DiffError::Kind;

/// In the order of DiffError::Kind.
constexpr std::string_view kWords[] = {
    "the diff is too large",
    "not UTF-8",
    "a NUL byte is not allowed",
    "the last line does not end with a newline",
    "the diff is empty",
    "not a line of a unified diff in this place",
    "changes of file modes are not allowed",
    "renames are not allowed",
    "copies are not allowed",
    "binary patches are not allowed",
    "not an allowed path",
    "the lines of the header name different paths",
    "a second patch for the same path",
    "expected a hunk",
    "malformed hunk header",
    "a line of a hunk must start with a space, + or -",
    "a missing newline is marked where the file does not end",
    "the hunk has other line counts than its header says",
    "the hunk changes nothing",
    "the hunk overlaps the one before it",
    "the two starts of the hunk do not fit the hunks before it",
    "a creation must be one hunk of added lines",
    "a removal must be one hunk of removed lines",
    "the patch creates a file that has contents",
    "the file is not what the patch expects",
    "the patch removes a file but not all of its lines",
};
static_assert(std::size(kWords) == static_cast<std::size_t>(Kind::contents_left) + 1);

}  // namespace

std::string describe(const DiffError& error) {
  const std::string out = "line " + std::to_string(error.line) + ": " +
                          std::string(kWords[static_cast<std::size_t>(error.kind)]);
  return error.detail.empty() ? out : out + ": " + error.detail;
}

}  // namespace cg::json
