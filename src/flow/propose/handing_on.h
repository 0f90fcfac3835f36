// Handing on: what of a repository a model may be asked about, once recipes are through with it.
//
// A model changes call sites, so a package has to move that the repository asks for itself: it is
// the one whose sources, API and notes are shown. That is the vulnerable package where it is a
// direct dependency; where it comes in through others, the nearest of these that is one, if a
// breaking version of it is what frees the copy.
#pragma once

#include <optional>
#include <vector>

#include "flow/propose/groups.h"
#include "flow/propose/plans.h"
#include "trust/record/event.h"

namespace cg::propose {

/// Of copies that no recipe has a plan for, those that only a breaking version of the package
/// fixes. Each copy is also an event: that no recipe did it.
[[nodiscard]] std::vector<Group> handed_on_groups(const Situation& situation,
                                                  const std::vector<LockPlan>& plans,
                                                  record::Events& events);
/// Likewise those that only a breaking version of what brings them in frees. Takes a plan for each
/// that is looked at, so it is for who wants to ask.
[[nodiscard]] std::vector<Group> parent_groups(Situation& situation,
                                               const std::vector<LockPlan>& plans,
                                               record::Events& events);

/// The group, whose fix by recipes the gates have turned down `before` times, as one that a model
/// is asked about: by what recipes planned, if that moves a package that the repository asks for,
/// or else by a breaking version of one that brings the copies in. Nothing if there is neither, or
/// if several packages move of which none is the vulnerable one, or in several lockfiles.
[[nodiscard]] std::optional<Group> asked_after(Situation& situation, const Group& group,
                                               unsigned before);

/// What a rewrite of call sites goes with: what recipes planned, or a version across a break.
[[nodiscard]] Leeway rewrite_of(const Group& group);

}  // namespace cg::propose
