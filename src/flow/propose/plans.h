// Plans: what recipes make of findings, one plan per lockfile.
#pragma once

#include <string>
#include <vector>

#include "fix/plan/planner.h"
#include "flow/propose/situation.h"

namespace cg::propose {

/// What recipes, policy and flags say for one lock.
[[nodiscard]] plan::Options options_of(const Situation& situation, std::size_t lock);

/// The hits of a lock that are to be fixed: those whose finding was neither ignored nor
/// deselected.
using Wanted = std::vector<std::vector<findings::Hit>>;
[[nodiscard]] Wanted wanted_hits(const scan::Scanned& scanned);

/// The names whose releases will certainly be asked for, so that they can be fetched
/// together.
[[nodiscard]] std::vector<std::string> first_names(const scan::Scanned& scanned,
                                                   const Wanted& wanted);

struct LockPlan {
  std::size_t lock;  // in Scanned::loaded
  plan::Plan plan;
};
/// One per lockfile that has something to fix.
[[nodiscard]] std::vector<LockPlan> make_plans(Situation& situation, const Wanted& wanted,
                                               const Leeway& leeway = {});

/// The plans of those copies alone whose fixes are in `fixes`: what one branch holds.
/// `fixes` are numbers over all plans, in their order, from 1.
[[nodiscard]] std::vector<LockPlan> plans_for(Situation& situation,
                                              const std::vector<LockPlan>& plans,
                                              const std::vector<std::size_t>& fixes,
                                              const Leeway& leeway);

/// No copy of the plans is left unfixed.
[[nodiscard]] bool fixes_all(const std::vector<LockPlan>& plans);

}  // namespace cg::propose
