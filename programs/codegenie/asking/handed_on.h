// Handed on: copies that no recipe fixes and a model may be asked about.
#pragma once

#include <string>
#include <vector>

#include "fix/report/case.h"
#include "remediation/planning.h"
#include "trust/record/event.h"

namespace cg::program {

/// Copies of one package in one lockfile whose fix breaks what the repository asks for.
struct HandedOn {
  std::size_t lock = 0;  // in Scanned::loaded
  std::string package;
  std::string manifest;                 // that asks for it, beneath the repository
  std::vector<std::string> versions;    // installed, sorted
  std::vector<std::string> advisories;  // sorted
  std::vector<std::string> locations;   // sorted
  std::string group;                    // BLAKE3 over the copies, as group_id()
};

/// Each is also an event: that no recipe did it.
[[nodiscard]] std::vector<HandedOn> handed_on(const Means& means,
                                              const std::vector<LockPlan>& plans,
                                              record::Events& events);

/// The hits of these copies alone.
[[nodiscard]] Wanted wanted_of(const Means& means, const HandedOn& group);

}  // namespace cg::program
