#include "model/proposal/safe_diff.h"

#include <algorithm>
#include <iterator>

#include "base/base/text.h"
#include "model/proposal/text.h"

namespace cg::proposal {

namespace {

using json::DiffLine;
using json::FilePatch;
using json::Hunk;

using Unit = DiffRefusal::Unit;

constexpr std::string_view kFaults[] = {"too_large",  "not_a_diff",  "creation",      "removal",
                                        "outside",    "untouched",   "hidden",        "dependency",
                                        "not_source", "declaration", "configuration", "test",
                                        "no_context", "hidden_text", "long_line"};
static_assert(std::size(kFaults) == static_cast<std::size_t>(DiffFault::long_line) + 1);
constexpr std::string_view kUnits[] = {"", "line", "file", "hunk"};
static_assert(std::size(kUnits) == static_cast<std::size_t>(Unit::hunk) + 1);

/// Where `word` is in a list of names.
template <std::size_t N>
std::optional<std::size_t> index_of(const std::string_view (&names)[N], std::string_view word) {
  const auto* found = std::find(std::begin(names), std::end(names), word);
  if (found == std::end(names)) return std::nullopt;
  return static_cast<std::size_t>(found - std::begin(names));
}

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

std::optional<DiffFault> fault_of_added(std::string_view line) {
  if (line.size() > kMaxAddedLine) return DiffFault::long_line;
  if (has_hidden(line) || blanks_in(line) > kMaxBlanks) return DiffFault::hidden_text;
  return std::nullopt;
}

std::optional<DiffFault> fault_of(const Hunk& hunk) {
  if (hunk.old_count() == 0) return DiffFault::no_context;
  for (const DiffLine& line : hunk.lines) {
    if (line.kind != DiffLine::Kind::added) continue;
    if (const auto fault = fault_of_added(line.text)) return fault;
  }
  return std::nullopt;
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

std::optional<DiffFault> fault_of(const FilePatch& file, const std::vector<RepoPath>& files) {
  if (file.action == FilePatch::Action::create) return DiffFault::creation;
  if (file.action == FilePatch::Action::remove) return DiffFault::removal;
  const auto named = std::find_if(files.begin(), files.end(),
                                  [&](const RepoPath& path) { return path.str() == file.path; });
  if (named == files.end()) return DiffFault::outside;
  return fault_of(protection_of(*named));
}

/// Files and hunks are counted through all of the diff.
Result<Done, DiffRefusal> check(const json::Patch& patch, const std::vector<RepoPath>& files) {
  std::size_t number = 0;
  std::size_t hunks = 0;
  for (const FilePatch& file : patch.files) {
    ++number;
    if (const auto fault = fault_of(file, files)) {
      return fail(DiffRefusal{*fault, Unit::file, number});
    }
    for (const Hunk& hunk : file.hunks) {
      ++hunks;
      if (const auto fault = fault_of(hunk)) return fail(DiffRefusal{*fault, Unit::hunk, hunks});
    }
  }
  return Done{};
}

bool touches(const json::Patch& patch, const RepoPath& path) {
  return std::any_of(patch.files.begin(), patch.files.end(),
                     [&](const FilePatch& file) { return file.path == path.str(); });
}

}  // namespace

std::string_view name(DiffFault fault) { return kFaults[static_cast<std::size_t>(fault)]; }

std::string text_of(const DiffRefusal& refusal) {
  std::string out(name(refusal.fault));
  if (refusal.unit == Unit::whole) return out;
  (out += ' ') += kUnits[static_cast<std::size_t>(refusal.unit)];
  return out + " " + std::to_string(refusal.number);
}

std::optional<DiffRefusal> parse_refusal(std::string_view text) {
  const std::vector<std::string_view> words = split(text, ' ');
  const auto fault = index_of(kFaults, words[0]);
  if (!fault) return std::nullopt;
  DiffRefusal out{static_cast<DiffFault>(*fault)};
  if (words.size() == 1) return out;
  const auto unit = words.size() == 3 ? index_of(kUnits, words[1]) : std::nullopt;
  const auto number = words.size() == 3 ? parse_u64(words[2]) : std::nullopt;
  if (!unit || *unit == 0 || !number) return std::nullopt;
  out.unit = static_cast<Unit>(*unit);
  out.number = *number;
  return out;
}

Result<SafeDiff, DiffRefusal> SafeDiff::parse(std::string_view text,
                                              const std::vector<RepoPath>& files) {
  auto patch = json::parse_loose_diff(text, {.max_bytes = kMaxDiff});
  if (!patch) {
    const json::DiffError& error = patch.error();
    const bool large = error.kind == json::DiffError::Kind::too_large;
    if (large) return fail(DiffRefusal{DiffFault::too_large});
    return fail(DiffRefusal{DiffFault::not_a_diff, Unit::line, error.line});
  }
  CG_TRY(check(*patch, files));
  for (const RepoPath& path : files) {
    if (!touches(*patch, path)) return fail(DiffRefusal{DiffFault::untouched});
  }
  std::string own = json::write_diff(*patch);
  if (own.size() > kMaxDiff) return fail(DiffRefusal{DiffFault::too_large});  // with our numbers
  return SafeDiff(*std::move(patch), std::move(own));
}

}  // namespace cg::proposal
