// What became of a person's own fix that was to be remembered.
#pragma once

#include <string>

#include "base/json/value.h"
#include "flow/cli/style.h"
#include "flow/remediate/remediation.h"

namespace cg::program {

[[nodiscard]] std::string taught_text(const remediate::Remediation& done, const cli::Style& style);
/// `codegenie/rag-learn/v1`
[[nodiscard]] json::Value taught_json(const remediate::Remediation& done);

}  // namespace cg::program
