// The name of this program and its version, as results and evidence give it.
#pragma once

#include <string>

namespace cg {

/// "codegenie 0.1.0"
[[nodiscard]] std::string tool_name();

}  // namespace cg
