// A scan as people read it in a terminal.
#pragma once

#include <string>

#include "cli/style.h"
#include "scan/finding.h"

namespace cg::program {

enum class Suppressed { counted, listed };

/// The table of `codegenie scan`.
[[nodiscard]] std::string scan_text(const scan::Scan& scan, Suppressed suppressed,
                                    const cli::Style& style);

/// The id people search for: the CVE where there is one.
[[nodiscard]] std::string public_id(const scan::Finding& finding);
/// "recipe (relock)", "human: no fixed version is known".
[[nodiscard]] std::string plan_text(const scan::Outlook& outlook);
/// "direct" or "express > body-parser".
[[nodiscard]] std::string via_text(const scan::Finding& finding);
[[nodiscard]] cli::Role role_of(advisory::Level level);

}  // namespace cg::program
