#include <algorithm>
#include <numeric>

#include "base/base/bytes.h"
#include "base/json/json.h"
#include "fix/report/case.h"
#include "fix/report/case_writer.h"
#include "trust/hash/sha256.h"

namespace cg::report {

namespace {

std::string write_plan(const Case& c) {
  Writer plan;
  plan("schema", std::string("codegenie/plan/v1"));
  plan("copies", c.copies);
  plan("steps", c.fixes);
  plan("overrides", c.overrides);
  return json::write_json_pretty(std::move(plan).take());
}

/// The part of `c` that a branch carries out, its fixes numbered from 1.
Case part_of(const Case& c, const Branch& branch) {
  Case part;
  std::vector<std::size_t> number(c.fixes.size() + 1, 0);
  for (std::size_t i = 1; i <= c.fixes.size(); ++i) {
    if (std::find(branch.fixes.begin(), branch.fixes.end(), i) == branch.fixes.end()) continue;
    part.fixes.push_back(c.fixes[i - 1]);
    number[i] = part.fixes.size();
  }
  const auto is_here = [&](const std::string& advisory) {
    return std::any_of(part.copies.begin(), part.copies.end(),
                       [&](const Copy& copy) { return copy.advisory == advisory; });
  };
  for (const Copy& copy : c.copies) {
    if (copy.fix > c.fixes.size() || number[copy.fix] == 0) continue;
    part.copies.push_back(copy);
    part.copies.back().fix = number[copy.fix];
  }
  for (const plan::OverrideNote& note : c.overrides) {
    if (std::any_of(note.advisories.begin(), note.advisories.end(), is_here)) {
      part.overrides.push_back(note);
    }
  }
  return part;
}

/// The package at a place that a fix touched: "b" of "node_modules/a/node_modules/b", "b@^1.0.0"
/// and "/b@1.0.0".
std::string_view package_at(std::string_view place) {
  constexpr std::string_view kFolder = "node_modules/";
  if (const auto at = place.rfind(kFolder); at != std::string_view::npos) {
    return place.substr(at + kFolder.size());
  }
  if (place.starts_with('/')) place.remove_prefix(1);
  return place.substr(0, place.find('@', 1));
}

bool moves(const Fix& fix, const std::string& package) {
  return fix.package == package ||
         std::any_of(fix.touched.begin(), fix.touched.end(),
                     [&](const std::string& place) { return package_at(place) == package; });
}

}  // namespace

Case only_branch(const Case& c, const Branch& branch) {
  Case out = c;
  out.branches = {branch};
  std::erase_if(out.gates, [&](const Gate& gate) { return gate.branch != branch.name; });
  if (!branch.changes.empty()) out.changes = branch.changes;
  if (branch.fixes.empty()) return out;
  Case part = part_of(c, branch);
  std::vector<Fix> others;
  for (std::size_t i = 1; i <= c.fixes.size(); ++i) {
    if (std::find(branch.fixes.begin(), branch.fixes.end(), i) == branch.fixes.end()) {
      others.push_back(c.fixes[i - 1]);
    }
  }
  const auto by = [](const std::vector<Fix>& fixes, const std::string& package) {
    return std::any_of(fixes.begin(), fixes.end(),
                       [&](const Fix& fix) { return moves(fix, package); });
  };
  std::erase_if(out.moved, [&](const Moved& moved) {
    return by(others, moved.package) && !by(part.fixes, moved.package);
  });
  std::erase_if(out.advisories, [&](const Advisory& advisory) {
    return std::none_of(part.copies.begin(), part.copies.end(),
                        [&](const Copy& copy) { return copy.advisory == advisory.id; });
  });
  const bool unproven = branch.outcome == kUnproven;
  out.findings.after =
      out.findings.before -
      (unproven ? 0 : std::min<std::uint64_t>(out.findings.before, part.copies.size()));
  if (unproven) out.outcome = Outcome::unproven;
  if (branch.outcome == kWeak) out.outcome = Outcome::weak;
  out.copies = std::move(part.copies);
  out.fixes = std::move(part.fixes);
  out.overrides = std::move(part.overrides);
  if (unproven || out.tier != Tier::none) out.tier = tier_of(out);
  if (out.tier != Tier::llm) out.spend = {};
  out.branches.front().fixes.resize(out.fixes.size());
  std::iota(out.branches.front().fixes.begin(), out.branches.front().fixes.end(), 1U);
  return out;
}

std::string plan_text(const Case& c) { return write_plan(c); }

std::string plan_text(const Case& c, const Branch& branch) {
  return branch.fixes.empty() ? write_plan(c) : write_plan(part_of(c, branch));
}

std::string plan_digest(const Case& c, const Branch& branch) {
  return "sha256:" + to_hex(hash::sha256(as_bytes(plan_text(c, branch))));
}

}  // namespace cg::report
