// self-check model: one harmless question to the model that policy names, and what of it works.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "checks.h"

namespace cg::program {

struct ModelChecked {
  std::vector<Finding> findings;
  std::string workflow;  // that the question is part of; empty if none was asked
};

/// Who may be asked: with --offline nobody beyond this machine.
enum class Askable { anybody, this_machine };

/// Costs money: `say` hears how much at most, before anything is sent. Where policy allows no
/// model, nobody is asked, and that is the finding.
[[nodiscard]] Result<ModelChecked, Problem> check_model(
    const Access& access, Askable who, const std::function<void(const std::string&)>& say);

}  // namespace cg::program
