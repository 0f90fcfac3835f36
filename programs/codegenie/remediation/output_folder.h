// Where --worktree puts edited files.
#pragma once

#include <string>

#include "base/base/result.h"
#include "base/domain/error.h"
#include "base/os/dir.h"
#include "remediation/planning.h"

namespace cg::program {

/// Makes the folder if need be. The repository itself, and what lies in it, is refused.
[[nodiscard]] Result<os::Dir, Problem> open_output_folder(const std::string& path,
                                                          const std::string& repo);

/// All of them, each in one step.
[[nodiscard]] Result<Done, Problem> write_files(const std::string& folder,
                                                const EditedFiles& files);

}  // namespace cg::program
