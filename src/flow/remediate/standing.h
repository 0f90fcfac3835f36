// Standing: what a branch is written for. There are two, and neither can be taken for the other.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "fix/report/branch.h"
#include "prove/gate/verdict.h"

namespace cg::remediate {

/// Every lockfile of a fix passed its gates.
class Proven {
 public:
  /// One per lockfile. Nothing if there is none.
  [[nodiscard]] static std::optional<Proven> of(std::vector<gate::Passed> passed) {
    if (passed.empty()) return std::nullopt;
    return Proven(std::move(passed));
  }

  /// Used up: what it rests on is handed on to whoever learns from it.
  [[nodiscard]] std::vector<gate::Passed> spend() && { return std::move(passed_); }

 private:
  explicit Proven(std::vector<gate::Passed> passed) : passed_(std::move(passed)) {}
  std::vector<gate::Passed> passed_;
};

/// Nothing was shown of a fix, good or bad, since the repository cannot be run as it is; and what
/// needs no run is as it must be.
class Unproven {
 public:
  /// Nothing if nothing is in the way.
  [[nodiscard]] static std::optional<Unproven> of(std::vector<report::Unprovable> causes) {
    if (causes.empty()) return std::nullopt;
    return Unproven(std::move(causes));
  }
  /// Of each lockfile whose base cannot be run.
  [[nodiscard]] const std::vector<report::Unprovable>& causes() const { return causes_; }

 private:
  explicit Unproven(std::vector<report::Unprovable> causes) : causes_(std::move(causes)) {}
  std::vector<report::Unprovable> causes_;
};

}  // namespace cg::remediate
