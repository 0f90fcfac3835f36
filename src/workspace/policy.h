// Policy: what the operator demands. Not configuration: flags and variables cannot
// loosen it.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace cg::workspace {

/// policy/policy.yaml. Every value has a range; a missing file is the standard.
struct Policy {
  int anchor_within_days = 7;  // 1 to 365: how old an entry may get without an anchor
};

enum class Preset { standard, strict };

/// The starter file that `init` writes.
[[nodiscard]] std::string policy_text(Preset preset);

struct PolicyError {
  std::string what;
  std::size_t line = 0;
};

[[nodiscard]] Result<Policy, PolicyError> parse_policy(std::string_view yaml);

}  // namespace cg::workspace
