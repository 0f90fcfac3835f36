#include "flow/job/files.h"

#include <filesystem>

#include "flow/repository/files.h"

namespace cg::job {

namespace {

Problem unusable(const std::string& what, const std::string& path) {
  return {ErrorCode::fix_worktree,
          what,
          {{"path", path}},
          "nothing was written",
          {"codegenie remediate --help"}};
}

/// With all links followed, also if the last folders of the path are not there yet.
std::string real(const std::string& path) {
  std::error_code failed;
  const std::string found =
      std::filesystem::weakly_canonical(std::filesystem::absolute(path), failed);
  return failed ? path : found;
}

}  // namespace

Result<os::Dir, Problem> open_output_folder(const std::string& path, const std::string& repo) {
  const std::string inside = real(path) + "/";
  const std::string outside = real(repo) + "/";
  if (inside.starts_with(outside)) return fail(unusable("the folder lies in the repository", path));
  auto dir = os::Dir::make(path);
  if (!dir) return fail(unusable(os::describe(dir.error()), path));
  auto opened = os::Dir::open(real(path));
  if (!opened) return fail(unusable(os::describe(opened.error()), path));
  return *std::move(opened);
}

Result<Done, Problem> write_files(const std::string& folder, const EditedFiles& files) {
  const auto dir = os::Dir::open(folder);
  if (!dir) return fail(unusable(os::describe(dir.error()), folder));
  for (const auto& [path, bytes] : files) {
    const std::string above(repository::folder_of(path));
    if (!above.empty()) {
      if (auto made = dir->make_dir(above); !made)
        return fail(unusable(os::describe(made.error()), path));
    }
    if (auto written = dir->write_atomic(path, bytes); !written) {
      return fail(unusable(os::describe(written.error()), path));
    }
  }
  return Done{};
}

}  // namespace cg::job
