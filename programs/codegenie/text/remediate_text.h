// A remediation as people read it in a terminal.
#pragma once

#include <string>

#include "flow/cli/style.h"
#include "flow/job/request.h"
#include "flow/remediate/remediate.h"

namespace cg::program {

[[nodiscard]] std::string remediation_text(const remediate::Remediation& done,
                                           const job::Request& request, const cli::Style& style);

/// `codegenie/remediate/v1`: the case, and what the preflight saw.
[[nodiscard]] json::Value remediation_json(const remediate::Remediation& done);

}  // namespace cg::program
