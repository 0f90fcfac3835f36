// Overrun: a signed permission to spend more than policy allows, for one repository.
#pragma once

#include <string>

#include "flow/workspace/access.h"
#include "model/budget/budget.h"
#include "trust/record/event.h"

namespace cg::propose {

inline constexpr std::string_view kBudgetNamespace = "codegenie-budget";

/// Raises `caps` as the statement in `file` says, if `file`.sig is a signature over it by
/// somebody whom policy/allowed_signers lets sign in kBudgetNamespace. The statement:
///
///   schema: codegenie/overrun/v1
///   repo: shop            # as on the command line
///   tokens: 500000
///   usd: "3.00"
///   expires: 2026-12-31
[[nodiscard]] Result<record::BudgetOverrideGranted, Problem> allow_overrun(
    const workspace::Access& access, const std::string& file, const std::string& repo, Time now,
    budget::Caps& caps);

}  // namespace cg::propose
