#include <algorithm>

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

}  // namespace

std::string plan_text(const Case& c) { return write_plan(c); }

std::string plan_text(const Case& c, const Branch& branch) {
  return branch.fixes.empty() ? write_plan(c) : write_plan(part_of(c, branch));
}

std::string plan_digest(const Case& c, const Branch& branch) {
  return "sha256:" + to_hex(hash::sha256(as_bytes(plan_text(c, branch))));
}

}  // namespace cg::report
