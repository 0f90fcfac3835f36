// Planning: from findings to plans, and from plans to the text of files.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "findings/rule_book.h"
#include "findings/scan_flow.h"
#include "fix/plan/planner.h"
#include "fix/plugin/load.h"
#include "flow/workspace/policy.h"
#include "remediation/request.h"

namespace cg::program {

/// New bytes by path, beneath the folder of the repository.
using EditedFiles = std::map<std::string, std::string>;

/// What plans are made with.
struct Means {
  const os::Dir& repo;
  const Scanned& scanned;
  const plugin::Plugins& plugins;
  const workspace::Policy& policy;
  const RemediationRequest& request;
  registry::Source& source;
  RuleBook& book;
  Time now;
  /// The day that notes count from: that of the base commit, so that the same base gives
  /// the same files whenever it is fixed.
  Time dated;
  /// What earlier attempts brought, not to be chosen again.
  std::vector<plan::Tried> tried = {};
  /// What a model chose; recipes stand back for those packages.
  std::vector<plan::Target> targets = {};
};

/// What recipes, policy and flags say for one lock.
[[nodiscard]] plan::Options options_of(const Means& means, std::size_t lock);

/// The hits of a lock that are to be fixed: those whose finding was neither ignored nor
/// deselected.
using Wanted = std::vector<std::vector<findings::Hit>>;
[[nodiscard]] Wanted wanted_hits(const Scanned& scanned);

/// The names whose releases will certainly be asked for, so that they can be fetched
/// together.
[[nodiscard]] std::vector<std::string> first_names(const Scanned& scanned, const Wanted& wanted);

/// One plan per lockfile that has something to fix.
struct LockPlan {
  std::size_t lock;  // in Scanned::loaded
  plan::Plan plan;
};
[[nodiscard]] std::vector<LockPlan> make_plans(const Means& means, const Wanted& wanted);

/// The files that the plans change, and what they say then. Every edited lock is read
/// back: it must say what was planned.
struct Edited {
  EditedFiles files;
  repository::LoadedLocks locks;  // all of the repository, with the edited ones in place
};
[[nodiscard]] Result<Edited, Problem> apply_plans(const Means& means,
                                                  const std::vector<LockPlan>& plans,
                                                  const std::string& registry);

/// The plans of those copies alone whose steps are in `steps`: what one branch holds.
/// `steps` are numbers over all plans, in their order, from 1.
[[nodiscard]] std::vector<LockPlan> plans_for(const Means& means,
                                              const std::vector<LockPlan>& plans,
                                              const std::vector<std::size_t>& steps);

}  // namespace cg::program
