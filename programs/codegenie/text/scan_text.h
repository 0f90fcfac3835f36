// A scan as people read it in a terminal.
#pragma once

#include <string>

#include "flow/cli/style.h"
#include "vuln/findings/finding.h"

namespace cg::program {

enum class Suppressed { counted, listed };

/// The table of `codegenie scan`.
[[nodiscard]] std::string scan_text(const findings::Scan& scan, Suppressed suppressed,
                                    const cli::Style& style);

/// The id people search for: the CVE where there is one.
[[nodiscard]] std::string public_id(const findings::Finding& finding);
/// "recipe (relock)", "human: no fixed version is known".
[[nodiscard]] std::string plan_text(const findings::Outlook& outlook);
/// "direct" or "express > body-parser".
[[nodiscard]] std::string via_text(const findings::Finding& finding);
[[nodiscard]] cli::Role role_of(advisory::Level level);

}  // namespace cg::program
