#include "flow/remediate/case_of.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

#include "base/base/text.h"
#include "base/domain/tool.h"
#include "flow/remediate/branches.h"
#include "vuln/findings/select.h"

namespace cg::remediate {

namespace {

std::vector<report::Advisory> advisories_of(const findings::Scan& scan) {
  std::map<std::string, report::Advisory> out;
  for (const findings::Finding& finding : scan.findings) {
    out.emplace(finding.advisory, report::Advisory{finding.advisory, finding.aliases,
                                                   finding.summary, finding.severity.level});
  }
  std::vector<report::Advisory> list;
  for (auto& [id, one] : out) list.push_back(std::move(one));
  return list;
}

/// What is planned for a copy stays, and counts for nothing. The words are the same for every run:
/// they are in the plan that a commit names.
void set_unproven(plan::Copy& copy) {
  if (copy.fate != plan::Fate::fixed) return;
  copy.fate = plan::Fate::blocked;
  copy.blocker = plan::Blocker::unproven;
  copy.reason = kUnprovenReason;
}

/// As `group` left it: the plan that passed, or copies that nothing could be done for.
class Settling {
 public:
  explicit Settling(report::Case& c) : c_(c) {
    for (const report::Copy& copy : c.copies) old_fixes_.push_back(copy.fix);
    c.fixes.clear();
    c.overrides.clear();
    c.branches.clear();
  }

  /// One that became a branch.
  void written(const SettledGroup& group) {
    report::Branch branch = group.branch;
    branch.fixes.clear();
    for (const propose::LockPlan& one : group.attempted.candidate.plans) {
      const std::size_t offset = c_.fixes.size();
      for (const plan::Fix& fix : one.plan.fixes) {
        c_.fixes.push_back({fix, one.plan.lockfile});
        branch.fixes.push_back(c_.fixes.size());
      }
      for (plan::Copy copy : one.plan.copies) {
        if (group.attempted.unprovable) set_unproven(copy);
        take(copy, one.plan.lockfile, offset);
      }
      c_.overrides.insert(c_.overrides.end(), one.plan.overrides.begin(), one.plan.overrides.end());
    }
    c_.branches.push_back(std::move(branch));
  }

  void failed(const SettledGroup& group) {
    for (std::size_t i = 0; i < c_.copies.size(); ++i) {
      report::Copy& copy = c_.copies[i];
      const bool asked = group.group.handed_on && group.group.copies.contains(propose::copy_key(
                                                      copy.lockfile, copy.location, copy.advisory));
      if (!asked && !has(group.group.fixes, old_fixes_[i])) continue;
      // What a model was asked about in vain is still what it was: somebody else's to fix.
      const bool judged = !group.attempted.gates.empty() && !group.attempted.bare;
      const bool planned = has(group.group.fixes, old_fixes_[i]);
      if (!asked || planned || judged || group.attempted.unprovable) {
        copy.fate = plan::Fate::blocked;
        copy.blocker = group.attempted.untried        ? plan::Blocker::none
                       : group.attempted.unprovable   ? plan::Blocker::unproven
                       : group.attempted.for_a_person ? plan::Blocker::policy
                                                      : plan::Blocker::gates;
      }
      copy.reason = group.attempted.unprovable ? kUnprovenReason : group.attempted.why;
      copy.to.clear();
      copy.strategy.reset();
      copy.fix = 0;
    }
  }

 private:
  template <class T>
  static bool has(const std::vector<T>& list, const T& one) {
    return std::find(list.begin(), list.end(), one) != list.end();
  }

  void take(const plan::Copy& copy, const std::string& lockfile, std::size_t offset) {
    for (report::Copy& old : c_.copies) {
      if (old.lockfile != lockfile || old.location != copy.location ||
          old.advisory != copy.advisory) {
        continue;
      }
      static_cast<plan::Copy&>(old) = copy;
      if (old.fix != 0) old.fix += offset;
    }
  }

  report::Case& c_;
  std::vector<std::size_t> old_fixes_;
};

std::string_view outcome_of(const Attempted& attempted) {
  if (attempted.unprovable) return report::kUnproven;
  return report::is_weak(attempted.gates, "") ? report::kWeak : report::kProven;
}

/// Something was shown, and all of it shows little.
bool is_weak(const report::Case& c) {
  const auto is = [](std::string_view word) {
    return [word](const report::Branch& branch) { return branch.outcome == word; };
  };
  return std::any_of(c.branches.begin(), c.branches.end(), is(report::kWeak)) &&
         std::none_of(c.branches.begin(), c.branches.end(), is(report::kProven));
}

/// How it ends if nothing was fixed.
std::pair<report::Outcome, ExitCode> end_of(const report::Case& c) {
  const auto has = [&](plan::Blocker blocker) {
    return std::any_of(c.copies.begin(), c.copies.end(),
                       [&](const auto& copy) { return copy.blocker == blocker; });
  };
  const bool hopeless = std::all_of(c.copies.begin(), c.copies.end(), [](const auto& copy) {
    return copy.fate == plan::Fate::no_fix;
  });
  if (hopeless) return {report::Outcome::not_applicable, ExitCode::not_applicable};
  if (has(plan::Blocker::gates)) return {report::Outcome::not_fixed, ExitCode::not_fixed};
  if (has(plan::Blocker::unproven)) return {report::Outcome::unproven, ExitCode::not_fixed};
  return {report::Outcome::not_fixed, ExitCode::needs_human};
}

}  // namespace

void judge_case(report::Case& c, job::Extent extent) {
  const auto count = [&](plan::Fate fate) {
    return std::count_if(c.copies.begin(), c.copies.end(),
                         [&](const auto& copy) { return copy.fate == fate; });
  };
  const auto all = static_cast<std::ptrdiff_t>(c.copies.size());
  const auto fixed = count(plan::Fate::fixed);
  ExitCode exit = ExitCode::ok;
  if (all == 0) {
    c.outcome = report::Outcome::not_applicable;
    exit = ExitCode::not_applicable;
  } else if (fixed == 0) {
    std::tie(c.outcome, exit) = end_of(c);
    if (extent != job::Extent::branch) c.outcome = report::Outcome::planned;
  } else if (extent != job::Extent::branch) {
    c.outcome = report::Outcome::planned;
  } else {
    c.outcome = fixed < all  ? report::Outcome::partly_fixed
                : is_weak(c) ? report::Outcome::weak
                             : report::Outcome::fixed;
    if (fixed < all) exit = ExitCode::needs_human;
  }
  // What was not read may need a fix too.
  const bool is_fine = exit == ExitCode::ok || exit == ExitCode::not_applicable;
  if (is_fine && !c.skipped.empty()) exit = ExitCode::needs_human;
  c.tier = fixed == 0 ? report::Tier::none : report::tier_of(c);
  c.exit = static_cast<int>(exit);
}

report::Case case_of_group(const report::Case& c, const Attempted& attempted,
                           const job::Request& request) {
  const propose::Candidate& candidate = attempted.candidate;
  report::Case one = c;
  one.copies.clear();
  one.fixes.clear();
  one.overrides.clear();
  for (const propose::LockPlan& lock : candidate.plans) report::add_plan(one, lock.plan);
  one.tier = report::tier_of(one);
  const std::string prefix =
      attempted.unprovable ? request.unproven_prefix() : request.branch_prefix;
  if (attempted.unprovable) {
    for (report::Copy& copy : one.copies) set_unproven(copy);
  }
  std::vector<std::size_t> fixes(one.fixes.size());
  std::iota(fixes.begin(), fixes.end(), 1U);
  one.branches = {{.name = candidate.branch.empty()
                               ? name_branch(one, fixes, request.grouping, prefix)
                               : candidate.branch,
                   .commit = "",
                   .fixes = fixes,
                   .attempts = attempted.attempts,
                   .kind = candidate.kind,
                   .example = candidate.example,
                   .rationale = candidate.rationale,
                   .outcome = std::string(outcome_of(attempted))}};
  one.gates = attempted.gates;
  for (report::Gate& gate : one.gates) gate.branch = one.branches.front().name;
  return one;
}

namespace {

/// Each lockfile once, whatever groups it had.
void add_causes(report::Case& c, const Attempted& attempted) {
  if (!attempted.unprovable) return;
  for (const report::Unprovable& one : attempted.unprovable->causes()) {
    const bool known = std::any_of(
        c.unproven.begin(), c.unproven.end(),
        [&](const report::Unprovable& other) { return other.lockfile == one.lockfile; });
    if (!known) c.unproven.push_back(one);
  }
}

}  // namespace

void settle_case(report::Case& c, const std::vector<SettledGroup>& groups) {
  Settling settling(c);
  c.not_checked.clear();
  for (const SettledGroup& group : groups) {
    if (group.attempted.passed || (group.attempted.unprovable && !group.branch.commit.empty())) {
      settling.written(group);
    } else {
      settling.failed(group);
    }
    add_causes(c, group.attempted);
    // One that no gate saw has none, and takes none from the others.
    if (!group.attempted.isolation.empty()) c.isolation_class = group.attempted.isolation;
    for (report::Gate gate : group.attempted.gates) {
      gate.branch = group.branch.name;
      if (gate.state == "absent" && !gate.words.empty()) {
        const std::string line = gate.signal + ": " + gate.words;
        const auto& lines = c.not_checked;
        if (std::find(lines.begin(), lines.end(), line) == lines.end()) {
          c.not_checked.push_back(line);
        }
      }
      c.gates.push_back(std::move(gate));
    }
  }
  judge_case(c, job::Extent::branch);
}

void fill_case(report::Case& c, const job::Request& request, propose::Situation& situation,
               const std::vector<propose::LockPlan>& plans, const scan::Scanned& after,
               std::vector<report::FileChange> changes) {
  const propose::Base& base = situation.base;
  c.repo = request.repo;
  c.base = base.checkout.base();
  c.index = base.scanned.scan.index;
  c.tool = tool_name();
  c.advisories = advisories_of(base.scanned.scan);
  for (const propose::LockPlan& one : plans) report::add_plan(c, one.plan);
  fill_changes(c, situation, plans, after, std::move(changes));
  c.subject = base.checkout.has_git() && base.checkout.git().conventional
                  ? report::Subject::conventional
                  : report::Subject::plain;
  c.not_checked = {"install, build and tests were not run"};
  for (const auto& fixes : propose::group_fixes(c.fixes, request.grouping)) {
    c.branches.push_back(
        {name_branch(c, fixes, request.grouping, request.branch_prefix), "", fixes});
  }
  judge_case(c, request.extent);
}

}  // namespace cg::remediate
