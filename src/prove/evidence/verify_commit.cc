#include <openssl/sha.h>

#include "base/base/text.h"
#include "prove/evidence/manifest.h"
#include "prove/evidence/verify_parts.h"
#include "trust/hash/sha256.h"

namespace cg::evidence {

namespace {

/// The name git gives a commit: of as many digits as `like` has.
std::string commit_name(std::string_view object, std::string_view like) {
  std::string bytes = "commit " + std::to_string(object.size());
  bytes += '\0';
  bytes += object;
  if (like.size() == 64) return to_hex(hash::sha256(as_bytes(bytes)));
  std::array<Byte, SHA_DIGEST_LENGTH> out{};
  SHA1(as_bytes(bytes).data(), bytes.size(), out.data());
  return to_hex(out);
}

/// The value of the only line that begins with `start`; empty if there is not just one.
std::string line_value(std::string_view text, std::string_view start) {
  std::string out;
  for (const std::string_view line : split(text, '\n')) {
    if (!line.starts_with(start)) continue;
    if (!out.empty()) return "";
    out = line.substr(start.size());
  }
  return out;
}

/// Empty if all of it holds.
std::string fault_of(std::string_view object, std::string_view plan, const report::Branch& branch,
                     const report::Case& c) {
  if (branch.commit.empty()) return "is of a branch that the case says was not made";
  if (commit_name(object, branch.commit) != branch.commit) return "is not the commit of the case";
  const std::size_t blank = object.find("\n\n");
  if (blank == std::string_view::npos) return "is not a commit";
  if (line_value(object.substr(0, blank), "parent ") != c.base) {
    return "does not follow the commit that was scanned";
  }
  const std::string named = line_value(object.substr(blank), "Codegenie-Plan: ");
  if (named != "sha256:" + to_hex(hash::sha256(as_bytes(plan)))) return "names another plan";
  const bool unproven = line_value(object.substr(blank), "Codegenie-Proof: ") == "none";
  if (unproven != (branch.outcome == report::kUnproven)) {
    return "says something else of its proof than the case";
  }
  if (line_value(object.substr(blank), "Codegenie-Tier: ") !=
      report::name(report::tier_of(c, branch))) {
    return "names another tier than the case";
  }
  return "";
}

/// One of the branches is the commit that a repository holds, and changes what is shown here.
void judge_held(const Files& files, const report::Case& c, const HeldCommit& held,
                BundleReport& out) {
  for (std::size_t i = 0; i < c.branches.size(); ++i) {
    if (c.branches[i].commit != held.id) continue;
    const std::string folder = branch_folder(i, c.branches.size());
    const auto object = files.find(folder + "commit.txt");
    const auto patch = files.find(folder + "patch.diff");
    if (object == files.end() || object->second != held.object) {
      out.breaks.push_back({folder + "commit.txt", "is not what the repository has"});
    } else if (patch == files.end() || patch->second != held.patch) {
      out.breaks.push_back({folder + "patch.diff", "is not the change of the commit"});
    } else {
      out.checked.push_back("commit " + printable(held.id) + " of the repository is the one of " +
                            printable(c.branches[i].name));
    }
    return;
  }
  out.breaks.push_back({std::string(kCase), "has no branch at commit " + printable(held.id)});
}

}  // namespace

void judge_plan(const Files& files, const report::Case& c, BundleReport& out) {
  const auto plan = files.find(kPlan);
  const bool partial = c.branches.size() == 1 && files.contains("commit.txt");
  const std::string expected =
      partial ? report::plan_text(c, c.branches.front()) : report::plan_text(c);
  if (plan == files.end() || plan->second != expected) {
    out.breaks.push_back({std::string(kPlan), "is not the plan of the case"});
    return;
  }
  out.checked.emplace_back("the plan is the case's");
}

void judge_commits(const Files& files, const report::Case& c, const Trust& trust,
                   BundleReport& out) {
  const std::size_t before = out.breaks.size();
  for (std::size_t i = 0; i < c.branches.size(); ++i) {
    const std::string folder = branch_folder(i, c.branches.size());
    const auto object = files.find(folder + "commit.txt");
    const auto plan = files.find(folder + std::string(kPlan));
    if (object == files.end() || plan == files.end()) {
      out.breaks.push_back({folder + "commit.txt", "is missing"});
      continue;
    }
    const std::string fault = fault_of(object->second, plan->second, c.branches[i], c);
    if (!fault.empty()) out.breaks.push_back({folder + "commit.txt", fault});
  }
  if (out.breaks.size() == before) {
    out.checked.emplace_back("each commit has the case's id, parent, tier and plan");
  }
  if (trust.commit) return judge_held(files, c, *trust.commit, out);
  out.unchecked.emplace_back("that a repository holds the commit: codegenie verify --repo");
}

}  // namespace cg::evidence
