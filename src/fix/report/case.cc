#include "fix/report/case.h"

#include <algorithm>

#include "base/base/bytes.h"
#include "base/json/json.h"
#include "fix/report/case_writer.h"
#include "trust/hash/sha256.h"

namespace cg::report {

std::string_view name(Outcome outcome) {
  switch (outcome) {
    case Outcome::fixed:
      return "fixed";
    case Outcome::partly_fixed:
      return "partly_fixed";
    case Outcome::planned:
      return "planned";
    case Outcome::not_applicable:
      return "not_applicable";
    case Outcome::refused:
      return "refused";
    case Outcome::not_fixed:
      break;
  }
  return "not_fixed";
}

std::string_view name(Tier tier) {
  switch (tier) {
    case Tier::recipe:
      return "recipe";
    case Tier::rag:
      return "rag";
    case Tier::llm:
      return "llm";
    case Tier::none:
      break;
  }
  return "none";
}

std::string_view name(Subject subject) {
  return subject == Subject::conventional ? "conventional" : "plain";
}

std::string_view name(Scripts scripts) {
  switch (scripts) {
    case Scripts::none:
      return "none";
    case Scripts::unchanged:
      return "unchanged";
    case Scripts::added:
      return "added";
    case Scripts::removed:
      return "removed";
    case Scripts::unknown:
      break;
  }
  return "unknown";
}

void add_plan(Case& c, const plan::Plan& plan) {
  const std::size_t before = c.steps.size();
  for (const plan::Step& step : plan.steps) c.steps.push_back({step, plan.lockfile});
  for (const plan::Copy& copy : plan.copies) {
    c.copies.push_back({copy, plan.lockfile});
    if (copy.step > 0) c.copies.back().step += before;
  }
  c.overrides.insert(c.overrides.end(), plan.overrides.begin(), plan.overrides.end());
}

namespace {

std::string write_plan(const Case& c) {
  Writer plan;
  plan("schema", std::string("codegenie/plan/v1"));
  plan("copies", c.copies);
  plan("steps", c.steps);
  plan("overrides", c.overrides);
  return json::write_json_pretty(std::move(plan).take());
}

/// The part of `c` that a branch carries out, its steps numbered from 1.
Case part_of(const Case& c, const Branch& branch) {
  Case part;
  std::vector<std::size_t> number(c.steps.size() + 1, 0);
  for (std::size_t i = 1; i <= c.steps.size(); ++i) {
    if (std::find(branch.steps.begin(), branch.steps.end(), i) == branch.steps.end()) continue;
    part.steps.push_back(c.steps[i - 1]);
    number[i] = part.steps.size();
  }
  const auto is_here = [&](const std::string& advisory) {
    return std::any_of(part.copies.begin(), part.copies.end(),
                       [&](const Copy& copy) { return copy.advisory == advisory; });
  };
  for (const Copy& copy : c.copies) {
    if (copy.step > c.steps.size() || number[copy.step] == 0) continue;
    part.copies.push_back(copy);
    part.copies.back().step = number[copy.step];
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
  return branch.steps.empty() ? write_plan(c) : write_plan(part_of(c, branch));
}

std::string plan_digest(const Case& c, const Branch& branch) {
  return "sha256:" + to_hex(hash::sha256(as_bytes(plan_text(c, branch))));
}

}  // namespace cg::report
