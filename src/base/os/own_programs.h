// Where our own programs lie: found from the running one, never in PATH.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "base/base/result.h"
#include "base/os/error.h"

namespace cg::os {

/// The folder of the running program, absolute.
[[nodiscard]] Result<std::string, Error> own_folder();

/// That folder, and ../libexec/codegenie from there: where the others may be, in this order.
[[nodiscard]] Result<std::vector<std::string>, Error> program_folders();

/// The first of those that has all of `programs`. The error names the last of these.
[[nodiscard]] Result<std::string, Error> folder_with(
    std::initializer_list<std::string_view> programs);

}  // namespace cg::os
