#include "model/proposal/safe_diff.h"

#include <algorithm>
#include <iterator>
#include <optional>

#include "model/proposal/text.h"

namespace cg::proposal {

namespace {

using json::DiffLine;
using json::FilePatch;
using json::Hunk;

bool ends_with_return(const DiffLine& line) { return line.text.ends_with('\r'); }

/// The longest run of spaces and tabs.
std::size_t blanks_in(std::string_view line) {
  std::size_t longest = 0;
  std::size_t run = 0;
  for (const char c : line) {
    run = c == ' ' || c == '\t' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return longest;
}

Result<Done, DiffFault> check_added(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (line.size() > kMaxAddedLine) return fail(DiffFault::long_line);
  if (has_hidden(line) || blanks_in(line) > kMaxBlanks) return fail(DiffFault::hidden_text);
  return Done{};
}

Result<Done, DiffFault> check_hunk(const Hunk& hunk, bool with_returns) {
  if (hunk.old_count() == 0) return fail(DiffFault::no_context);
  for (const DiffLine& line : hunk.lines) {
    // The last line of a file ends with neither where it ends without a newline.
    const bool open_end = line.end == DiffLine::End::none;
    if (ends_with_return(line) != with_returns && !(open_end && !ends_with_return(line))) {
      return fail(DiffFault::line_ends);
    }
    if (line.kind == DiffLine::Kind::added) CG_TRY(check_added(line.text));
  }
  return Done{};
}

/// The first of `hunks` decides what ends a line: its old lines must match the file.
Result<Done, DiffFault> check_lines(const std::vector<Hunk>& hunks) {
  const auto& lines = hunks.front().lines;
  const auto old = std::find_if(lines.begin(), lines.end(), [](const DiffLine& line) {
    return line.is_old() && line.end == DiffLine::End::newline;
  });
  const bool with_returns = old != lines.end() && ends_with_return(*old);
  for (const Hunk& hunk : hunks) CG_TRY(check_hunk(hunk, with_returns));
  return Done{};
}

std::optional<DiffFault> fault_of(Protection protection) {
  switch (protection) {
    case Protection::none:
      return std::nullopt;
    case Protection::hidden:
      return DiffFault::hidden;
    case Protection::dependency:
      return DiffFault::dependency;
    case Protection::not_source:
      return DiffFault::not_source;
    case Protection::declaration:
      return DiffFault::declaration;
    case Protection::configuration:
      return DiffFault::configuration;
    case Protection::test:
      return DiffFault::test;
  }
  return DiffFault::not_source;
}

Result<Done, DiffFault> check_file(const FilePatch& file, const std::vector<RepoPath>& files) {
  if (file.action == FilePatch::Action::create) return fail(DiffFault::creation);
  if (file.action == FilePatch::Action::remove) return fail(DiffFault::removal);
  const auto named = std::find_if(files.begin(), files.end(),
                                  [&](const RepoPath& path) { return path.str() == file.path; });
  if (named == files.end()) return fail(DiffFault::outside);
  if (const auto fault = fault_of(protection_of(*named))) return fail(*fault);
  return check_lines(file.hunks);
}

bool touches(const json::Patch& patch, const RepoPath& path) {
  return std::any_of(patch.files.begin(), patch.files.end(),
                     [&](const FilePatch& file) { return file.path == path.str(); });
}

}  // namespace

std::string_view name(DiffFault fault) {
  constexpr std::string_view kNames[] = {"too_large",  "not_a_diff",  "creation",      "removal",
                                         "outside",    "untouched",   "hidden",        "dependency",
                                         "not_source", "declaration", "configuration", "test",
                                         "no_context", "line_ends",   "hidden_text",   "long_line"};
  static_assert(std::size(kNames) == static_cast<std::size_t>(DiffFault::long_line) + 1);
  return kNames[static_cast<std::size_t>(fault)];
}

Result<SafeDiff, DiffFault> SafeDiff::parse(std::string_view text,
                                            const std::vector<RepoPath>& files) {
  auto patch = json::parse_diff(text, {.max_bytes = kMaxDiff});
  if (!patch) {
    const bool large = patch.error().kind == json::DiffError::Kind::too_large;
    return fail(large ? DiffFault::too_large : DiffFault::not_a_diff);
  }
  for (FilePatch& file : patch->files) {
    CG_TRY(check_file(file, files));
    for (Hunk& hunk : file.hunks) hunk.section.clear();
  }
  for (const RepoPath& path : files) {
    if (!touches(*patch, path)) return fail(DiffFault::untouched);
  }
  std::string own = json::write_diff(*patch);
  if (own.size() > kMaxDiff) return fail(DiffFault::too_large);  // a tab after names with spaces
  return SafeDiff(*std::move(patch), std::move(own));
}

}  // namespace cg::proposal
