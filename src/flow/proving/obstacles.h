// The preflight of a run: what it is told of the repository and this machine.
#pragma once

#include <string>
#include <vector>

#include "flow/propose/plans.h"
#include "prove/preflight/preflight.h"
#include "trust/record/event.h"

namespace cg::proving {

/// Of every lock that has a plan. Reads files of the base and tarballs that are in the cache, a
/// few dozen at most; asks nobody. `node` is this machine's version, empty if nobody looked. The
/// error is damage of what is stored.
[[nodiscard]] Result<std::vector<preflight::Obstacle>, Problem> obstacles_to(
    const propose::Situation& situation, const std::vector<propose::LockPlan>& plans,
    const std::string& node);

/// "preflight: a@1.0.0 comes from git, and 2 more", of what is more than a note.
[[nodiscard]] std::string headline(const record::PreflightDone& done);
[[nodiscard]] record::PreflightDone looked(const std::vector<preflight::Obstacle>& obstacles);

}  // namespace cg::proving
