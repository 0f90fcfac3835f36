// Files that a fix changes, and folders that they are written to.
#pragma once

#include <map>
#include <string>

#include "base/base/result.h"
#include "base/domain/error.h"
#include "base/os/dir.h"

namespace cg::job {

/// New bytes by path, beneath the folder of the repository.
using EditedFiles = std::map<std::string, std::string>;

/// The folder of --worktree. Makes the folder if need be. The repository itself, and what lies in
/// it, is refused.
[[nodiscard]] Result<os::Dir, Problem> open_output_folder(const std::string& path,
                                                          const std::string& repo);

/// All of them, each in one step.
[[nodiscard]] Result<Done, Problem> write_files(const std::string& folder,
                                                const EditedFiles& files);

}  // namespace cg::job
