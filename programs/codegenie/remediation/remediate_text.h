// A remediation as people read it in a terminal.
#pragma once

#include <string>

#include "flow/cli/style.h"
#include "remediation/remediate.h"
#include "remediation/request.h"

namespace cg::program {

[[nodiscard]] std::string remediation_text(const Remediation& done,
                                           const RemediationRequest& request,
                                           const cli::Style& style);

}  // namespace cg::program
