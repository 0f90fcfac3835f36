// What a model may answer, as an answer, a path, a package, and a diff by itself.
//
// What is accepted is written and read again to the same; every path in it is one beneath the
// root by a second opinion; what is refused is refused in our own words. A diff is placed in a text
// of its own old lines: there is a place for it, and if there is one alone, what comes of it is
// what its numbers say, which are ours.
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/base/assert.h"
#include "base/base/text.h"
#include "base/json/placing.h"
#include "model/proposal/feedback.h"
#include "model/proposal/proposal.h"
#include "model/proposal/scripts.h"
#include "model/rewrite/rewrite.h"

namespace {

using namespace cg::proposal;

bool is_beneath(const std::string& text) {
  const std::filesystem::path path(text);
  if (path.is_absolute() || path.lexically_normal() != path) return false;
  for (const auto& part : path) {
    const std::string small = cg::lower_ascii(part.string());
    if (small == ".." || small == "." || small == ".git" || small.empty()) return false;
  }
  return text.size() <= kMaxPath && cg::printable(text) == text;
}

/// Its old lines, and nothing else: its hunks follow upon each other.
std::string original_of(const cg::json::FilePatch& file) {
  std::string out;
  for (const cg::json::Hunk& hunk : file.hunks) {
    for (const cg::json::DiffLine& line : hunk.lines) {
      if (line.is_old()) out += line.text + "\n";
    }
  }
  return out;
}

/// A text that changes into itself breaks nothing, or cannot be read at all.
void check_rewrite(const std::string& before, const std::string& after) {
  for (const auto language : {cg::syntax::Language::javascript, cg::syntax::Language::tsx}) {
    const auto same = cg::rewrite::find_breach({before, before, language, "menu"});
    CG_ASSERT(!same || same->breach == cg::rewrite::Breach::not_understood);
    const auto found = cg::rewrite::find_breach({before, after, language, "menu"});
    CG_ASSERT(!found || found->line <= before.size() + after.size() + 1);
  }
}

void check_diff(const SafeDiff& diff, const std::vector<RepoPath>& files) {
  CG_ASSERT(diff.text().size() <= kMaxDiff);
  CG_ASSERT(diff.patch().files.size() == files.size());
  for (const cg::json::FilePatch& file : diff.patch().files) {
    CG_ASSERT(file.action == cg::json::FilePatch::Action::modify);
    const auto path = RepoPath::parse(file.path);
    CG_ASSERT(path && protection_of(*path) == Protection::none);
    const std::string before = original_of(file);
    const auto after = cg::json::apply_patch(file, before);
    CG_ASSERT(after);
    const auto placed = cg::json::place(file, before);
    CG_ASSERT(placed ? *placed == *after
                     : placed.error().kind == cg::json::Misplaced::Kind::ambiguous);
    const auto own = cg::json::difference(file.path, before, *after);
    CG_ASSERT(*cg::json::apply_patch(own, before) == *after);
    static_cast<void>(names_file({before}, file.path));
    check_rewrite(before, *after);
  }
  const auto again = SafeDiff::parse(diff.text(), files);
  CG_ASSERT(again && *again == diff);
}

void check_answer(std::string_view text) {
  const auto proposal = parse(text);
  if (!proposal) {
    const Violation& violation = proposal.error();
    CG_ASSERT(violation.where.size() < 32 && cg::printable(violation.where) == violation.where);
    CG_ASSERT(!name(violation.fault).empty());
    const std::string told = feedback(violation);
    CG_ASSERT(told.size() < 1000 && cg::is_utf8(told));
    return;
  }
  const std::string written = write(*proposal);
  CG_ASSERT(written.size() <= kMaxAnswer);
  const auto again = parse(written);
  CG_ASSERT(again && *again == *proposal && write(*again) == written);
  if (const auto* bump = std::get_if<DepBump>(&*proposal)) {
    CG_ASSERT(is_beneath(bump->manifest.str()) && bump->manifest.base() == "package.json");
  }
  if (const auto* rewrite = std::get_if<CallsiteRewrite>(&*proposal)) {
    for (const RepoPath& path : rewrite->files) CG_ASSERT(is_beneath(path.str()));
    check_diff(rewrite->diff, rewrite->files);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check_answer(text);
  if (const auto path = RepoPath::parse(text)) {
    CG_ASSERT(path->str() == text && is_beneath(path->str()));
    static_cast<void>(protection_of(*path));
  }
  if (const auto package = PackageName::parse(text)) CG_ASSERT(package->str() == text);
  const std::vector<RepoPath> files = {*RepoPath::parse("src/a.js")};
  if (const auto diff = SafeDiff::parse(text, files)) check_diff(*diff, files);
  return 0;
}
