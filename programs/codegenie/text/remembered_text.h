// What a remediation did without asking, since it was known, and what it leaves for later ones.
#pragma once

#include <string>

#include "flow/remediate/remediation.h"

namespace cg::program {

/// A paragraph, or nothing.
[[nodiscard]] std::string remembered_text(const remediate::Remediation& done);

}  // namespace cg::program
