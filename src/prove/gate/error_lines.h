// What package managers and compilers call an error, among all that they print. Private to this
// module.
#pragma once

#include <string>

namespace cg::gate {

/// The lines in which one says what is wrong; the first few, kMaxExcerptBytes at most.
[[nodiscard]] std::string error_lines(const std::string& shown);

}  // namespace cg::gate
