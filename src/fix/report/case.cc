#include "fix/report/case.h"

#include <algorithm>

namespace cg::report {

std::string_view name(Outcome outcome) {
  switch (outcome) {
    case Outcome::fixed:
      return "fixed";
    case Outcome::partly_fixed:
      return "partly_fixed";
    case Outcome::weak:
      return "weak";
    case Outcome::unproven:
      return "unproven";
    case Outcome::planned:
      return "planned";
    case Outcome::not_applicable:
      return "not_applicable";
    case Outcome::refused:
      return "refused";
    case Outcome::not_fixed:
      return "not_fixed";
    case Outcome::interrupted:
      break;
  }
  return "interrupted";
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

bool is_weak(const std::vector<Gate>& gates, std::string_view branch) {
  return std::any_of(gates.begin(), gates.end(), [&](const Gate& gate) {
    // Of several lockfiles the name begins with the path of one.
    const bool tests = gate.signal == "tests" || gate.signal.ends_with(" tests");
    return gate.branch == branch &&
           (gate.passed ? !gate.weak.empty() : tests && gate.state == "absent");
  });
}

std::string_view name(Author author) {
  switch (author) {
    case Author::engine:
      break;
    case Author::model:
      return "model";
    case Author::example:
      return "example";
  }
  return "codegenie";
}

Tier tier_of(const Case& c, const Branch& branch) {
  const auto any = [&](std::string_view recipe) {
    for (std::size_t i = 1; i <= c.fixes.size(); ++i) {
      const bool here = branch.fixes.empty() || std::find(branch.fixes.begin(), branch.fixes.end(),
                                                          i) != branch.fixes.end();
      if (here && c.fixes[i - 1].recipe == recipe) return true;
    }
    return false;
  };
  if (any(plan::kModelRecipe)) return Tier::llm;
  return any(plan::kExampleRecipe) ? Tier::rag : Tier::recipe;
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
  const std::size_t before = c.fixes.size();
  for (const plan::Fix& fix : plan.fixes) c.fixes.push_back({fix, plan.lockfile});
  for (const plan::Copy& copy : plan.copies) {
    c.copies.push_back({copy, plan.lockfile});
    if (copy.fix > 0) c.copies.back().fix += before;
  }
  c.overrides.insert(c.overrides.end(), plan.overrides.begin(), plan.overrides.end());
}

}  // namespace cg::report
