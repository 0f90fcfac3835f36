// VERIFY.md: how to check a bundle without codegenie. For this module only.
#pragma once

#include <string>

namespace cg::evidence {

[[nodiscard]] std::string verify_text();

}  // namespace cg::evidence
