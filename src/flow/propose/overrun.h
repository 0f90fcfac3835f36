// Overrun: a signed permission to spend more than policy allows, in one repository, once.
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
///   repo: /home/operator/shop
///   tokens: 500000
///   usd: "3.00"
///   expires: 2026-12-31
///
/// `repo` is the repository's real folder, since a name like `.` would be any of them. A
/// statement is used up by the first run that it is given to, whatever becomes of the run: the
/// log knows it by its digest, so two that say the same need a comment that tells them apart. It
/// must be in the log before anything is spent on it.
[[nodiscard]] Result<record::BudgetOverrideGranted, Problem> allow_overrun(
    const workspace::Access& access, const std::string& file, const std::string& repo, Time now,
    budget::Caps& caps);

}  // namespace cg::propose
