#include "proving/publishing.h"

#include <set>

namespace cg::program {

namespace {

/// The hits of copies that some group fixed.
Wanted wanted_of(const Scanned& scanned, const Published& published) {
  std::set<std::string> fixed;
  for (const SettledGroup& group : published.groups) {
    if (!group.attempted.passed) continue;
    for (const LockPlan& one : group.attempted.plans) {
      for (const plan::Copy& copy : one.plan.copies) {
        fixed.insert(one.plan.lockfile + "\n" + copy.location + "\n" + copy.advisory);
      }
    }
  }
  Wanted out(scanned.hits.size());
  for (std::size_t i = 0; i < scanned.hits.size(); ++i) {
    const repository::LoadedLock& lock = scanned.loaded.locks[i];
    for (const findings::Hit& hit : scanned.hits[i]) {
      const std::string location(lock.graph.node(hit.node).location);
      if (fixed.contains(lock.path + "\n" + location + "\n" + hit.advisory)) out[i].push_back(hit);
    }
  }
  return out;
}

}  // namespace

Result<Published, Problem> prove_and_write(const Trying& trying, const Writing& writing,
                                           const std::vector<LockPlan>& plans,
                                           const report::Case& c, History& history) {
  Published out;
  for (const report::Branch& planned : c.branches) {
    const std::string group = group_id(c, planned.steps);
    CG_TRY_ASSIGN(Attempted attempted,
                  attempt(trying, plans, planned.steps, group, std::move(history[group])));
    CG_TRY(settle_group(trying, writing, c, {planned.steps, planned, std::move(attempted)}, out));
  }
  return out;
}

Result<Done, Problem> settle_group(const Trying& trying, const Writing& writing,
                                   const report::Case& c, SettledGroup settled, Published& out) {
  if (settled.attempted.passed) {
    const report::Case one =
        case_of_group(c, settled.attempted.plans, writing.request.branch_prefix);
    settled.branch = one.branches.front();
    settled.branch.attempts = settled.attempted.attempts;
    CG_TRY_ASSIGN(
        const auto outcome,
        write_branch(writing, one, settled.branch, settled.attempted.files,
                     std::move(settled.attempted.proof), out.commits, trying.recording.events()));
    if (outcome == gitrepo::Written::Outcome::found) ++out.found;
    CG_TRY(trying.recording.write());
  }
  out.groups.push_back(std::move(settled));
  return Done{};
}

Result<Together, Problem> together(const Trying& trying, const Published& published) {
  Means means = trying.means;
  for (const SettledGroup& group : published.groups) {
    means.tried.insert(means.tried.end(), group.attempted.avoided.begin(),
                       group.attempted.avoided.end());
    if (!group.attempted.passed) continue;
    means.targets.insert(means.targets.end(), group.attempted.targets.begin(),
                         group.attempted.targets.end());
  }
  Together out{make_plans(means, wanted_of(means.scanned, published)), {}, {}};
  CG_TRY_ASSIGN(Edited edited, apply_plans(means, out.plans, trying.registry));
  CG_TRY_ASSIGN(out.after, trying.scan(std::move(edited.locks)));
  out.files = std::move(edited.files);
  for (const SettledGroup& group : published.groups) {
    if (!group.attempted.passed) continue;
    out.files.insert(group.attempted.rewritten.begin(), group.attempted.rewritten.end());
  }
  return out;
}

}  // namespace cg::program
