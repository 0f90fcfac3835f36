#include <algorithm>

#include "base/base/text.h"
#include "fix/report/document.h"
#include "fix/report/report.h"
#include "fix/report/review.h"
#include "vuln/formats/words.h"

namespace cg::report {

namespace {

using formats::shown;

constexpr std::size_t kName = 214;
constexpr std::size_t kShort = 60;

/// What one branch does, in the order of the case.
struct Work {
  std::vector<const Fix*> fixes;
  std::vector<std::string> labels;    // of the advisories it clears, each once
  std::vector<std::string> packages;  // each once
};

Work work_of(const Case& c, const Branch& branch) {
  Work out;
  const auto is_here = [&](std::size_t fix) {
    return branch.fixes.empty() ||
           std::find(branch.fixes.begin(), branch.fixes.end(), fix) != branch.fixes.end();
  };
  for (std::size_t i = 0; i < c.fixes.size(); ++i) {
    if (!is_here(i + 1)) continue;
    out.fixes.push_back(&c.fixes[i]);
    add_once(out.packages, shown(c.fixes[i].package, kName));
  }
  for (const Copy& copy : c.copies) {
    const bool planned = copy.fate == plan::Fate::fixed ||
                         (copy.blocker == plan::Blocker::unproven && copy.fix != 0);
    if (planned && is_here(copy.fix)) add_once(out.labels, shown(label(c, copy.advisory), kShort));
  }
  return out;
}

/// " (CVE-1, CVE-2)".
std::string cleared(const Work& work) {
  if (work.labels.empty()) return "";
  if (work.labels.size() > 2) return " (" + grouped(work.labels.size()) + " advisories)";
  std::string out = " (" + work.labels.front();
  if (work.labels.size() == 2) out += ", " + work.labels.back();
  return out + ")";
}

std::string subject(const Case& c, const Branch& branch, const Work& work) {
  const bool conventional = c.subject == Subject::conventional;
  std::string start = conventional ? "fix(deps): " : "";
  if (branch.outcome == kUnproven) start += conventional ? "unproven, " : "Unproven: ";
  if (work.packages.size() != 1) {
    return start + (conventional ? "update " : "Update ") +
           counted(work.packages.size(), "package", "packages") + cleared(work);
  }
  const Fix& fix = *work.fixes.front();
  const bool same = std::all_of(work.fixes.begin(), work.fixes.end(), [&](const Fix* other) {
    return other->from == fix.from && other->to == fix.to;
  });
  const std::string& name = work.packages.front();
  if (!same) return start + (conventional ? "update " : "Update ") + name + cleared(work);
  if (fix.to.empty()) return start + (conventional ? "drop " : "Drop ") + name + cleared(work);
  const std::string to = shown(fix.to, kShort);
  if (!conventional) return start + "Update " + name + " to " + to + cleared(work);
  return start + name + " " + shown(fix.from, kShort) + " -> " + to + cleared(work);
}

std::string body_line(const Fix& fix) {
  std::string out = "- " + shown(fix.package, kName) + " " + shown(fix.from, kShort) + " -> ";
  out += fix.to.empty() ? "gone" : shown(fix.to, kShort);
  if (!fix.lockfile.empty()) out += " in " + shown(fix.lockfile, kName);
  out += " (" + spoken(plan::name(fix.strategy)) + ")";
  return out + (fix.why.empty() ? "\n" : ": " + shown(fix.why, kLongest) + "\n");
}

/// A paragraph for what git itself does not show: which files a model wrote, and what the proof
/// does not carry. None for a recipe whose gates are strong.
std::string cautions(const Review& review) {
  std::string out;
  if (!review.model.empty()) {
    for (const std::string& line : file_lines(review)) out += "- " + line + "\n";
  }
  for (const std::string& line : caution_lines(review)) out += "- " + line + "\n";
  return out.empty() ? out : "For the reviewer, in this order:\n" + out + "\n";
}

}  // namespace

std::string commit_message(const Case& c, const Branch& branch) {
  constexpr std::size_t kMostFixes = 50;
  const Work work = work_of(c, branch);
  std::string out = subject(c, branch, work) + "\n\n";
  const bool unproven = branch.outcome == kUnproven;
  if (unproven) {
    out +=
        "Nothing was shown of this change: the repository cannot be run as it is, so\n"
        "install, build and tests were not tried with it. It is no fix until they were.\n\n";
  }
  for (std::size_t i = 0; i < std::min(work.fixes.size(), kMostFixes); ++i) {
    out += body_line(*work.fixes[i]);
  }
  if (work.fixes.size() > kMostFixes) {
    out += "- and " + counted(work.fixes.size() - kMostFixes, "step", "steps") + " more\n";
  }
  if (!work.fixes.empty()) out += "\n";
  out += cautions(review(c, branch));
  const std::string trailer = unproven ? "Concerns-Advisory: " : "Fixes-Advisory: ";
  for (const std::string& advisory : work.labels) out += trailer + advisory + "\n";
  if (unproven) out += "Codegenie-Proof: none\n";
  out += "Codegenie-Tier: " + std::string(name(c.tier)) + "\n";
  return out + "Codegenie-Plan: " + plan_digest(c, branch) + "\n";
}

std::string commit_message(const Case& c) { return commit_message(c, Branch{}); }

}  // namespace cg::report
